/* What the program says of a draft. `nomicChecker(addresses, heard)` runs it in a worker that is loaded when it is first
   asked; `nomicVerdict(answer, acts)` makes of a preview what a person reads. All of it is put into the page as text. */
(() => {
  "use strict";

  const { make } = globalThis.nomicMachine;

  /* A program in a worker. A call that takes too long ends the worker; the next one starts another. */
  globalThis.nomicChecker = ({ worker, seconds = 10, ...addresses }) => {
    let running = null;
    const launch = async () => {
      const answer = await fetch(worker);
      if (!answer.ok) throw new Error(`${worker}: ${answer.status}`);
      const address = URL.createObjectURL(new Blob([await answer.text()], { type: "text/javascript" }));
      const made = new Worker(address, { type: "module" });
      URL.revokeObjectURL(address);
      const waiting = new Map();
      let next = 0;
      const fail = (words) => {
        for (const one of waiting.values()) one.failed(new Error(words));
        waiting.clear();
      };
      made.addEventListener("message", ({ data: { id, said, failed } }) => {
        const one = waiting.get(id);
        waiting.delete(id);
        if (failed === undefined) one?.done(said);
        else one?.failed(new Error(failed));
      });
      made.addEventListener("error", (event) => fail(event.message || "the checker did not start"));
      const ask = (call, ...texts) =>
        new Promise((done, failed) => {
          waiting.set(next, { done, failed });
          made.postMessage({ id: next++, call, texts });
        });
      const end = (words) => {
        made.terminate();
        running = null;
        fail(words);
      };
      await ask("start", addresses);
      return { ask, end };
    };
    const start = () => (running ??= launch().catch((error) => {
      running = null;
      throw error;
    }));
    const ask = async (call, ...texts) => {
      const { ask: put, end } = await start();
      const late = setTimeout(() => end(`this took more than ${seconds} seconds, and was stopped`), seconds * 1000);
      try {
        return JSON.parse(await put(call, ...texts));
      } finally {
        clearTimeout(late);
      }
    };
    return { start, ask };
  };

  /* Words in which code stands in backquotes, as nodes. */
  const rich = (words) =>
    words.split("`").map((part, place) => (place % 2 ? make("code", {}, part) : part)).filter((part) => part !== "");
  const listed = (title, lines) =>
    lines.length ? [make("h3", {}, title), make("ul", {}, ...lines.map((one) => make("li", {}, ...rich(one))))] : [];
  const rule = (number) => (number === null || number === undefined ? "" : ` (Rule ${number})`);
  const sentence = (words) => {
    const text = words.trim();
    return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
  };

  // What answers a finding that asks: the words of its button, and the key that it writes into the block.
  const WHOLE = ["I mean it word for word", "text", "whole"];
  const SAME = ["It means the same", "meaning", "stands"];
  const ANSWERS = { "text-cut": WHOLE, "text-is-order": WHOLE, "provisions-kept": SAME, "provisions-differ": SAME, "guard-asked": SAME };
  const finding = (one, { mend, show, mean, follow }) => {
    const made = make("li", { className: `n-ws-finding n-ws-finding--${one.severity}` });
    made.append(make("strong", {}, one.severity === "error" ? "Not lawful: " : "Note: "), ...rich(sentence(one.message)));
    if (one.rule !== null && one.rule !== undefined) made.append(rule(one.rule));
    const help = one.mending?.said || one.help;
    if (help) made.append(" ", ...rich(sentence(help)));
    const place = make("button", { type: "button", className: "n-ws-line" }, `line ${one.line}`);
    place.addEventListener("click", () => show(one.line));
    made.append(" ", place);
    const button = (words, act) => {
      const pressed = make("button", { type: "button", className: "n-button" }, words);
      pressed.addEventListener("click", act);
      made.append(" ", pressed);
    };
    if (mean && follow?.[one.line]) button("Let the program’s part follow the text", () => mean(one.line, "provisions", follow[one.line]));
    if (mean && ANSWERS[one.slug]) {
      const [words, key, value] = ANSWERS[one.slug];
      button(words, () => mean(one.line, key, value));
    }
    else if (one.mending?.edits?.length && !one.mending.asks) button("Mend it", () => mend(one.mending.edits));
    return made;
  };

  const side = (said) => (Array.isArray(said) ? said.join(", ") : said) || "nothing";
  const effects = (said) =>
    said.differences.map((one) =>
      sentence(`${one.what}${one.player ? ` of ${one.player}` : ""}: ${side(one.before)} → ${side(one.after)}`));
  const meetings = (said) =>
    said.flatMap((one) => {
      const becomes = one.this_after;
      if (!becomes || becomes.kind === "independent") return [];
      const words = [...becomes.findings.map((each) => each.message), ...becomes.differences].join("; ");
      return [sentence(`If ${one.number ? `Proposal ${one.number}` : one.title ?? one.file} passes first, this becomes ${becomes.kind}${words ? `: ${words}` : ""}`)];
    });

  /* `{headline, findings, outcome}`: a sentence, and two lists of nodes. */
  globalThis.nomicVerdict = ({ preview, refused, likely }, acts, nobody) => {
    if (refused) return { good: false, headline: sentence(refused.message), findings: [sentence(refused.remedy)], outcome: [] };
    // As long as nobody has said who proposes it, what is wrong with the author is no news.
    const news = preview.findings.filter((one) => !nobody || !one.message.includes(nobody));
    const errors = news.filter((one) => one.severity === "error");
    const step = preview.next_step;
    const headline = errors.length
      ? `This cannot be carried out as it stands: ${errors.length === 1 ? "one thing" : `${errors.length} things`} to mend.`
      : step && !step.lawful && !nobody
        ? `This is not possible now: ${sentence(step.words)}`
        : nobody
          ? "So far this is lawful. Choose who you are."
          : "This is lawful as the rules stand. Whether it passes is for the votes.";
    const all = [...errors, ...news.filter((one) => one.severity !== "error"), ...preview.dangling];
    const words = make("ul", {}, ...all.map((one) => finding(one, { ...acts, follow: likely })));
    const warns = preview.changeable && !preview.changeable.after && preview.changeable.before
      ? ["Afterwards no vote could change any rule: nobody could take this back."]
      : [];
    return {
      good: preview.legal,
      headline,
      findings: all.length ? [words] : [],
      outcome: [
        ...warns.map((one) => make("p", { className: "n-ws-warn" }, one)),
        ...listed("It would do this", preview.summary.map(sentence)),
        ...listed("It needs", preview.needs.map((one) => `${sentence(one.sentence)} That is ${one.arithmetic}${rule(one.rule)}.`)),
        ...listed("Before its vote can open", preview.before_vote.map((one) => sentence(one.message))),
        ...(step && step.lawful ? listed("Its next step", [sentence(step.words), ...(step.remedy ? [sentence(step.remedy)] : [])]) : []),
        ...listed("A program would read", preview.rules.flatMap((one) =>
          [...(one.sentences?.come ?? []).map((each) => `New: ${each}`), ...(one.sentences?.gone ?? []).map((each) => `No longer: ${each}`)])),
        ...listed("The law would say otherwise", preview.law.map((one) =>
          sentence(`${one.what}: ${one.before?.value ?? "nothing"} → ${one.after?.value ?? "nothing"}`))),
        ...listed("It would bring about", effects(preview.effects)),
        ...listed("References that would lead elsewhere", preview.references.map((one) =>
          `Rule ${one.rule} names Rule ${one.number}, which would be ${one.kind === "gone" ? "gone" : "another rule"}.`)),
        ...listed("With other proposals", meetings(preview.proposals)),
      ],
    };
  };
})();
