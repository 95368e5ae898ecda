/* Redlines of words, by the same rules as `history/redline.py`. Words are compared, never parts of words. A blank is no
   change, but the end of a paragraph, list item or row is. Deleted words stand before the words in their place.
   `nomicRedline(old, new)` returns segments `{kind, text, old, new}`: `text` is what is shown, the `old` of all segments
   together is the old text, and their `new` the new one. */
(() => {
  "use strict";

  // A word: blanks, letters and digits with marks within them (`don't`, `1,000`, `50%`), or a single mark.
  const LETTERS = String.raw`[\p{L}\p{N}_]+`;
  const WITHIN = String.raw`(?:['’‐‑-]|(?<=\p{Nd})[.,:/–](?=\p{Nd}))`;
  const WORD = new RegExp(String.raw`\s+|${LETTERS}(?:${WITHIN}${LETTERS})*(?:(?<=\p{Nd})%)?|[^\p{L}\p{N}_\s]`, "gu");
  // A mark of Markdown that begins a block, and a blank line between two paragraphs.
  const BLOCK = /(?:[-*+]|\d{1,9}[.)]|#{1,6})(?=\s)|[|>]|```|~~~/y;
  const PARTING = /(\s*\n[^\S\n]*\n\s*)/;
  // The keys by which all blanks are the same, and all ends of blocks.
  const BLANK = " ";
  const BREAK = "\n";
  // With more pairs of words than these, paragraphs are compared instead: words would take too long.
  const LARGE = 10_000_000;

  const wordsOf = (text) => {
    const found = [];
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (word.trim()) {
        found.push({ key: word, text: word });
        continue;
      }
      found.push({ key: BLANK, text: word });
      BLOCK.lastIndex = index + word.length;
      const lines = word.split("\n").length;
      if (lines > 2 || (lines > 1 && BLOCK.test(text))) found.push({ key: BREAK, text: "" });
    }
    return found;
  };

  const paragraphsOf = (text) =>
    text.split(PARTING).flatMap((part, index) => {
      if (index % 2) return [{ key: BLANK, text: part }, { key: BREAK, text: "" }];
      return part ? [{ key: part.trim().split(/\s+/).join(" "), text: part }] : [];
    });

  /* Returns where the shortest way from one row of numbers to another can be divided in two: Myers, “An O(ND) difference
     algorithm”, from both ends at once. Null if the two have nothing in common. */
  const middle = (old, fresh) => {
    const [width, height] = [old.length, fresh.length];
    const most = Math.ceil((width + height) / 2);
    const size = 2 * most + 2;
    const [front, back] = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
    front[most + 1] = back[most + 1] = 0;
    const delta = width - height;
    const odd = delta % 2 !== 0;
    const edge = { front: [0, 0], back: [0, 0] };

    const advance = (steps, reached, other, edges, meets, forward) => {
      for (let k = -steps + edges[0]; k <= steps - edges[1]; k += 2) {
        const at = most + k;
        const down = k === -steps || (k !== steps && reached[at - 1] < reached[at + 1]);
        let x = down ? reached[at + 1] : reached[at - 1] + 1;
        let y = x - k;
        while (
          x < width && y < height &&
          (forward ? old[x] === fresh[y] : old[width - x - 1] === fresh[height - y - 1])
        ) {
          x += 1;
          y += 1;
        }
        reached[at] = x;
        if (x > width) edges[1] += 2;
        else if (y > height) edges[0] += 2;
        else if (meets) {
          const across = most + delta - k;
          if (across < 0 || across >= size || other[across] === -1) continue;
          if (x >= width - other[across]) return forward ? [x, y] : [other[across], most + other[across] - across];
        }
      }
      return null;
    };

    for (let steps = 0; steps < most; steps += 1) {
      const found =
        advance(steps, front, back, edge.front, odd, true) ?? advance(steps, back, front, edge.back, !odd, false);
      if (found) return found;
    }
    return null;
  };

  /* The stretches of the shortest way, as [kind, count]: 0 equal, -1 of the old alone, 1 of the new alone. */
  const waysOf = (old, fresh) => {
    const least = Math.min(old.length, fresh.length);
    let start = 0;
    while (start < least && old[start] === fresh[start]) start += 1;
    let end = 0;
    while (end < least - start && old[old.length - end - 1] === fresh[fresh.length - end - 1]) end += 1;
    const [left, right] = [old.subarray(start, old.length - end), fresh.subarray(start, fresh.length - end)];
    const parted = left.length && right.length ? middle(left, right) : null;
    const between = parted
      ? [
          ...waysOf(left.subarray(0, parted[0]), right.subarray(0, parted[1])),
          ...waysOf(left.subarray(parted[0]), right.subarray(parted[1])),
        ]
      : [[-1, left.length], [1, right.length]];
    return [[0, start], ...between, [0, end]].filter(([, count]) => count);
  };

  /* Returns stretches `{equal, pairs}`, of equal and of changed words in turn. A pair is [old word, new word]; in a changed
     stretch, one of them is null. */
  const compared = (before, after) => {
    const numbers = new Map();
    const coded = [before, after].map((words) =>
      Int32Array.from(words, ({ key }) => numbers.get(key) ?? numbers.set(key, numbers.size).size - 1),
    );
    const found = [];
    let [left, right] = [0, 0];
    for (const [kind, count] of waysOf(...coded)) {
      const pairs = Array.from({ length: count }, () => [
        kind > 0 ? null : before[left++],
        kind < 0 ? null : after[right++],
      ]);
      const last = found.at(-1);
      if (last && last.equal === !kind) last.pairs.push(...pairs);
      else found.push({ equal: !kind, pairs });
    }
    return found;
  };

  const textOf = (words) => words.map((one) => one?.text ?? "").join("");
  const sideOf = (pairs, side) => pairs.map((pair) => pair[side]);
  const countOf = (pairs, side) => textOf(sideOf(pairs, side)).split(/\s+/).filter(Boolean).length;
  const hasWords = (pairs) => pairs.some((pair) => pair.some((one) => one?.text.trim()));

  /* Whether the equal words between two changes (`bridge`) are so few that the two are better read as one change. */
  const isSlight = (bridge, before, after) => {
    if (bridge.some(([one]) => one?.key === BREAK) || !hasWords(before) || !hasWords(after)) {
      return !textOf(sideOf(bridge, 0)) && !textOf(sideOf(bridge, 1));
    }
    const count = countOf(bridge, 0);
    return count === 0 || (count === 1 && countOf(before, 0) + countOf(before, 1) > 2);
  };

  const merged = (stretches) => {
    const found = [];
    for (const { equal, pairs } of stretches) {
      const [run, bridge] = [found.at(-2), found.at(-1)];
      if (!equal && run && !run.equal && isSlight(bridge.pairs, run.pairs, pairs)) {
        found.pop();
        run.pairs.push(...bridge.pairs, ...pairs);
      } else found.push({ equal, pairs });
    }
    return found;
  };

  /* Returns the blanks before some words, the words without the blanks and breaks at their ends, and the blanks after. */
  const bare = (words) => {
    let [start, end] = [0, words.length];
    if (words[0]?.key === BLANK) start = words[1]?.key === BREAK ? 2 : 1;
    if (end > start && words[end - 1].key === BLANK) end -= 1;
    else if (end > start + 1 && words[end - 1].key === BREAK && words[end - 2].key === BLANK) end -= 2;
    return [textOf(words.slice(0, start)), words.slice(start, end), textOf(words.slice(end))];
  };

  /* The text of words as it is shown. A break without its blank could not be seen, so it is shown as ¶. */
  const shown = (words) =>
    words.map((one, index) => (one.key === BREAK && words[index - 1]?.key !== BLANK ? "¶" : one.text)).join("");

  const segmentsOf = ({ equal, pairs }) => {
    const [old, fresh] = [0, 1].map((side) => sideOf(pairs, side).filter(Boolean));
    if (equal) return [{ kind: "equal", text: textOf(fresh), old: textOf(old), new: textOf(fresh) }];
    const [[lead, gone, tail], [first, come, last]] = [bare(old), bare(fresh)];
    return [
      { kind: "equal", text: first || lead, old: lead, new: first },
      { kind: "delete", text: shown(gone), old: textOf(gone), new: "" },
      { kind: "insert", text: shown(come), old: "", new: textOf(come) },
      { kind: "equal", text: last || tail, old: tail, new: last },
    ].filter((one) => one.text || one.old || one.new);
  };

  const redline = (old, fresh) => {
    let [before, after] = [wordsOf(old), wordsOf(fresh)];
    if (before.length * after.length > LARGE) [before, after] = [paragraphsOf(old), paragraphsOf(fresh)];
    const found = [];
    for (const one of merged(compared(before, after)).flatMap(segmentsOf)) {
      const last = found.at(-1);
      if (last?.kind === one.kind) for (const name of ["text", "old", "new"]) last[name] += one[name];
      else found.push(one);
    }
    return found;
  };

  globalThis.nomicRedline = redline;
})();
