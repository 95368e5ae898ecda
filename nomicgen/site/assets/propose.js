/* The workshop's form. It makes the file of a proposal from what a player chooses and types. The file is judged by the
   program meanwhile, kept in this browser, and handed to the forge's editor. This script itself sends nothing. */
(async () => {
  "use strict";

  const main = document.getElementById("workshop");
  if (!main) return;
  const { form: machine, incomplete, written, make, bare } = globalThis.nomicMachine;
  const at = (address) => new URL(address, location).href;
  const fetched = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer.json();
  };
  const find = (selector) => main.querySelector(selector);
  const data = await fetched(main.dataset.draft);
  const checker = await fetched(main.dataset.checker).catch(() => ({}));
  const rules = new Map(data.rules.map((one) => [one.number, one]));
  const titled = data.rules.some((one) => one.title);
  const host = data.forge && new URL(data.forge).hostname;
  // The page's link to the forge's editor with the file of somebody who joins; null where there is none.
  const join = find("#ws-id-help a");
  const site = new URL(main.dataset.root, location).pathname;
  // In milliseconds: how long nobody types before the draft is judged, and how long judging takes before the page says so.
  const WAIT = 300;
  const SLOW = 1000;
  // The longest address that forges take, in characters.
  const LONGEST = 6000;
  // The most other drafts that are listed.
  const SHOWN = 5;
  // The author in the file as long as none is chosen.
  const NOBODY = "your-id";

  const hash = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);

  /* The game's repository on the forge, and the pull request that the address names. Anybody may have written that: it gives
     a number and the path of a proposal, and nothing else of a link. */
  const forge = data.forge && /^https?:\/\/[^/]+\/[^/]+\/[^/]+/.exec(data.forge)?.[0];
  const pulled = () => {
    const number = forge && /^[1-9]\d{0,8}$/.exec(hash.get("pull") ?? "")?.[0];
    return number ? { number, path: /^proposals\/[a-z0-9-]+\.md$/.exec(hash.get("path") ?? "")?.[0] ?? "" } : null;
  };

  // --- what is kept in this browser: a draft for each tab, so that two tabs do not write over each other
  const KEY = `nomic-drafts:${site}:${data.game}`;
  const kept = (store, key, otherwise) => {
    try {
      return JSON.parse(store.getItem(key)) ?? otherwise;
    } catch {
      return otherwise;
    }
  };
  const keep = (store, key, said) => {
    try {
      store.setItem(key, JSON.stringify(said));
    } catch {
      // The form works without storage, too.
    }
  };
  const drafts = () => kept(localStorage, KEY, {});
  const day = (at, time) => new Intl.DateTimeFormat("en", { dateStyle: "medium", ...time }).format(new Date(at));
  const newName = () => `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
  // The name under which this tab's draft is kept.
  let own = kept(sessionStorage, KEY, null) ?? newName();
  const forget = (name) => {
    const all = drafts();
    delete all[name];
    keep(localStorage, KEY, all);
  };

  /* The state of an empty form, and an empty change in it. `raw` is the file's text once it is edited as a file, `pull`
     the pull request to which the draft belongs, and its file there. */
  const fresh = () => ({ author: kept(localStorage, `nomic:${site}`, {})?.me ?? "", id: "", title: "", why: "", raw: null, pull: null, sent: null, changes: [] });
  let state = fresh();
  const blank = (said = {}) => ({ way: "amend", rule: null, ref: null, into: "", heading: "", text: "", provisions: {}, keys: {}, ...said });
  /* The state of the form from a link. Anybody may have written the link, so each field takes only a value that the form
     itself could give. */
  const linked = (said) => {
    const line = (text) => `${text ?? ""}`.replace(/\s+/g, " ");
    const change = (one) => blank({
      way: ["amend", "enact", "repeal", "transmute", "retitle", "free"].find((way) => way === one.way) ?? "amend",
      rule: Number.isInteger(one.rule) ? one.rule : null,
      ref: /^\d+\/\d+$/.test(one.ref) ? one.ref : (rules.get(one.rule)?.ref ?? null),
      into: data.tiers.find((tier) => tier === one.into) ?? "",
      heading: line(one.heading),
      text: `${one.text ?? ""}`,
      provisions: Object.fromEntries(Object.entries(one.provisions ?? {}).filter(([name]) => Object.hasOwn(data.kinds, name))),
      keys: Object.fromEntries([["text", "whole"], ["meaning", "stands"]].filter(([key, value]) => one.keys?.[key] === value)),
    });
    const changes = said.changes.map(change);
    // This throws if the provisions do not fit the schemas.
    for (const one of changes) machine(data, one.provisions, () => {});
    const author = ["?", ...data.players.map((one) => one.id)].find((one) => one === said.author) ?? "";
    return { ...fresh(), author, id: /^[a-z0-9-]*$/.exec(said.id ?? "")?.[0] ?? "", title: line(said.title), why: `${said.why ?? ""}`, changes };
  };
  const restored = (said) => ({ ...fresh(), ...said, changes: said.changes.map(blank) });
  const isBlank = (said) => said.raw === null && !said.why && !said.title && !said.changes.some((one) => one.rule !== null || one.text.trim() || one.heading.trim() || Object.keys(one.provisions).length);
  /* Keeps a draft in this browser under a name. */
  const put = (name, said) => keep(localStorage, KEY, { ...drafts(), [name]: { at: Date.now(), base: data.ledger_digest, title: titleOf(said), state: said } });
  /* The tiers that a rule could be moved to. If no vote can move it now, all others: the program then says what prevents it. */
  const tiersFor = (rule) => {
    const now = rule.ways.filter((one) => one.verb === "transmute").map((one) => one.into);
    return now.length ? now : data.tiers.filter((tier) => tier !== rule.tier);
  };
  /* A new change of a rule, with its present text and provisions. */
  const changeOf = (number, way = "amend") => {
    const rule = rules.get(number);
    return blank({ way, rule: number, ref: rule.ref, text: rule.text ?? "", provisions: structuredClone(rule.provisions), into: tiersFor(rule)[0] ?? "" });
  };

  // --- the file, as the program's samples have it
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  /* A text without blank lines at its ends; its first line may be indented. */
  const trimmed = (text) => text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
  /* Which lines of a text begin with `## `, as a list of booleans; not those in a fence. */
  const headed = (text) => {
    let fence = "";
    return text.split("\n").map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
      if (!fence) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = "";
      return !fence && line.startsWith("## ");
    });
  };
  const isHeaded = (text) => headed(text).includes(true);
  /* An instruction of a heading, the keys of its block and a text. */
  const instruction = (heading, text, keys) => {
    const [first, block] = data.instruction.split("\n\n");
    return [first.replace("Amend Rule RULE", () => heading), keys && block.replace("# BLOCK\n", () => keys), trimmed(text) || data.text]
      .filter(Boolean)
      .join("\n\n");
  };
  const headingOf = (one) => {
    const rule = rules.get(one.rule);
    const way = rule?.ways.find((each) => each.verb === one.way && (one.way !== "transmute" || each.into === one.into));
    const into = one.way === "transmute" ? ` to ${one.into}` : "";
    return (way?.heading ?? `${one.way[0].toUpperCase()}${one.way.slice(1)} Rule ${one.ref}${into}`).replace(rule?.ref ?? "", () => one.ref);
  };
  const instructionOf = (one, whole = state) => {
    if (one.way === "free") return one.text.trim() || null;
    if (one.way !== "enact" && one.rule === null) return null;
    if (one.way === "retitle") return data.retitle.replace("RULE", () => one.ref).replace("TITLE", () => one.heading.trim() || "Title");
    if (one.way === "repeal" || one.way === "transmute") return data.repeal.replace("Repeal Rule RULE", () => headingOf(one));
    const was = one.way === "amend" ? (rules.get(one.rule)?.provisions ?? {}) : {};
    const says = Object.keys(one.provisions).length || Object.keys(was).length;
    const confirmed = Object.entries(one.keys).map(([key, value]) => `${key}: ${value}\n`).join("");
    const keys = `${confirmed}${says ? written(one.provisions) : ""}`;
    const heading = one.way === "enact" ? data.enact.replace("TITLE", () => one.heading.trim() || titleOf(whole)) : headingOf(one);
    return instruction(heading, one.text, keys);
  };
  const titleOf = (said) => {
    if (said.raw !== null) return /^title:\s*(.+)$/m.exec(said.raw)?.[1].replace(/^(["'])(.*)\1$/, "$2") ?? "A draft";
    if (said.title.trim()) return said.title.trim();
    const [first] = said.changes;
    if (first?.way === "enact") return first.heading.trim() || "A new rule";
    if (!first || first.way === "free" || first.rule === null) return "A change";
    return { amend: `A change of Rule ${first.rule}`, repeal: `The repeal of Rule ${first.rule}`, transmute: `Rule ${first.rule} becomes ${first.into}`, retitle: `Another title for Rule ${first.rule}` }[first.way];
  };
  const ID = /^[a-z][a-z0-9-]*$/;
  /* Who proposes it; "" as long as nobody is named whom a file could name. */
  const authorOf = (said) => (said.author !== "?" ? said.author : ID.test(said.id.trim()) ? said.id.trim() : "");
  const nobody = () => state.raw === null && !authorOf(state);
  /* A sentence that asks for the author. */
  const asksWho = () => {
    const small = state.id.trim().toLowerCase();
    if (state.author !== "?") return "Choose who you are.";
    if (!small) return "Write your id.";
    return ID.test(small) ? `An id has small letters: ${small}.` : "An id has small letters, digits and hyphens, and begins with a letter.";
  };
  const file = (said = state) => {
    if (said.raw !== null) return said.raw;
    const front = data.front_matter.replace("TITLE", () => JSON.stringify(titleOf(said))).replace("AUTHOR", () => authorOf(said) || NOBODY);
    const parts = [front.trimEnd(), said.why.trim(), ...said.changes.map((one) => instructionOf(one, said))];
    return `${parts.filter(Boolean).join("\n\n")}\n`;
  };
  const path = () => {
    if (state.pull?.path) return state.pull.path;
    const plain = titleOf(state).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    const words = plain.match(/[a-z0-9]+/g)?.join("-").slice(0, 60).replace(/-$/, "") ?? "";
    const slug = /[a-z]/.test(words) ? words : `draft-${words}`.replace(/-$/, "");
    for (let count = 1; ; count += 1) {
      const named = `proposals/${slug}${count > 1 ? `-${count}` : ""}.md`;
      if (!data.paths.includes(named)) return named;
    }
  };

  // --- the form
  const list = find(".n-ws-changes");
  const raw = find(".n-ws-raw");
  const form = find("form");
  const redline = (box, old, text) => {
    box.hidden = old === null || old.trim() === text.trim() || !text.trim();
    if (box.hidden) return;
    const parts = globalThis.nomicRedline(old, text).map((one) =>
      one.kind === "equal" ? one.text : make(one.kind === "delete" ? "del" : "ins", {}, one.text));
    box.replaceChildren(...parts);
  };
  // Whatever changes more than what is typed can be undone, so that nothing that was written is lost.
  const [undone, cards] = [find(".n-ws-undo"), new Map()];
  let undo = null;
  /* Does `act`, and offers to undo it with the sentence `words`. What `act` returns is called if it is undone. */
  const undoable = (words, act, drawn = () => show()) => {
    const [was, name] = [structuredClone(state), own];
    const also = act();
    drawn();
    touched();
    undo = () => {
      also?.();
      [state, own] = [was, name];
      show();
      touched();
      listKept();
    };
    undone.firstElementChild.textContent = words;
    undone.hidden = false;
    listKept();
  };
  const byRule = (one) => rules.get(one.rule);
  // A vote on another title is counted as one on an amendment.
  const asWhat = (way) => (way === "retitle" ? "amend" : way);
  const canNow = (one) => byRule(one)?.ways.some((each) => each.verb === asWhat(one.way));
  /* Puts a change away until its rule has been transmuted, and begins the draft that transmutes the rule. */
  const first = (one) =>
    undoable(`This draft is kept above, until Rule ${one.rule} is no longer ${byRule(one).tier}. Here is what goes first.`, () => {
      const others = state.changes.filter((each) => each !== one);
      if (others.length) put(own, { ...state, changes: others });
      const name = others.length ? newName() : own;
      put(name, { ...state, changes: [one] });
      state = { ...fresh(), author: state.author, id: state.id, changes: [changeOf(one.rule, "transmute")] };
      own = newName();
      return () => [name, own].forEach(forget);
    });
  /* The fields of one change. */
  const card = (one) => {
    const made = main.querySelector("template").content.firstElementChild.cloneNode(true);
    const part = (name) => made.querySelector(`[name="${name}"]`);
    const [way, rule, into, heading, text] = ["way", "rule", "into", "heading", "text"].map(part);
    const note = made.querySelector(".n-ws-note");
    if (!titled) way.querySelector('[value="retitle"]').remove();
    for (const each of data.rules) {
      rule.append(make("option", { value: each.number }, `${each.number}${each.title ? ` · ${each.title}` : ""}`));
    }
    const draw = () => {
      for (const each of made.querySelectorAll("[data-for]")) each.hidden = !each.dataset.for.split(" ").includes(one.way);
      way.value = one.way;
      rule.value = one.rule ?? "";
      heading.value = one.heading;
      if (text.value !== one.text) text.value = one.text;
      const now = byRule(one);
      const can = new Set(now?.ways.map((each) => each.verb));
      into.replaceChildren(...(now ? tiersFor(now) : []).map((each) => make("option", { value: each }, each)));
      into.value = one.into;
      made.querySelector(".n-ws-text").hidden = one.way === "amend" ? !now : !/^(?:enact|free)$/.test(one.way);
      made.querySelector(".n-ws-block").hidden = one.way === "amend" ? !now : one.way !== "enact";
      note.replaceChildren();
      const button = (words, act) => {
        const pressed = make("button", { type: "button", className: "n-button" }, words);
        pressed.addEventListener("click", act);
        note.append(" ", pressed);
      };
      const moved = rules.get(data.moved[one.rule]);
      const current = now ?? moved;
      if (one.rule !== null && !current) note.append(`Rule ${one.rule} is no longer in force.`);
      else if (current && one.ref !== current.ref) {
        note.append(`This was written against Rule ${one.ref}. It is Rule ${current.ref} now: compare them.`);
        button(`Go on with Rule ${current.ref}`, () => undoable(`This changes Rule ${current.ref} now.`, () => void Object.assign(one, { rule: current.number, ref: current.ref })));
      } else if (now && !can.has(asWhat(one.way))) {
        note.append(`No vote can do this to Rule ${now.number}.`);
        if (can.has("transmute")) {
          note.append(` It is ${now.tier}, and a proposal of its own must change that first.`);
          button("Propose that first, and keep this for later", () => first(one));
        }
      }
      const twice = one.way === "amend" && now && state.changes.slice(0, state.changes.indexOf(one)).some((each) => each.way === "amend" && each.rule === one.rule);
      if (twice) note.append(`${note.hasChildNodes() ? " " : ""}A change above gives Rule ${now.number} another text, too. This one takes its place: write here all that is to stand.`);
      note.hidden = !note.hasChildNodes();
      redline(made.querySelector(".n-ws-redline"), one.way === "amend" && now ? (now.text ?? "") : null, one.text);
    };
    const machinery = () => {
      made.querySelector(".n-ws-keys").replaceChildren(machine(data, one.provisions, (said) => {
        one.provisions = said;
        changed();
      }));
      made.querySelector(".n-ws-block").open ||= Object.keys(one.provisions).length > 0;
    };
    const changed = () => {
      draw();
      touched();
    };
    /* Applies a choice; if text is lost by it, it can be undone. The card is not made anew: the choice keeps the focus. */
    const chosen = (isLoss, words, act) => {
      const drawn = () => {
        machinery();
        draw();
      };
      if (isLoss) undoable(words, act, drawn);
      else {
        act();
        drawn();
        touched();
      }
    };
    const isWritten = () => one.text.trim() !== "" && one.text !== (byRule(one)?.text ?? "");
    way.addEventListener("change", () => {
      const written = isWritten();
      chosen(written, `It is now: ${way.selectedOptions[0].textContent.toLowerCase()}.`, () => {
        Object.assign(one, { way: way.value, keys: {} });
        if (!/^(?:enact|free)$/.test(one.way)) return;
        Object.assign(one, { rule: null, ref: null });
        if (!written) Object.assign(one, { text: "", provisions: {} });
      });
    });
    rule.addEventListener("change", () => {
      const number = Number(rule.value);
      // A text that was written before a rule was chosen stays.
      const typed = one.rule === null && isWritten() ? { text: one.text } : {};
      chosen(one.rule !== null && isWritten(), `The text is that of Rule ${number} now.`, () => {
        Object.assign(one, number ? { ...changeOf(number, one.way), heading: one.heading, ...typed } : blank({ way: one.way }));
      });
    });
    into.addEventListener("change", () => changed((one.into = into.value)));
    heading.addEventListener("input", () => changed((one.heading = heading.value)));
    text.addEventListener("input", () => {
      one.text = text.value;
      one.keys = {};
      changed();
    });
    part("less").addEventListener("click", () =>
      undoable("This change is removed.", () => {
        state.changes = state.changes.filter((each) => each !== one);
        if (!state.changes.length) state.changes.push(blank());
      }),
    );
    cards.set(one, made);
    machinery();
    draw();
    return made;
  };
  const show = () => {
    cards.clear();
    list.replaceChildren(...state.changes.map(card));
    const { author, id, title, why } = form.elements;
    [author.value, id.value, title.value, why.value] = [state.author, state.id, state.title, state.why];
    id.closest(".n-field").hidden = state.author !== "?";
    title.placeholder = titleOf(state);
    const full = data.most_changes && state.changes.length >= data.most_changes.most;
    find('[name="more"]').hidden = full;
    const most = find(".n-ws-most");
    most.hidden = !full;
    if (full) most.textContent = `A proposal holds ${data.most_changes.most === 1 ? "one change" : `at most ${data.most_changes.most} changes`} (Rule ${data.most_changes.rule}). Another change needs a proposal of its own.`;
    refresh();
  };

  // --- what would happen
  const said = find(".n-ws-said");
  const [found, outcome] = [find(".n-ws-findings"), find(".n-ws-outcome")];
  const program = checker.bundle
    ? globalThis.nomicChecker({
        worker: at(main.dataset.worker),
        runtime: new URL(checker.runtime, at(main.dataset.checker)).href,
        library: checker.library,
        info: checker.info,
        bundle: new URL(checker.bundle, at(main.dataset.checker)).href,
        files: at(main.dataset.files),
      })
    : null;
  const size = checker.bytes ? `${(checker.bytes / 1_000_000).toFixed(1)} MB` : "";
  let failed = program && globalThis.WebAssembly ? "" : program ? "This browser cannot run the checker." : "This site was published without the checker.";
  const robot = data.forge
    ? "Nothing has judged this draft yet: the game’s bot says on your pull request what would happen."
    : "Nothing has judged this draft yet: nomicgen proposal preview says what would happen.";
  // On a phone the verdict is far below the field in which somebody types: a bar at the foot has its headline.
  const bar = find(".n-ws-bar");
  // While the verdict itself is on the screen, the bar is hidden: it would only cover a field.
  new IntersectionObserver(([{ isIntersecting }]) => bar.toggleAttribute("data-idle", isIntersecting)).observe(said);
  const tell = (words, tone = "") => {
    words = bare(words);
    bar.replaceChildren(make("span", {}, words));
    bar.className = `n-ws-bar n-ws-headline${tone ? ` n-ws-headline--${tone}` : ""}`;
    bar.hidden = false;
    said.replaceChildren(make("p", { className: `n-ws-headline${tone ? ` n-ws-headline--${tone}` : ""}` }, words));
  };
  /* Changes the one text of the form that makes the file this; false if no text does. */
  const fill = (wanted) => {
    const had = file();
    const texts = [[state, "why"], ...state.changes.map((one) => [one, "text"])];
    return state.raw === null && texts.some(([part, name]) => {
      const was = part[name];
      const at = trimmed(was) ? had.indexOf(trimmed(was)) : -1;
      if (at < 0) return false;
      part[name] = wanted.slice(at, wanted.length - (had.length - at - trimmed(was).length));
      if (file() === wanted) return true;
      part[name] = was;
      return false;
    });
  };
  const mend = (edits) =>
    undoable("It is mended.", () => {
      const lines = file().split("\n");
      for (const one of [...edits].sort((a, b) => b.first - a.first)) lines.splice(one.first - 1, one.last - one.first + 1, ...one.lines);
      if (!fill(lines.join("\n"))) state.raw = lines.join("\n");
    });
  /* The change of the form that a line of the file belongs to. */
  const changeAt = (line) => {
    const place = headed(file()).slice(0, line).filter(Boolean).length - 1;
    return state.changes.filter((one) => instructionOf(one) !== null)[place];
  };
  /* Answers a question about a change, by a key of its block. */
  const mean = (line, key, value) => {
    const meant = changeAt(line);
    if (meant) meant.keys[key] = value;
    show();
    touched();
  };
  /* Opens the form of provisions of the change that a line of the file belongs to. */
  const openMachine = (line) => {
    const block = cards.get(changeAt(line))?.querySelector(".n-ws-block");
    if (!block) return;
    block.open = true;
    block.querySelector("select, input")?.focus();
    block.scrollIntoView();
  };
  /* Selects a line of the file. */
  const point = (line) => {
    find(".n-ws-file").open = true;
    const lines = raw.value.split("\n");
    const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    raw.focus();
    raw.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
    raw.scrollTop = (raw.scrollHeight * (line - 2)) / lines.length;
  };
  /* What takes the place of the help of a finding: of one about what the form writes, the front matter and provisions, and
     where the help is a command. Null elsewhere. */
  const helpOf = (one) => {
    if (one.slug === "reference-dangling") return ["Correct the number"];
    if (state.raw === null && one.slug === "provision-wrong") {
      const more = make("a", { href: main.dataset.reference, target: "_blank", rel: "noopener" }, "The reference of provisions");
      return [more, make("span", {}, " says more.")];
    }
    if (state.raw !== null || one.line > data.front_matter.trimEnd().split("\n").length) return null;
    if (state.author !== "?" || one.slug !== "reference-unknown") return [one.help];
    const id = authorOf(state);
    if (!join) return ["Join first: only players propose."];
    return [make("a", { href: join.href.replaceAll("your-id", id), target: "_blank", rel: "noopener" }, "Join first"), ": only players propose."];
  };
  /* The element below which a finding is shown: of its field, its kind of provision, or its change; null for the file. */
  const placeOf = (one) => {
    const made = state.raw === null && cards.get(changeAt(one.line));
    if (!made) return null;
    const line = file().split("\n")[one.line - 1] ?? "";
    const kind = /^ {2}"?([a-z-]+)"?: /.exec(line)?.[1];
    const box = kind && one.slug.startsWith("provision-") && made.querySelector(`[data-kind="${kind}"]`);
    if (!box) return made.querySelector(".n-ws-asks");
    const key = /"?([a-z_-]+)"?: "?$/.exec(line.slice(0, one.column - 1))?.[1];
    const rows = box.querySelectorAll(`[data-key="${key}"]`);
    const place = rows.length === 1 ? rows[0] : box;
    return place.querySelector(":scope > .n-ws-asks") ?? place.appendChild(make("ul", { className: "n-ws-asks" }));
  };
  let [asked, busy, ready, saving] = [null, false, false, navigator.connection?.saveData ?? false];
  /* A sentence on what the form still lacks before there is anything to judge; "" if nothing. */
  const lacking = () => {
    if (state.raw !== null) return "";
    if (isHeaded(state.why)) return "A line under “Why” begins with “## ”, as a change does: begin it with “### ”, or with a word.";
    const open = state.changes.map((one) => {
      if (one.way === "enact" && titled && !one.heading.trim()) return "Give the new rule a title.";
      if (one.way === "enact" && !one.text.trim()) return "Write the text of the new rule.";
      if (one.way === "free") return one.text.trim() ? "" : "Write the instruction.";
      if (one.way !== "enact" && one.rule === null) return "Choose a rule.";
      if (one.way === "retitle" && [byRule(one)?.title, ""].includes(one.heading.trim())) return `Give Rule ${one.rule} another title.`;
      if (!/^(?:amend|enact)$/.test(one.way)) return "";
      if (isHeaded(one.text)) return "A line of the text begins with “## ”, as another change does: begin it with “### ”, or with a word.";
      const now = byRule(one);
      const idle = one.way === "amend" && now && one.text === (now.text ?? "") && same(one.provisions, now.provisions);
      return idle ? `Change the text of Rule ${one.rule}, or what the program does by it.` : incomplete(data.kinds, one.provisions);
    });
    return open.find(Boolean) ?? "";
  };
  /* Takes the findings and the verdict away. */
  const clear = () => {
    for (const one of main.querySelectorAll(".n-ws-asks, .n-ws-findings, .n-ws-outcome")) one.replaceChildren();
  };
  const answerNow = async () => {
    if (failed) {
      tell(`${failed} ${robot}`);
      return;
    }
    const [text, name] = [file(), path()];
    if (busy) return;
    if (lacking() && ready) {
      asked = null;
      tell(lacking());
      clear();
      return;
    }
    if (asked === text) return;
    if (!ready && saving) {
      const button = make("button", { type: "button", className: "n-button" }, `Load the checker, ${size}`);
      button.addEventListener("click", () => {
        saving = false;
        judge();
      });
      said.replaceChildren(make("p", {}, "Your browser is set to save data. ", robot), button);
      return;
    }
    if (!ready) tell(`Loading the checker, ${size}, once…`);
    const late = ready && setTimeout(() => tell("This takes a moment…"), SLOW);
    busy = true;
    try {
      await program.start();
      ready = true;
      asked = text;
      if (lacking()) {
        asked = null;
        tell(lacking());
        clear();
        return;
      }
      const answer = await program.ask("judge_draft", text, name);
      if (file() === text && !lacking()) {
        const acts = { mend, helpOf, asksWho, reference: main.dataset.reference, show: point, mean: state.raw === null ? mean : null, program: openMachine, ruleAt: (line) => (state.raw === null ? (changeAt(line)?.rule ?? null) : null) };
        const { tone, headline, findings, outcome: rest } = globalThis.nomicVerdict(answer, acts, nobody() ? NOBODY : "");
        tell(headline, tone);
        clear();
        // A finding is shown where what it is about was written.
        for (const { one, node } of findings) (placeOf(one) ?? found).append(node);
        bar.href = main.querySelector(".n-ws-asks > li") ? "#ws-what" : "#ws-verdict";
        outcome.replaceChildren(...rest);
        if (host && !state.pull) editor.textContent = tone === "bad" ? `Open ${host} all the same` : `Open ${host}`;
      }
    } catch (error) {
      clear();
      asked = ready ? text : null;
      if (!ready) failed = `The checker could not be started (${error.message}).`;
      tell(`${failed || `The checker stopped: ${error.message}.`} ${robot}`);
    } finally {
      clearTimeout(late);
      busy = false;
      if (!failed && file() !== text) later();
    }
  };
  let timer = null;
  /* Says to readers of screens whether the verdict is still to come. */
  const mark = () => find(".n-ws-verdict").setAttribute("aria-busy", String(busy || timer !== null));
  const judge = async () => {
    await answerNow();
    mark();
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      judge();
    }, WAIT);
    mark();
  };

  // --- the file, and where it goes
  const [editor, how, done] = [find(".n-actions a[target]"), find(".n-ws-how"), find(".n-ws-done")];
  const refresh = () => {
    const [text, name] = [file(), path()];
    find(".n-ws-path").textContent = name;
    if (raw.value !== text) raw.value = text;
    find(".n-ws-edited").hidden = state.raw === null;
    for (const one of form.querySelectorAll("section")) one.inert = state.raw !== null;
    const address = data.forge && `${data.forge}?filename=${encodeURIComponent(name)}&value=${encodeURIComponent(text)}`;
    const fits = address && address.length <= LONGEST;
    const missing = lacking() || (nobody() ? asksWho() : "");
    editor.hidden = !data.forge || missing !== "";
    for (const name of ["copy", "save"]) find(`[name="${name}"]`).hidden = missing !== "";
    if (data.forge) editor.href = fits ? address : `${data.forge}?filename=${encodeURIComponent(name)}`;
    if (state.pull) {
      editor.href = `${forge}/pull/${state.pull.number}/files`;
      editor.textContent = `Open pull request ${state.pull.number}`;
    } else if (editor.textContent.startsWith("Open pull")) editor.textContent = `Open ${host}`;
    how.textContent = missing
      ? `Nothing can be sent yet. ${missing}`
      : state.pull
        ? "Copy the file, and open your pull request. Choose the three dots beside its file there, “Edit file”, paste the file over the old text, and choose “Commit changes”."
      : fits
        ? `${host} opens with the whole proposal in its editor. Choose “Commit changes”, “Propose changes” and “Create pull request” there. In the pull request the players debate it. To ask for the vote, comment /open there.`
        : data.forge
          ? `The file is too long for a link. Copy it, open ${host}, paste it there, and create a pull request. To ask for the vote, comment /open there.`
          : `Copy it, and give it to the keeper of the game, or add it to the game’s repository as ${name}.`;
    return text;
  };
  /* Called after whatever is typed or chosen: keeps the draft, and has it judged soon. */
  const touched = () => {
    state.sent = null;
    const text = refresh();
    form.elements.title.placeholder = titleOf(state);
    keep(sessionStorage, KEY, own);
    if (isBlank(state)) forget(own);
    else put(own, state);
    done.textContent = "";
    undone.hidden = true;
    if (text !== asked || lacking()) later();
  };
  /* Marks the draft as handed to the forge, copied or downloaded: the page does not open with it again. */
  const sent = () => {
    state.sent = Date.now();
    put(own, state);
  };
  const zipped = async (text) => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const unzipped = async (words) => {
    const bytes = Uint8Array.from(atob(words.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
  };
  const copied = async (text, words) => {
    try {
      await navigator.clipboard.writeText(text);
      done.textContent = words;
    } catch {
      if (text !== raw.value) {
        done.replaceChildren("This browser does not let a page copy: copy the link from here: ", make("a", { href: text }, text));
        return;
      }
      find(".n-ws-file").open = true;
      raw.select();
      done.textContent = "This browser does not let a page copy: the file is marked above, copy it from there.";
    }
  };

  // --- the whole ruleset as it would be
  const others = find(".n-ws-others");
  const before = [];
  /* Lists the other proposals and drafts that can be supposed to pass before this one: `before` has those that are. */
  const choices = () => {
    const mine = Object.entries(drafts()).filter(([name, one]) => name !== own && !one.state.sent);
    const rows = [
      ...data.undecided.map((one) => ({ key: one.path, name: one.name, asked: one.path })),
      ...mine.map(([key, one]) => ({ key, name: `your draft “${one.title}”`, asked: { text: file(restored(one.state)) } })),
    ];
    const labels = rows.map((one) => {
      const box = make("input", { type: "checkbox", checked: before.some((each) => each.key === one.key) });
      box.addEventListener("change", () => {
        if (box.checked) before.push(one);
        else before.splice(before.findIndex((each) => each.key === one.key), 1);
        suppose();
      });
      return make("label", {}, box, ` ${one.name}`);
    });
    others.replaceChildren(others.firstElementChild, ...labels);
    others.hidden = !labels.length;
  };
  for (const one of data.undecided) {
    if (one.path === `proposals/${hash.get("if")}.md`) before.push({ key: one.path, name: one.name, asked: one.path });
  }
  /* Shows the ruleset as it would be if these and this draft passed. */
  const suppose = async () => {
    const box = find(".n-ws-rules");
    if (!find(".n-ws-if").open) return;
    if (failed) {
      box.replaceChildren(make("p", {}, failed));
      return;
    }
    box.replaceChildren(make("p", {}, "Working it out…"));
    try {
      const draft = state.raw !== null || state.changes.some((one) => instructionOf(one) !== null);
      const list = [...before.map((one) => one.asked), ...(draft ? [{ text: file() }] : [])];
      const { rules: all, gone, failed: not } = await program.ask("suppose_adopted", JSON.stringify(list));
      const names = not.map((place) => before[place]?.name ?? "this draft");
      const told = names.length ? [make("p", { className: "n-ws-warn" }, `Could not be carried out: ${names.join(", ")}.`)] : [];
      const jumps = [];
      const article = (one, ended) => {
        const differs = ended || !one.was || !same(one.was, { ref: one.ref, tier: one.tier, text: one.text, title: one.title });
        const name = `Rule ${one.ref}${one.title ? ` · ${one.title}` : ""} (${one.tier})${ended ? ": repealed" : one.was ? "" : ": new"}`;
        const text = make("div", { className: "n-law n-ws-redline" });
        if (!differs || !one.was || ended) text.append(ended ? make("del", {}, one.text ?? "") : (one.text ?? "The text is lost."));
        else redline(text, one.was.text ?? "", one.text ?? "");
        if (text.hidden) text.replaceChildren(one.text ?? "");
        text.hidden = false;
        const made = make("article", { className: differs ? "n-ws-differs" : "" }, make("h3", {}, name), text);
        if (differs) {
          const jump = make("button", { type: "button", className: "n-ws-line" }, name);
          jump.addEventListener("click", () => made.scrollIntoView());
          jumps.push(make("li", {}, jump));
        }
        return made;
      };
      const rows = [...all.map((one) => article(one, false)), ...gone.map((one) => article(one, true))];
      const count = jumps.length;
      box.replaceChildren(...told, make("p", {}, `${all.length} rules, of which ${count === 1 ? "1 is" : `${count} are`} marked as changed.`), make("ul", {}, ...jumps), ...rows);
    } catch (error) {
      box.replaceChildren(make("p", {}, `It could not be worked out: ${error.message}.`));
    }
  };
  find(".n-ws-if").addEventListener("toggle", () => {
    choices();
    suppose();
  });

  // --- what is pressed and typed
  for (const one of data.players) form.elements.author.append(make("option", { value: one.id }, one.name));
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const name of ["author", "id", "title", "why"]) {
    form.elements[name].addEventListener(name === "author" ? "change" : "input", () => {
      state[name] = form.elements[name].value;
      if (name === "author") form.elements.id.closest(".n-field").hidden = state.author !== "?";
      // Without an author, the file stays the same, and what is asked for does not.
      if (nobody()) asked = null;
      touched();
    });
  }
  find('[name="more"]').addEventListener("click", () => {
    state.changes.push(blank());
    show();
    touched();
    list.lastElementChild.querySelector("select").focus();
  });
  raw.addEventListener("input", () => {
    state.raw = raw.value;
    touched();
  });
  find('[name="form"]').addEventListener("click", () =>
    undoable("The edits of the file are gone.", () => {
      state.raw = null;
      if (!state.changes.length) state.changes.push(blank());
    }),
  );
  find('[name="undo"]').addEventListener("click", () => undo());
  editor.addEventListener("click", sent);
  find('[name="copy"]').addEventListener("click", () => {
    sent();
    copied(file(), `Copied. It goes to ${path()}.`);
  });
  find('[name="share"]').addEventListener("click", async () => {
    const address = new URL(location);
    address.search = "";
    const where = state.pull ? `&pull=${state.pull.number}&path=${state.pull.path}` : "";
    address.hash = (state.raw === null ? `form=${await zipped(JSON.stringify(state))}` : `draft=${await zipped(state.raw)}`) + where;
    await copied(address.href, "Copied: whoever opens the link reads this draft. It is in the address, and nowhere else.");
  });
  find('[name="save"]').addEventListener("click", () => {
    sent();
    const address = URL.createObjectURL(new Blob([file()], { type: "text/markdown" }));
    make("a", { href: address, download: path().split("/").at(-1) }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  });
  const begin = () => {
    own = newName();
    state = { ...fresh(), changes: [blank()] };
  };
  find('[name="away"]').addEventListener("click", () =>
    undoable("This draft is thrown away.", () => {
      forget(own);
      begin();
    }),
  );

  // --- the drafts of this browser
  let greeting = "";
  const listKept = () => {
    const box = find(".n-ws-kept");
    const button = (words, act) => {
      const pressed = make("button", { type: "button", className: "n-button" }, words);
      pressed.addEventListener("click", act);
      return pressed;
    };
    const rows = Object.entries(drafts()).filter(([name]) => name !== own).sort((a, b) => b[1].at - a[1].at);
    const row = ([name, one]) => {
      const waits = one.state.changes?.find((each) => byRule(each) && !canNow(each));
      const notes = [
        one.state.sent ? `handed over on ${day(one.state.sent)}` : "not sent",
        ...(waits ? [`waits, since Rule ${waits.rule} is ${byRule(waits).tier}`] : []),
        ...(one.base === data.ledger_digest ? [] : ["written before the game’s files changed"]),
      ];
      const go = () => {
        greeting = "";
        undoable(`You go on with “${one.title}”.`, () => {
          own = name;
          state = { ...restored(one.state), sent: null };
        });
      };
      const away = () =>
        undoable(`“${one.title}” is thrown away.`, () => {
          forget(name);
          return () => keep(localStorage, KEY, { ...drafts(), [name]: one });
        });
      return make("p", {}, `“${one.title}”, ${day(one.at, { timeStyle: "short" })}: ${notes.join("; ")}. `, button("Go on with it", go), " ", button("Throw it away", away));
    };
    const fresher = button("Begin a new one", () => {
      greeting = "";
      undoable("A new draft. The other one is kept.", begin);
    });
    const top = greeting ? [make("p", { className: "n-ws-resumed" }, `${greeting} `, fresher)] : [];
    const rest = rows.length ? [make("h2", {}, "Other drafts in this browser"), ...rows.slice(0, SHOWN).map(row)] : [];
    box.replaceChildren(...top, ...rest);
    box.hidden = !box.hasChildNodes();
  };

  // --- what the page opens with: a link's draft, a rule that was named, this tab's own draft until it is sent, or nothing
  const mine = drafts()[own];
  const goesOn = mine && !mine.state.sent;
  const named = rules.get(Number(hash.get("rule")) in data.moved ? data.moved[hash.get("rule")] : Number(hash.get("rule")));
  const ways = named?.ways.map((each) => each.verb) ?? [];
  const way = hash.get("way") ?? ["amend", "transmute", "repeal"].find((one) => ways.includes(one)) ?? "amend";
  const isNamed = (one) => one.rule === named.number && (!hash.get("way") || one.way === way);
  if (hash.get("form")) {
    try {
      state = linked(JSON.parse(await unzipped(hash.get("form"))));
      greeting = `This is the draft “${titleOf(state)}” of the link.`;
    } catch {
      done.textContent = "The link holds no draft that can be read.";
    }
    own = `${own}-link`;
  } else if (hash.get("draft")) {
    try {
      const text = await unzipped(hash.get("draft"));
      const [, front, body] = /^---\n([^]*?\n)---\n([^]*)$/.exec(text) ?? ["", "", text];
      if (new RegExp(`^#+\\W*(?:${data.verbs.join("|")})\\W+rule`, "im").test(body)) {
        state.raw = text;
        find(".n-ws-file").open = true;
      } else {
        // A text without instructions is taken for the argument, and the form asks for the changes.
        state.title = /^title: *(.+)$/m.exec(front)?.[1] ?? "";
        state.author = data.players.find((one) => front.includes(`author: ${one.id}\n`))?.id ?? state.author;
        state.why = body.trim().replace(/^##? /gm, "### ");
        greeting = "Your words stand below, under “Why”. Choose here what they are to change.";
      }
    } catch {
      done.textContent = "The link holds no draft that can be read.";
    }
    own = `${own}-link`;
  } else if (goesOn && (!named || mine.state.changes.some(isNamed))) {
    state = restored(mine.state);
    greeting = `You go on with your draft “${titleOf(state)}”.`;
  } else {
    own = newName();
    if (named) state.changes.push(changeOf(named.number, way));
  }
  if (hash.get("form") || hash.get("draft")) state.pull = pulled();
  if (!state.changes.length && state.raw === null) state.changes.push(blank({ way }));
  // The draft that the address asked for is begun. Without the query, loading the page again goes on with it.
  if (location.search) history.replaceState(null, "", location.pathname + location.hash);
  keep(sessionStorage, KEY, own);
  main.hidden = false;
  show();
  listKept();
  if (before.length) {
    find(".n-ws-if").open = true;
    find(".n-ws-if").scrollIntoView();
  }
  if (failed) judge();
  else if (state.raw !== null || named || greeting) later();
  else tell("As soon as you write, the program that judges proposals is loaded here, and says what would happen.");
})();
