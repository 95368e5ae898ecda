/* Texts of rules as elements of a page. `nomicWords.read(element)` returns the words of one, `mark(old, fresh)` makes a
   redline of two, and `follow` finds what became of a passage. `load(address)` fetches a document in JSON, and the script
   that `mark` and `follow` need (`redline.js`). */
(() => {
  "use strict";

  const BLOCK = /^(?:P|LI|UL|OL|DL|DT|DD|TABLE|THEAD|TBODY|TR|TD|TH|BLOCKQUOTE|PRE|H[1-6]|DIV|HR|FIGURE)$/;
  const GAP = "\n\n";
  const here = document.currentScript.src;

  const script = (name) =>
    new Promise((done, failed) => {
      const made = document.createElement("script");
      made.src = new URL(name, here);
      made.addEventListener("load", done);
      made.addEventListener("error", () => failed(new Error(`${name} could not be loaded`)));
      document.head.append(made);
    });
  const fetched = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer.json();
  };
  let compares = null;
  const load = async (address) => {
    const [data] = await Promise.all([fetched(address), (compares ??= script("redline.js"))]);
    return data;
  };

  /* An element; its attributes as properties; its children nodes or words. */
  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  /* A text of a rule as an element. Its HTML was sanitised when the site was made; its links are relative to `base`. */
  const elementOf = (html, base) => {
    const made = make("div", { innerHTML: html });
    for (const one of made.querySelectorAll("a[href]")) one.href = new URL(one.getAttribute("href"), base);
    for (const one of made.querySelectorAll("img[src]")) one.src = new URL(one.getAttribute("src"), base);
    return made;
  };

  /* Returns the words of an element, with blank lines between blocks, and the nodes of the text, each with the place at
     which it begins: `{text, nodes: [{node, start}]}`. */
  const read = (root) => {
    const nodes = [];
    let text = "";
    let parted = false;
    const walk = (parent) => {
      for (const one of parent.childNodes) {
        const block = BLOCK.test(one.nodeName);
        parted ||= block || one.nodeName === "BR";
        if (one.nodeType !== Node.TEXT_NODE) walk(one);
        else if (one.data.trim() || !(parted || !text || /^(?:UL|OL|TABLE|T[RHB]\w*)$/.test(parent.nodeName))) {
          if (parted && text) text += GAP;
          parted = false;
          nodes.push({ node: one, start: text.length });
          text += one.data;
        }
        parted ||= block;
      }
    };
    walk(root);
    return { text, nodes };
  };

  /* Wraps the words from `start` to `end` in elements that `newElement` makes, one for each node, and returns these. */
  const wrap = ({ nodes }, start, end, newElement) => {
    const found = [];
    for (const { node, start: first } of [...nodes].reverse()) {
      const [from, to] = [Math.max(start - first, 0), Math.min(end - first, node.data.length)];
      if (from >= to || !node.data.slice(from, to).trim()) continue;
      if (to < node.data.length) node.splitText(to);
      const words = from ? node.splitText(from) : node;
      const one = newElement();
      words.replaceWith(one);
      one.append(words);
      found.unshift(one);
    }
    return found;
  };

  /* The block that holds a node, or the table if it is in one. */
  const leafOf = (node, root) => {
    let one = node.parentElement;
    while (one !== root && !BLOCK.test(one.tagName)) one = one.parentElement;
    return one.closest("table") && root.contains(one.closest("table")) ? one.closest("table") : one;
  };

  /* Puts the words from `start` to `end` of `was` back as deleted, at the place `at` of the text in `root`: whole
     paragraphs between the others, other words into the line. */
  const restore = (root, { nodes }, at, was, start, end) => {
    const next = nodes.find((one) => one.start >= at);
    const last = nodes.findLast((one) => one.start < at);
    const outer = (node) => (node.parentElement.tagName === "INS" ? node.parentElement : node);
    let place = start;
    for (const part of was.slice(start, end).split(GAP)) {
      const [first, after] = [place, place + part.length];
      place = after + GAP.length;
      if (!part.trim()) continue;
      const begins = first === 0 || was.slice(0, first).endsWith(GAP);
      const ends = after === was.length || was.startsWith(GAP, after);
      const gone = make("del", {}, part);
      if (begins && ends) {
        const leaf = next && leafOf(next.node, root);
        const block = make(leaf && leaf.tagName === "LI" ? "li" : "p", {}, gone);
        if (!leaf || leaf === root) root.append(block);
        else leaf.before(block);
        continue;
      }
      if (begins && next) {
        outer(next.node).before(gone);
        if (next.start > at) gone.after(" ");
      } else if (last) {
        const offset = at - last.start;
        const blank = /\s/.test(was[first - 1] ?? "") && !/\s/.test(last.node.data[offset - 1] ?? "");
        if (offset < last.node.data.length) last.node.splitText(offset).before(gone);
        else outer(last.node).after(gone);
        if (blank) gone.before(" ");
      } else root.prepend(gone);
      // Inserted words follow the deleted ones without a blank; other words follow after a blank.
      const follows = gone.nextSibling;
      const apart = follows && follows.nodeName !== "INS" && /^\S/.test(follows.textContent);
      if (apart && /\s/.test(was[after] ?? "")) gone.after(" ");
    }
  };

  /* Marks in `fresh` the words that `old` lacks, and puts back those that only `old` has. With `only`, it puts none back,
     and marks with `<mark>`. */
  const mark = (old, fresh, only = false) => {
    const [was, is] = [read(old), read(fresh)];
    const edits = [];
    let [gone, come] = [0, 0];
    for (const one of globalThis.nomicRedline(was.text, is.text)) {
      if (one.kind !== "equal") edits.push({ kind: one.kind, gone, come, ...{ old: one.old.length, fresh: one.new.length } });
      gone += one.old.length;
      come += one.new.length;
    }
    for (const one of edits.reverse()) {
      if (one.kind === "insert") {
        wrap(is, one.come, one.come + one.fresh, () => make(only ? "mark" : "ins", { className: only ? "n-came" : "" }));
      } else if (!only) restore(fresh, is, one.come, was.text, one.gone, one.gone + one.old);
    }
    return fresh;
  };

  /* Returns what becomes of the words from `start` to `end` of a text in the next one: where they are there, `{start,
     end}`, and whether they are unchanged (`whole`). */
  const follow = (text, next, start, end) => {
    let [old, fresh, from, to, whole, cut] = [0, 0, null, null, true, false];
    for (const one of globalThis.nomicRedline(text, next)) {
      const [after, then] = [old + one.old.length, fresh + one.new.length];
      if (one.kind === "equal") {
        if (from === null && start < after) from = Math.min(fresh + Math.max(start - old, 0), then);
        if (old < end && end <= after) to = Math.min(fresh + end - old, then);
      } else if (one.kind === "delete") {
        if (old < end && start < after) whole = false;
        if (from === null && start < after) from = fresh;
        cut = old < end && end <= after;
        if (cut) to = fresh;
      } else if (start < old && old < end) whole = false;
      // Words that were inserted in the place of the last words belong to what replaced them.
      else if (cut) to = then;
      cut &&= one.kind === "delete";
      [old, fresh] = [after, then];
    }
    return { start: from ?? fresh, end: Math.max(to ?? fresh, from ?? fresh), whole };
  };

  globalThis.nomicWords = { fetched, load, make, elementOf, read, wrap, mark, follow };
})();
