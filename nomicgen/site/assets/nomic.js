/* On every page: filters of lists, kept in the address; the part of the page that the address names, unfolded; the
   commit that the site was verified against, at the foot; and the keys and the button that open the search. */
(() => {
  "use strict";

  const forms = [...document.querySelectorAll("form[data-nomic-filter]")];
  // In the address, the fields of a page's first list have short names (`kind`), those of others long ones.
  const key = (form, name) => (form === forms[0] ? name : `${form.dataset.nomicFilter}-${name}`);
  const fields = (form) => [...form.elements].filter((one) => one.name);

  /* Writes the filters' values into the address; `recall` reads them from there. */
  const remember = () => {
    const asked = new URLSearchParams(location.search);
    for (const form of forms) {
      for (const { name, value } of fields(form)) {
        asked.delete(key(form, name));
        if (value.trim()) asked.append(key(form, name), value.trim());
      }
    }
    const search = `${asked}` ? `?${asked}` : "";
    if (search !== location.search) {
      history.replaceState(history.state, "", `${location.pathname}${search}${location.hash}`);
    }
  };

  const recall = (form) => {
    const asked = new URLSearchParams(location.search);
    for (const one of fields(form)) {
      const value = asked.get(key(form, one.name)) ?? "";
      const known = one.tagName !== "SELECT" || [...one.options].some((option) => option.value === value);
      one.value = known ? value : "";
    }
  };

  // The words by which a filter finds an item: by default those that it shows.
  const read = (item) => (item.dataset.nomicItem ||= item.textContent.toLowerCase());

  // The search and its index are loaded when somebody asks for them.
  const seek = document.querySelector("[data-nomic-search]");
  let coming = null;
  const searchLoaded = () =>
    (coming ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = seek.dataset.nomicSearch;
      script.addEventListener("load", done);
      script.addEventListener("error", () => {
        coming = null;
        script.remove();
        failed(new Error("the search could not be loaded"));
      });
      document.body.append(script);
    }));

  /* The pages that have some words anywhere in their texts. */
  const pagesWith = async (words) => {
    await searchLoaded();
    return globalThis.nomicFind(words);
  };

  /* Adds the items of a long list's further pages below it, when somebody filters. Their links are made to fit here. */
  const restOf = async (place, nav) => {
    const parts = await Promise.all(
      [...nav.querySelectorAll("a")].map(async ({ href }) => {
        const answer = await fetch(href);
        if (!answer.ok) throw new Error(`${href}: ${answer.status}`);
        const read = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(place.id);
        for (const link of read.querySelectorAll("a[href]")) link.href = new URL(link.getAttribute("href"), href).href;
        return [...read.children];
      }),
    );
    const rest = document.createElement("div");
    rest.append(...parts.flat());
    rest.hidden = true;
    place.append(rest);
    return rest;
  };

  /* Links to the time machine, to the law at the end of a period compared with that of the day before it. */
  const tellPeriod = (form, from, until) => {
    const link = form === forms[0] && document.querySelector("[data-nomic-period]");
    if (!link) return;
    link.hidden = !from && !until;
    const before = from ? new Date(Date.parse(from) - 864e5).toISOString().slice(0, 10) : "initial";
    link.href = `${link.dataset.nomicPeriod}#${before}..${until || "today"}&only`;
  };

  const dayOf = (item) => item.closest("[data-day]")?.dataset.day ?? "";

  const filter = (form) => {
    const place = document.getElementById(form.dataset.nomicFilter);
    const nav = document.querySelector(`nav[data-nomic-rest="${place.id}"]`);
    const count = form.querySelector("[role=status]");
    const opened = new Set();
    let rest = null;
    let texts = { words: "", pages: new Set() };

    /* Whether an item has the words, in what it shows or in the whole text of the page that it leads to. */
    const has = (item, words) =>
      words.every((word) => read(item).includes(word)) ||
      (words.length && texts.words === words.join(" ") && texts.pages.has(item.querySelector("a[href]")?.href));
    const look = (words) => {
      const asked = words.join(" ");
      if (!asked || texts.words === asked) return;
      texts = { words: asked, pages: new Set() };
      pagesWith(asked).then(
        (pages) => {
          if (texts.words !== asked) return;
          texts.pages = pages;
          apply();
        },
        () => (count.textContent += "; only what is shown here was looked through"),
      );
    };

    const apply = () => {
      const items = [...place.querySelectorAll("[data-nomic-item]")];
      const groups = [...place.querySelectorAll("[data-nomic-group]")].reverse();
      const asked = fields(form).filter(({ value }) => value.trim());
      const words = asked
        .filter(({ name }) => name === "words")
        .flatMap(({ value }) => value.toLowerCase().split(/\s+/).filter(Boolean));
      const chosen = asked.filter(({ tagName }) => tagName === "SELECT");
      const [from, until] = ["from", "until"].map((name) => asked.find((one) => one.name === name)?.value);
      let shown = 0;
      look(words);
      if (rest) rest.hidden = !asked.length;
      if (nav) nav.hidden = asked.length > 0;
      for (const item of items) {
        const day = from || until ? dayOf(item) : "";
        const fits =
          has(item, words) &&
          chosen.every(({ name, value }) => (item.dataset[name] ?? "").split("|").includes(value)) &&
          (!from || day >= from) &&
          (!until || (day && day <= until));
        item.hidden = !fits;
        shown += fits;
      }
      const tell = (said, left) => {
        const { nomicCount: all } = said.dataset;
        said.textContent = asked.length ? `${left} of ${all}` : all;
      };
      document.querySelectorAll(`[data-nomic-of="${place.id}"]`).forEach((said) => tell(said, shown));
      for (const group of groups) {
        const left = group.querySelectorAll("[data-nomic-item]:not([hidden])").length;
        group.querySelectorAll(":scope > :is(h2, summary) [data-nomic-count]").forEach((said) => tell(said, left));
        if (group.tagName === "UL") continue;
        group.hidden = !left;
        if (group.tagName === "DETAILS") {
          if (asked.length && left && !group.open) {
            group.open = true;
            opened.add(group);
          } else if (!asked.length && opened.delete(group)) group.open = false;
        }
      }
      const some = shown ? `${shown} of ${items.length} shown` : `No result among ${items.length}`;
      count.textContent = asked.length ? some : "";
      tellPeriod(form, from, until);
      if (asked.length && nav && !rest) {
        count.textContent = "Looking through the earlier ones…";
        rest = document.createElement("div");
        restOf(place, nav).then(
          (came) => {
            rest = came;
            apply();
          },
          (error) => {
            rest = null;
            count.textContent = `${some} here; the earlier ones could not be loaded (${error.message})`;
          },
        );
      }
    };

    form.hidden = false;
    // Browsers allow only so many changes of the address in a while, so words go there when nobody types any more.
    let pause = 0;
    form.addEventListener("input", () => {
      apply();
      clearTimeout(pause);
      pause = setTimeout(remember, 200);
    });
    form.addEventListener("change", remember);
    form.addEventListener("submit", (event) => event.preventDefault());
    const restore = () => {
      recall(form);
      apply();
    };
    // When a reader comes back, a browser fills fields in after scripts have run. The address has the right values.
    addEventListener("pageshow", restore);
    addEventListener("popstate", restore);
    restore();
  };

  // Buttons that copy a vote, with the name of the reader if they gave it on the first page.
  const here = new URL("..", document.currentScript.src).pathname;
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-nomic-copy]");
    if (!button) return;
    let me = "";
    try {
      me = JSON.parse(localStorage.getItem(`nomic:${here}`))?.me ?? "";
    } catch {
      // A browser that keeps nothing copies the words alone.
    }
    await navigator.clipboard.writeText(`${button.dataset.nomicCopy}${me ? ` (${me})` : ""}`);
    button.textContent = "Copied";
  });

  // The theme unfolds everything before it prints. What the reader unfolded is marked, and of a rule only that is printed.
  const open = (one) => {
    one.open = true;
    one.classList.add("n-chosen");
  };
  for (const page of document.querySelectorAll(".nomic")) {
    // A printed page has its address and the day.
    const printed = document.createElement("p");
    printed.className = "n-printed";
    const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" }).format(new Date());
    const say = () => {
      const from = `${location.origin === "null" ? "" : location.origin}${location.pathname}${location.search}${location.hash}`;
      printed.textContent = `Printed on ${day}, from ${from}`;
      // Each sheet has the title in its margin.
      document.documentElement.style.setProperty("--n-sheet", JSON.stringify(document.title));
    };
    say();
    addEventListener("beforeprint", say);
    page.prepend(printed);
    page.classList.add("n-scripted");
    page.querySelectorAll("details[open]").forEach(open);
    page.addEventListener("click", (event) => {
      const one = event.target.closest("summary")?.parentElement;
      one?.classList.toggle("n-chosen", !one.open);
    });
  }

  /* Unfolds and shows what the address names after the #. */
  const reveal = () => {
    const target = /^#[\w-]+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    const [day] = /(?<=^#)\d{4}-\d\d-\d\d$/.exec(location.hash) ?? [];
    // The day is on a further page of the history: the filter loads that.
    if (day && !target && document.querySelector("nav[data-nomic-rest=history]")) {
      location.replace(`?from=${day}&until=${day}`);
      return;
    }
    if (!target || !target.closest(".nomic")) return;
    // The texts of early revisions are on continuation pages.
    if (target.closest(".n-older")) location.replace(target.firstChild.href);
    const within = /^r\d+$/.test(target.id) ? [...target.querySelectorAll("details")] : [];
    for (const one of within) open(one);
    let closed = false;
    for (let one = target.closest("details"); one; one = one.parentElement.closest("details")) {
      closed ||= !one.open;
      open(one);
    }
    if (closed) target.scrollIntoView();
  };

  // HEAD is in one file, so that a commit does not change every page. Without it, a page only has its own last commit.
  const verify = async (place) => {
    const answer = await fetch(place.dataset.nomicVerified, { cache: "no-cache" });
    if (!answer.ok) return;
    const { said, commit, href, but } = await answer.json();
    const code = document.createElement("code");
    code.textContent = commit.slice(0, 7);
    code.title = commit;
    const link = document.createElement("a");
    if (href) {
      link.href = href;
      link.append(code);
    }
    place.append(`${said} `, href ? link : code, `${but ? `, but ${but}` : ""}.`);
  };
  for (const place of document.querySelectorAll("[data-nomic-verified]")) verify(place).catch(() => {});

  // What somebody types while the search is loaded.
  let early = null;
  const search = () => {
    if (globalThis.nomicSearch) return globalThis.nomicSearch("");
    if (early !== null) return;
    early = "";
    searchLoaded()
      .then(() => globalThis.nomicSearch(early))
      .catch(() => {})
      .finally(() => (early = null));
  };
  seek?.addEventListener("click", search);
  addEventListener("keydown", (event) => {
    const typed = event.target.closest("input, textarea, select, dialog, [contenteditable]");
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !typed;
    if (early !== null && plain && event.key.length === 1) {
      event.preventDefault();
      early += event.key;
      return;
    }
    const asks = (plain && ["/", "s", "f"].includes(event.key)) || ((event.ctrlKey || event.metaKey) && event.key === "k");
    if (!seek || !asks) return;
    event.preventDefault();
    search();
  });

  forms.forEach(filter);
  addEventListener("hashchange", reveal);
  reveal();
})();
