/* The verdict on a draft. `nomicChecker(addresses)` runs the program in a worker, which is loaded when it is first asked;
   `nomicVerdict(answer, acts, nobody)` makes sentences and buttons from its preview. All of it is put into the page as
   text, not as HTML. */
(() => {
  "use strict";

  const { make, rich } = globalThis.nomicMachine;

  /* The program in a worker. A call that takes more than `seconds` ends the worker; the next one starts another. */
  globalThis.nomicChecker = ({ worker, seconds = 60, ...addresses }) => {
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

  const listed = (title, lines) =>
    lines.length ? [make("h3", {}, title), make("ul", {}, ...lines.map((one) => make("li", {}, ...rich(one))))] : [];
  const rule = (number) => (number === null || number === undefined ? "" : ` (Rule ${number})`);
  const sentence = (words) => {
    const text = words.trim();
    return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
  };

  // Findings that ask the author a question: the words in place of the finding's help, those of the button that answers,
  // and the key and value that the button writes into the instruction's block.
  const WHOLE = { help: "To change a part of the rule, keep the rest of its text.", words: "I mean it word for word", key: "text", value: "whole" };
  const SAME = { help: "The program does not read the words. By this rule it would still do this, and no more:", words: "Leave that as it is", key: "meaning", value: "stands" };
  const ASKS = { "text-cut": WHOLE, "text-is-order": WHOLE, "provisions-kept": SAME, "provisions-differ": SAME };
  const GUIDED = "the reference of provisions";
  const finding = (one, { mend, show, mean, program, helpOf, reference }, saidOf) => {
    const asks = mean && ASKS[one.slug];
    const made = make("li", { className: `n-ws-finding n-ws-finding--${one.severity}` });
    // In the form a finding stands at its field, which needs no path of keys.
    const said = mean && one.slug === "provision-wrong" ? one.message.replace(/^\S+ (?=should )/, "this ") : one.message;
    const kind = one.severity === "error" ? "Not lawful: " : asks ? "A question: " : "Note: ";
    made.append(make("strong", {}, kind), ...(one.slug === "provisions-kept" && asks ? [] : rich(sentence(said))));
    if (one.rule !== null && one.rule !== undefined) made.append(rule(one.rule));
    const formHelp = helpOf(one);
    const help = asks ? asks.help : one.mending?.said || one.help;
    if (formHelp) made.append(" ", ...formHelp.flatMap((each) => (typeof each === "string" ? rich(sentence(each)) : [each])));
    else if (help) {
      const [before, ...after] = (asks ? help : sentence(help)).split(GUIDED);
      made.append(" ", ...rich(before), ...after.flatMap((words) => [make("a", { href: reference, target: "_blank", rel: "noopener" }, GUIDED), ...rich(words)]));
    }
    if (asks === SAME) {
      const { kept, come } = saidOf(one.line);
      made.append(make("ul", {}, ...[...kept, ...come].map((words) => make("li", {}, words))));
    }
    const button = (words, act, className = "n-button") => {
      const pressed = make("button", { type: "button", className }, words);
      pressed.addEventListener("click", act);
      made.append(" ", pressed);
    };
    if (asks === SAME) button("Change what the program does", () => program(one.line));
    if (asks) button(asks.words, () => mean(one.line, asks.key, asks.value));
    else if (one.mending?.edits?.length && !one.mending.asks && !formHelp) button("Mend it", () => mend(one.mending.edits));
    if (!mean) button(`line ${one.line}`, () => show(one.line), "n-ws-line");
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
      // A draft has no number yet: the one in the preview is that which it would get.
      const draft = /^proposals\/(?!\d)(.*)\.md$/.exec(one.file)?.[1];
      const name = draft ? `the draft ${draft}` : one.number ? `Proposal ${one.number}` : one.title ?? one.file;
      return [sentence(`If ${name} passes first, this becomes ${becomes.kind}${words ? `: ${words}` : ""}`)];
    });

  /* The kinds of change that votes can make now, and could not make afterwards. */
  const lostBy = ({ effects }) => effects.reach.filter((one) => one.before.possible && !one.after.possible);
  const tier = (name, noun) => `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name} ${noun}`;
  const changing = ({ verb, from, into }) =>
    `${verb} ${tier(from ?? into, "rule")}${from !== null && into !== null ? ` into ${tier(into, "one")}` : ""}`;
  const anyOf = (changes) => new Intl.ListFormat("en-GB", { type: "disjunction" }).format(changes.map(changing));
  const noLonger = (preview) => {
    const lost = lostBy(preview);
    return [...new Set(lost.map((one) => one.after.reason))].map((reason) =>
      sentence(`${anyOf(lost.filter((one) => one.after.reason === reason))}: ${reason}`));
  };

  /* A sentence that a lawful draft may not do what its author thinks; "" if there is no reason for doubt. */
  const doubt = (preview, findings, saidOf) => {
    const [lost] = preview.overruled;
    if (lost) return `Lawful, but part of it changes nothing: Rule ${lost.by} says otherwise, and prevails.`;
    if (preview.changeable && !preview.changeable.after && preview.changeable.before) return "Lawful, but afterwards no vote could change any rule: nobody could take it back.";
    // A cap that is reached is what its own rule says; what the draft's own rules forbid may be a slip.
    const own = new Set(preview.rules.flatMap((one) => (one.after ? [one.after.number] : [])));
    const barred = lostBy(preview).filter((one) => one.after.rules.some((number) => own.has(number)));
    if (barred.length) return `Lawful, but afterwards no vote could ${anyOf(barred)}.`;
    const asked = findings.filter((one) => ASKS[one.slug]);
    const unread = asked.find((one) => ASKS[one.slug] === SAME);
    if (unread) {
      const { kept, come } = saidOf(unread.line);
      if (come.length) return "Lawful, but a question is open: does the program do all that the text says?";
      // If the program does several things by the rule, it cannot know which of them the new words are about.
      const known = kept.length > 1 ? "what it does by this rule is listed below." : (kept[0] ?? "this rule has no part for it.");
      return `Lawful, but the program would go on as before: ${known}`;
    }
    return asked.length ? "Lawful, but a question is open: is this the rule’s whole text?" : "";
  };

  /* Returns `{tone, headline, findings, outcome}`: the colour of the headline, the headline, the findings with their nodes,
     and the nodes below. `acts` has the functions that buttons call. `nobody` is the placeholder for the author as long as
     nobody has said who proposes it, or "". */
  globalThis.nomicVerdict = ({ preview, refused }, acts, nobody) => {
    if (refused) return { tone: "bad", headline: sentence(refused.message), findings: [{ one: { line: 0, slug: "" }, node: make("li", {}, ...rich(sentence(refused.remedy))) }], outcome: [] };
    // Without an author, findings about the author are no news.
    const news = preview.findings.filter((one) => !nobody || !one.message.includes(nobody));
    const errors = news.filter((one) => one.severity === "error");
    const step = preview.next_step;
    const changed = preview.rules.filter((one) => one.before && one.after);
    /* The provisions, in sentences, that stay and that come in the rule that a line of the draft changes. */
    const saidOf = (line) => {
      const number = acts.ruleAt(line);
      const own = changed.filter((one) => number === null || one.before.number === number);
      const [kept, come] = ["kept", "come"].map((name) => own.flatMap((one) => one.sentences?.[name] ?? []));
      return { kept, come };
    };
    const waits = step && !step.lawful && !nobody ? `This is not possible now: ${sentence(step.words)}` : "";
    const doubts = doubt(preview, news, saidOf);
    const [tone, headline] = errors.length
      ? ["bad", `This cannot be carried out as it stands: ${errors.length === 1 ? "one thing" : `${errors.length} things`} to mend.`]
      : waits
        ? ["bad", waits]
        : doubts
          ? ["warn", doubts]
          : nobody
            ? ["", `So far this is lawful. ${acts.asksWho()}`]
            : ["good", "This is lawful as the rules stand. Whether it passes is for the votes."];
    // A provision that cannot be read is no provision that goes: what would follow from that is not said.
    const unread = errors.some((one) => one.slug.startsWith("provision-"));
    const all = unread ? errors : [...errors, ...news.filter((one) => one.severity !== "error"), ...preview.dangling];
    const own = new Set(preview.rules.flatMap((one) => (one.after ? [one.after.number] : [])));
    const needs = [...preview.needs].sort((one, other) => (parseInt(other.arithmetic, 10) || 0) - (parseInt(one.arithmetic, 10) || 0));
    return {
      tone,
      headline,
      findings: all.map((one) => ({ one, node: finding(one, acts, saidOf) })),
      outcome: unread ? [] : [
        ...listed("It would do this", preview.summary.map(sentence)),
        ...listed("Without effect", preview.overruled.map((one) =>
          sentence(`${one.what}: ${one.value.replace(/\.$/, "")}. Rule ${one.by} goes before it, and says ${one.decides}`))),
        ...listed("What the program does", preview.rules.flatMap((one) =>
          [...(one.sentences?.come ?? []).map((each) => `New: ${each}`), ...(one.sentences?.gone ?? []).map((each) => `No longer: ${each}`)])),
        ...listed("Another rule would decide then", preview.law.filter((one) => one.after && !own.has(one.after.rule)).map((one) =>
          sentence(`${one.what}: ${one.after.value} (Rule ${one.after.rule})`))),
        ...(errors.length ? [] : listed(needs.length > 1 ? "It needs all of this" : "It needs this", needs.map((one) =>
          `${one.arithmetic}. ${sentence(one.sentence)}${rule(one.rule)}`))),
        ...listed("Before its vote can open", preview.before_vote.map((one) => sentence(one.message))),
        ...(step && step.lawful ? listed("Its next step", [sentence(step.words), ...(step.remedy ? [sentence(step.remedy)] : [])]) : []),
        ...listed("Afterwards no vote could", noLonger(preview)),
        ...listed("It would bring about", effects(preview.effects)),
        ...listed("Other rules that name it", preview.references.map((one) =>
          `Rule ${one.rule} names Rule ${one.number}, which would be ${one.kind === "gone" ? "gone" : "another rule"}.`)),
        ...listed("With other proposals", meetings(preview.proposals)),
      ],
    };
  };
})();
