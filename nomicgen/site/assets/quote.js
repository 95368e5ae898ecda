/* Quotations. Selected words are copied with an address, `?quote=305/1:words`. Who opens it later reads whether the rule
   still has these words, or until when it had them, and what took their place. */
(() => {
  "use strict";

  const main = document.querySelector(".n-main[data-ref]");
  if (!main) return;
  const { load, make, elementOf, read, wrap, follow } = globalThis.nomicWords;
  const law = main.querySelector(":scope > .n-law");
  // The verbs of the lines that give a rule a text.
  const TEXTS = ["initial", "enact", "amend"];
  // A longer quotation (in characters) has in its address only so many words of each end.
  const LONG = 240;
  const ENDS = 8;
  // So many words that are found elsewhere in a text were moved there.
  const SURE = 4;
  const flat = (text) => text.trim().split(/\s+/).join(" ");
  const isLetter = (one) => one !== undefined && /[\p{L}\p{N}]/u.test(one);

  // To copy.

  const button = make("button", { type: "button", className: "n-button n-quote-copy", hidden: true }, "Copy quotation");
  const told = make("span", { className: "n-vh" });
  told.setAttribute("role", "status");
  law.after(button, told);

  /* The selected words of the law, and the box around them on the screen; null if none are selected. */
  const chosen = () => {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount || !main.dataset.ref) return null;
    const range = selection.getRangeAt(0);
    const { text, nodes } = read(law);
    const within = nodes.filter(({ node }) => range.intersectsNode(node));
    if (!within.length || !law.contains(range.commonAncestorContainer)) return null;
    const [first, last] = [within[0], within.at(-1)];
    let start = first.start + (first.node === range.startContainer ? range.startOffset : 0);
    let end = last.start + (last.node === range.endContainer ? range.endOffset : last.node.data.length);
    while (isLetter(text[start]) && isLetter(text[start - 1])) start -= 1;
    while (isLetter(text[end - 1]) && isLetter(text[end])) end += 1;
    const words = flat(text.slice(start, end));
    return words ? { words, box: range.getBoundingClientRect() } : null;
  };

  const show = () => {
    const found = chosen();
    button.hidden = !found;
    if (!found) return;
    button.textContent = "Copy quotation";
    const place = main.getBoundingClientRect();
    button.style.top = `${found.box.bottom - place.top + 6}px`;
    button.style.left = `${Math.max(0, Math.min(found.box.left - place.left, place.width - button.offsetWidth))}px`;
  };

  const quotation = (words) => {
    const parts = words.split(" ");
    const brief = words.length > LONG ? `${parts.slice(0, ENDS).join(" ")}…${parts.slice(-ENDS).join(" ")}` : words;
    const page = main.dataset.url ?? `${location.origin}${location.pathname}`;
    const address = `${page}?quote=${main.dataset.ref}:${encodeURIComponent(brief)}`;
    const game = document.querySelector('meta[property="og:site_name"]')?.content;
    return `“${words}” — ${[`Rule ${main.dataset.ref}`, game, address].filter(Boolean).join(", ")}`;
  };

  const write = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = make("textarea", { value: text });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("this browser lets no page copy");
    return null;
  };

  let pause = 0;
  document.addEventListener("selectionchange", () => {
    clearTimeout(pause);
    pause = setTimeout(show, 150);
  });
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", async () => {
    const found = chosen();
    if (!found) return;
    try {
      await write(quotation(found.words));
      button.textContent = told.textContent = "Copied";
    } catch (error) {
      button.textContent = told.textContent = `Not copied: ${error.message}`;
    }
  });

  // To open.

  /* Where words stand in a text: `{start, end}`, or null. Three dots stand for whatever is between. */
  const locate = (text, words) => {
    const literal = (part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const source = (part) => flat(part).split(" ").map(literal).join("\\s+");
    for (const pattern of [source(words), words.split("…").map(source).join("[^]*?")]) {
      const found = new RegExp(pattern, "u").exec(text);
      if (found) return { start: found.index, end: found.index + found[0].length };
    }
    return null;
  };

  const box = make("div", { className: "n-notice n-quote" });
  box.setAttribute("role", "status");
  const say = (...lines) => {
    box.replaceChildren(...lines.map((parts) => make("p", {}, ...parts)));
    if (!box.isConnected) law.before(box);
  };

  const light = (place) => {
    const [first] = wrap(read(law), place.start, place.end, () => make("mark", { className: "n-quoted" }));
    first?.scrollIntoView({ block: "nearest" });
  };

  const linked = (href, words) => make("a", { className: "n-ref", href: `${main.dataset.root}${href}` }, words);
  /* The line that ended a text: `Proposal 301 (Ada), Jun 10, 2020 (R1T1), adopted 5–0`. */
  const endOf = (one) => {
    const outcome = `${one.outcome ? `, ${one.outcome}` : ""}.`;
    const after = one.by ? one.line.split(one.by)[1] : undefined;
    if (after === undefined) return [one.line, outcome];
    return [one.verb === "repeal" ? "the rule was repealed by " : "", linked(one.url, one.by), after, outcome];
  };

  /* Returns how long a passage stood: `at` is the index of the last text that has it, and `next` that of the text that
     has it no more, with `instead` in its place. While it stands, `next` is null, and `start` and `end` say where it is. */
  const fate = (texts, index, place, words) => {
    let [at, { start, end }] = [index, place];
    for (let next = at + 1; next < texts.length; next += 1) {
      if (texts[next] === null) continue;
      const found = follow(texts[at], texts[next], start, end);
      // Many words that stand elsewhere were moved. Few may stand there by chance.
      const moved = !found.whole && words.split(" ").length >= SURE ? locate(texts[next], words) : null;
      if (!found.whole && !moved) return { at, next, instead: flat(texts[next].slice(found.start, found.end)) };
      ({ start, end } = moved ?? found);
      at = next;
    }
    return { at, next: null, start, end };
  };

  const open = async (ref, words) => {
    const data = await load(main.dataset.life);
    const base = new URL(main.dataset.root + data.url, location);
    const texts = data.revisions.map((one) => (one.text === null ? null : read(elementOf(one.html, base)).text));
    let index = -1;
    const lines = data.entries.map((one, at) => {
      index += TEXTS.includes(one.verb);
      return { ...one, at, ref: `${one.number}/${one.revision}`, text: index };
    });
    const named = (one) => one.ref === ref && texts[one.text] !== null && locate(texts[one.text], words);
    index = lines.findLast(named)?.text ?? -1;
    const quoted = ["Quoted from Rule ", make("strong", {}, ref), ": ", make("q", {}, words)];
    if (index < 0) {
      say(quoted, [`This page finds no such words in Rule ${ref}.`]);
      return;
    }
    const found = fate(texts, index, locate(texts[index], words), words);
    const written = lines.filter((one) => TEXTS.includes(one.verb));
    const ended = found.next === null ? data.status === "repealed" && lines.at(-1) : written[found.next];
    if (!ended) {
      const last = `${data.number}/${data.revision}`;
      say(quoted, [make("strong", {}, "These words stand"), ", in ", linked(data.url, `Rule ${last}`), data.status === "void" ? ", which is void." : ", the text in force."]);
      if (main.dataset.ref === last) {
        const { text } = read(law);
        light(text === texts.at(-1) ? found : (locate(text, words) ?? found));
      }
      return;
    }
    const instead = found.instead ? ["In their place: ", make("ins", {}, found.instead)] : ["Nothing stands in their place."];
    const until = [make("strong", {}, "These words stood until"), " ", ...endOf(ended)];
    say(quoted, until, ended.verb === "repeal" ? [] : instead);
    const here = main.dataset.ref === ref && locate(read(law).text, words);
    if (here) light(here);
    else {
      const there = `${main.dataset.root}${written[index].page}?quote=${ref}:${encodeURIComponent(words)}`;
      box.lastChild.append(" ", make("a", { className: "n-button", href: there }, `Show ${ref}, which was quoted`));
    }
  };

  const asked = /^(\d+\/\d+):([^]+)$/.exec(new URLSearchParams(location.search).get("quote") ?? "");
  if (asked) open(asked[1], flat(asked[2])).catch((error) => say([`The quotation could not be looked up (${error.message}).`]));
})();
