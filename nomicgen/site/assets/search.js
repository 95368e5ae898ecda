/* The search: a dialog. The script is loaded when somebody first opens the search, or filters a list. Of the index
   (`site/data/search.py`) it fetches only the files with the words that were typed. */
(() => {
  "use strict";

  // How many results are shown at first.
  const SHOWN = 20;
  // If fewer pages have all the words, those that lack one are shown after them.
  const FEW = 5;
  // Words of a question that are not looked for.
  const EMPTY = new Set("a an and are as at be been by can did do does for from has have how i if in is it its may must of on or our that the their there they this to was we were what when where which who whom whose why will with you your".split(" "));
  // The order of results by kind: rules in force first, former ones after acts, the pages that a person wrote last.
  const PLACES = { rule: 0, proposal: 1, judgement: 2, act: 3, former: 4, gone: 4, player: 5, list: 6, page: 7 };
  // The most characters of the line of text that a result shows.
  const AROUND = 160;
  const folder = new URL("search/", document.currentScript.src);
  const root = new URL("..", document.currentScript.src);
  const KINDS = {
    rule: "rule", former: "former number", player: "player", proposal: "proposal", judgement: "judgement", act: "act",
    gone: "rule, gone", list: "page", page: "page",
  };

  // The words of a question, in the form in which `site/data/search.py` writes the words of pages.
  const WORD = /[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])[\p{L}\p{N}])+/gu;
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const wordsOf = (text) => [...new Set(fold(text).match(WORD) ?? [])].map((one) => one.slice(0, 40));

  // Each file is fetched once. The version of the index is in the addresses, so that no file comes from an older cache.

  const asked = new Map();
  const fetched = (name) => {
    if (!asked.has(name)) {
      const options = name === "index.json" ? { cache: "no-cache" } : {};
      const coming = fetch(new URL(name, folder), options).then((answer) => {
        if (!answer.ok) throw new Error(`${answer.status}`);
        return answer.json();
      });
      asked.set(name, coming.catch((error) => (asked.delete(name), Promise.reject(error))));
    }
    return asked.get(name);
  };
  const part = async (name) => fetched(`${name}?${(await fetched("index.json")).version}`);

  const kindOf = ({ kinds }, page) => {
    let first = 0;
    return kinds.find(([, count]) => page < (first += count))[0];
  };

  /* The words of the index that fit a word: pairs of how well one fits (0 to 1) and its pages. */
  const fitting = (known, word) => {
    const found = [];
    // Other forms of the word fit less: votes, voted, voting.
    const stem = word.replace(/(?:ies|ing|ed|es|s|e|y)$/, "");
    for (const [other, pages] of Object.entries(known)) {
      if (other === word) found.push([1, pages]);
      else if (other.startsWith(word)) found.push([0.6, pages]);
      else if (stem.length > 2 && other.startsWith(stem) && other.length < stem.length + 4) found.push([0.2, pages]);
    }
    return found;
  };

  const bucketOf = async (word) => {
    const code = (at) => [...word][at]?.codePointAt(0) ?? 0;
    return (code(0) * 31 + code(1)) % (await fetched("index.json")).words;
  };

  /* The pages that have the most of some words, the best first: [{page, kind}]. */
  const search = async (words) => {
    const index = await fetched("index.json");
    const known = await Promise.all(words.map(async (word) => part(`words/${await bucketOf(word)}.json`)));
    const pages = new Map();
    words.forEach((word, at) => {
      const best = new Map();
      for (const [fit, found] of fitting(known[at], word)) {
        for (const one of found) {
          const [page, weight] = [Math.floor(one / 32), one % 32];
          const grade = weight >> 3;
          const score = fit * ([0, 6, 12, 12][grade] + Math.log2(1 + (weight & 7)));
          const told = { score, whole: fit > 0.5, number: fit === 1 && grade === 3, named: fit === 1 && grade > 0 };
          if (!(best.get(page)?.score >= score)) best.set(page, told);
        }
      }
      for (const [page, told] of best) pages.set(page, [...(pages.get(page) ?? []), told]);
    });
    const counts = [...pages].filter(([page]) => kindOf(index, page) !== "page").map(([, all]) => all.length);
    const most = Math.max(0, ...[...pages.values()].map((all) => all.length));
    const least = counts.filter((count) => count === most).length < FEW ? Math.max(1, most - 1) : most;
    const found = [];
    for (const [page, all] of pages) {
      const kind = kindOf(index, page);
      if (all.length < (kind === "page" ? most : least)) continue;
      // A page that was asked for by its number comes first.
      const called = all.length === most && all.some(({ number }) => number) && all.every(({ named }) => named);
      // Other forms of a word come after the word as it was typed.
      const score = all.reduce((sum, one) => sum + one.score, 0) + 100 * all.every(({ whole }) => whole);
      found.push({ page, kind, all: all.length, score: called ? 5000 : score - 200 * PLACES[kind] + 2000 * (all.length - least) });
    }
    return found.sort((one, other) => other.score - one.score || one.page - other.page);
  };

  /* The word most like one that the index lacks, of those that begin alike: at most two letters differ; "" for none. */
  const likeliest = async (word) => {
    const distance = (one, other) => {
      let row = [...Array(other.length + 1).keys()];
      for (let at = 1; at <= one.length; at += 1) {
        const next = [at];
        for (let to = 1; to <= other.length; to += 1) {
          next.push(Math.min(row[to] + 1, next[to - 1] + 1, row[to - 1] + (one[at - 1] !== other[to - 1])));
        }
        row = next;
      }
      return row.at(-1);
    };
    const known = await part(`words/${await bucketOf(word)}.json`);
    const near = Object.entries(known).map(([other, pages]) => [distance(word, other), -pages.length, other]);
    near.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    return near.length && near[0][0] <= 2 ? near[0][2] : "";
  };

  /* What a result shows of a page: its address, name, title and text. */
  const entryOf = async ({ page, kind }) => {
    const { pages } = await fetched("index.json");
    const at = pages.findLastIndex((first) => first <= page);
    const [href, name, title, text] = (await part(`pages/${at}.json`))[page - pages[at]];
    return { href, name, title, text, kind };
  };

  // The dialog.

  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  /* A text as nodes, with the words that were asked for marked. */
  const marked = (text, words) => {
    const parts = [];
    let last = 0;
    for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
      if (!words.some((one) => fold(word).startsWith(one))) continue;
      parts.push(text.slice(last, index), make("mark", {}, word));
      last = index + word.length;
    }
    return [...parts, text.slice(last)];
  };

  /* A line of the text about the first word that was asked for. */
  const teaser = (text, words) => {
    const hit = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].find(({ 0: word }) =>
      words.some((one) => fold(word).startsWith(one)),
    );
    const from = hit && hit.index > 60 ? text.indexOf(" ", hit.index - 50) + 1 : 0;
    const until = text.length > from + AROUND ? text.lastIndexOf(" ", from + AROUND) : text.length;
    const cut = text.slice(from, until > from ? until : from + AROUND);
    return [from ? "… " : "", ...marked(cut, words), from + cut.length < text.length ? " …" : ""];
  };

  const field = make("input", { type: "search", placeholder: "A word, or the number of a rule", autocomplete: "off" });
  field.setAttribute("aria-label", "Search");
  const list = make("ol", {});
  const said = make("p", { className: "n-seek-said" });
  said.setAttribute("role", "status");
  const guide = make("button", { type: "button", className: "n-seek-more", hidden: true });
  guide.setAttribute("aria-pressed", "false");
  const more = make("button", { type: "button", className: "n-seek-more", hidden: true }, "Show more");
  const close = make("button", { type: "button", className: "n-seek-close" }, "Close");
  const form = make("form", { className: "n-seek-form" }, field, close);
  form.setAttribute("role", "search");
  const dialog = make("dialog", { className: "n-seek-dialog" }, form, said, guide, list, more);
  dialog.setAttribute("aria-label", "Search");
  document.body.append(dialog);

  const item = ({ href, name, title, text, kind }, words, revision) => {
    const link = make("a", { href: new URL(href, root).href + (revision ? `#r${revision}` : "") });
    const called = title ? [" ", make("span", {}, ...marked(title, words))] : [];
    link.append(make("span", { className: "n-num" }, name), ...called);
    const what = make("span", { className: "n-seek-kind" }, KINDS[kind] ?? "page");
    return make("li", {}, link, what, make("p", {}, ...teaser(text, words)));
  };

  let turn = 0;
  let inGuide = false;
  let ready = Promise.resolve();

  const show = async (count = SHOWN) => {
    turn += 1;
    const mine = turn;
    // `Rule 203/1` is a revision of Rule 203.
    const revision = /^\s*(?:rule\s+)?\d+\/(\d+)\s*$/i.exec(field.value)?.[1];
    const typed = wordsOf(revision ? field.value.replace(/\/.*/, "") : field.value);
    const telling = typed.filter((one) => !EMPTY.has(one));
    const words = telling.length ? telling : typed;
    const draw = (what, found = [], left = 0, apart = 0) => {
      said.textContent = what;
      guide.hidden = !apart;
      guide.textContent = inGuide ? "Back to the game" : `In the guide: ${apart}`;
      guide.setAttribute("aria-pressed", `${inGuide}`);
      list.replaceChildren(...found.map((one) => item(one, words, one.kind === "rule" ? revision : "")));
      more.hidden = left <= 0;
    };
    if (!words.length) {
      draw("");
      return;
    }
    try {
      const all = await search(words);
      if (mine !== turn) return;
      const written = all.filter(({ kind }) => kind === "page");
      const game = all.filter(({ kind }) => kind !== "page");
      if (!written.length) inGuide = false;
      const found = inGuide || !game.length ? written : game;
      const apart = game.length ? written.length : 0;
      const shown = await Promise.all(found.slice(0, count).map(entryOf));
      if (mine !== turn) return;
      const many = `${found.length} ${found.length === 1 ? "result" : "results"}`;
      draw(found.length ? many : `No result for “${field.value.trim()}”.`, shown, found.length - count, apart);
      const like = found.length ? "" : await likeliest(words.find((one) => !/\d/.test(one)) ?? words[0]);
      if (mine !== turn || !like) return;
      const again = make("button", { type: "button", className: "n-seek-more" }, like);
      again.addEventListener("click", () => globalThis.nomicSearch(like));
      said.append(" Did you mean ", again, "?");
    } catch (error) {
      if (mine === turn) draw(`The search could not be loaded (${error.message}).`);
    }
  };

  field.addEventListener("input", () => {
    inGuide = false;
    ready = show();
  });
  guide.addEventListener("click", () => {
    inGuide = !inGuide;
    ready = show();
  });
  more.addEventListener("click", async () => {
    const at = list.children.length;
    await (ready = show(at + 20));
    list.children[at]?.querySelector("a").focus();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await ready;
    list.querySelector("a")?.click();
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    // A result may lead to a part of the same page, and the dialog has to close. A click beside the dialog closes it, too.
    if (event.target === dialog || event.target.closest("li a")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const stops = [field, ...list.querySelectorAll("a")];
    stops.at((stops.indexOf(document.activeElement) + by) % stops.length).focus();
  });

  /* The addresses of the pages that have all words of a text, or another form of them. */
  globalThis.nomicFind = async (text) => {
    const words = wordsOf(text);
    const found = (await search(words)).filter(({ all }) => all === words.length);
    return new Set((await Promise.all(found.map(entryOf))).map(({ href }) => new URL(href, root).href));
  };

  /* Opens the search, with what was typed while it was loaded. */
  globalThis.nomicSearch = (typed) => {
    if (!dialog.open) dialog.showModal();
    if (typed) {
      field.value = typed;
      ready = show();
    } else {
      field.select();
    }
    fetched("index.json").catch(() => {});
  };
})();
