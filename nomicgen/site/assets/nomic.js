/* Filters over lists that are complete without them, kept in the address; and the revision that it names, opened;
   and at the foot of a page, what the site was verified against. */
(() => {
  "use strict";

  const forms = [...document.querySelectorAll("form[data-nomic-filter]")];
  // The first list of a page has the short names in the address.
  const key = (form, name) => (form === forms[0] ? name : `${form.dataset.nomicFilter}-${name}`);
  const fields = (form) => [...form.elements].filter((one) => one.name);

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

  // An item that names no words of its own is looked for by what it shows.
  const read = (item) => (item.dataset.nomicItem ||= item.textContent.toLowerCase());

  const filter = (form) => {
    const place = document.getElementById(form.dataset.nomicFilter);
    const items = [...place.querySelectorAll("[data-nomic-item]")];
    const groups = [...place.querySelectorAll("[data-nomic-group]")].reverse();
    const count = form.querySelector("[role=status]");
    const opened = new Set();

    const apply = () => {
      const asked = fields(form).filter(({ value }) => value.trim());
      const words = asked
        .filter(({ name }) => name === "words")
        .flatMap(({ value }) => value.toLowerCase().split(/\s+/).filter(Boolean));
      const chosen = asked.filter(({ name }) => name !== "words");
      let shown = 0;
      for (const item of items) {
        const fits =
          words.every((word) => read(item).includes(word)) &&
          chosen.every(({ name, value }) => (item.dataset[name] ?? "").split("|").includes(value));
        item.hidden = !fits;
        shown += fits;
      }
      for (const group of groups) {
        const left = group.querySelector("[data-nomic-item]:not([hidden])") !== null;
        if (group.tagName === "UL") continue;
        group.hidden = !left;
        if (group.tagName === "DETAILS") {
          if (asked.length && left && !group.open) {
            group.open = true;
            opened.add(group);
          } else if (!asked.length && opened.delete(group)) group.open = false;
        }
      }
      count.textContent = asked.length ? `${shown} of ${items.length} shown` : "";
    };

    form.hidden = false;
    // Browsers take only so many addresses in a while: words are kept when nothing more is typed, or one goes on.
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
    // A browser fills fields in again when one comes back, after scripts have run: the address says what was asked.
    addEventListener("pageshow", restore);
    addEventListener("popstate", restore);
    restore();
  };

  // The theme opens everything before it prints: what a reader has opened is marked, and no more of a rule is printed.
  const open = (one) => {
    one.open = true;
    one.classList.add("n-chosen");
  };
  for (const page of document.querySelectorAll(".nomic")) {
    page.classList.add("n-scripted");
    page.querySelectorAll("details[open]").forEach(open);
    page.addEventListener("click", (event) => {
      const one = event.target.closest("summary")?.parentElement;
      one?.classList.toggle("n-chosen", !one.open);
    });
  }

  const reveal = () => {
    const target = /^#[\w-]+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (!target || !target.closest(".nomic")) return;
    const within = /^r\d+$/.test(target.id) ? [...target.querySelectorAll("details")] : [];
    for (const one of within) open(one);
    let closed = false;
    for (let one = target.closest("details"); one; one = one.parentElement.closest("details")) {
      closed ||= !one.open;
      open(one);
    }
    if (closed) target.scrollIntoView();
  };

  // HEAD stands in one file: else each commit would change every page. Without it a page says its own last commit alone.
  const verify = async (place) => {
    const answer = await fetch(place.dataset.nomicVerified, { cache: "no-cache" });
    if (!answer.ok) return;
    const { said, commit, href, but, seen } = await answer.json();
    const code = document.createElement("code");
    code.textContent = commit.slice(0, 7);
    code.title = commit;
    const link = document.createElement("a");
    if (href) {
      link.href = href;
      link.append(code);
    }
    place.append(`${said} `, href ? link : code, `${but ? `, but ${but}` : ""}.${seen ? ` ${seen}.` : ""}`);
  };
  for (const place of document.querySelectorAll("[data-nomic-verified]")) verify(place).catch(() => {});

  // The search and its index are loaded when somebody asks for them.
  const seek = document.querySelector("[data-nomic-search]");
  const search = () => {
    if (globalThis.nomicSearch) return globalThis.nomicSearch();
    const script = document.createElement("script");
    script.src = seek.dataset.nomicSearch;
    script.addEventListener("load", () => globalThis.nomicSearch());
    if (!document.querySelector(`script[src="${script.getAttribute("src")}"]`)) document.body.append(script);
  };
  seek?.addEventListener("click", search);
  addEventListener("keydown", (event) => {
    const typed = event.target.closest("input, textarea, select, dialog, [contenteditable]");
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !typed;
    const asks = (plain && ["/", "s", "f"].includes(event.key)) || ((event.ctrlKey || event.metaKey) && event.key === "k");
    if (!seek || !asks) return;
    event.preventDefault();
    search();
  });

  forms.forEach(filter);
  addEventListener("hashchange", reveal);
  reveal();
})();
