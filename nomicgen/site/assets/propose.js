/* The workshop's form: what a player wants becomes a file, which is kept in this browser until it is sent, judged by the
   program as one types, and handed to the forge's editor. Nothing is sent from here. */
(async () => {
  "use strict";

  const main = document.getElementById("workshop");
  if (!main) return;
  const { form: machine, written, make } = globalThis.nomicMachine;
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
  const site = new URL(main.dataset.root, location).pathname;
  const WAIT = 300;
  const SLOW = 1000;
  const LONGEST = 6000;
  const SHOWN = 5;
  const NOBODY = "your-id";

  const hash = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);

  // --- what is kept in this browser: a draft for each tab, so that two tabs never write over each other
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
      // A browser that keeps nothing lets one write all the same.
    }
  };
  const drafts = () => kept(localStorage, KEY, {});
  let own = kept(sessionStorage, KEY, null) ?? `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
  const forget = (name) => {
    const all = drafts();
    delete all[name];
    keep(localStorage, KEY, all);
  };

  const fresh = () => ({ author: kept(localStorage, `nomic:${site}`, {})?.me ?? "", id: "", title: "", why: "", raw: null, changes: [] });
  let state = fresh();
  const blank = (said = {}) => ({ way: "amend", rule: null, ref: null, into: "", heading: "", text: "", provisions: {}, keys: {}, ...said });
  const restored = (said) => ({ ...fresh(), ...said, changes: said.changes.map(blank) });
  const of = (number, way = "amend") => {
    const rule = rules.get(number);
    return blank({ way, rule: number, ref: rule.ref, text: rule.text ?? "", provisions: structuredClone(rule.provisions), into: rule.ways.find((one) => one.way === "transmute")?.into ?? "" });
  };

  // --- the file, as the program's samples have it
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const instruction = (heading, text, keys) => {
    const [first, block] = data.instruction.split("\n\n");
    return [first.replace("Amend Rule RULE", () => heading), keys && block.replace("# BLOCK\n", () => keys), text.trim() || "TEXT"]
      .filter(Boolean)
      .join("\n\n");
  };
  const headingOf = (one) => {
    const rule = rules.get(one.rule);
    const way = rule?.ways.find((each) => each.way === one.way && (one.way !== "transmute" || each.into === one.into));
    return (way?.heading ?? `${one.way[0].toUpperCase()}${one.way.slice(1)} Rule ${one.ref}`).replace(rule?.ref ?? "", () => one.ref);
  };
  const instructionOf = (one) => {
    if (one.way === "free") return one.text.trim() || null;
    if (one.way !== "enact" && one.rule === null) return null;
    if (one.way === "repeal" || one.way === "transmute") return data.repeal.replace("Repeal Rule RULE", () => headingOf(one));
    const was = one.way === "amend" ? (rules.get(one.rule)?.provisions ?? {}) : {};
    const says = Object.keys(one.provisions).length || Object.keys(was).length;
    const confirmed = Object.entries(one.keys).map(([key, value]) => `${key}: ${value}\n`).join("");
    const keys = `${confirmed}${says ? written(one.provisions) : ""}`;
    const heading = one.way === "enact" ? data.enact.replace("TITLE", () => one.heading.trim() || titleOf(state)) : headingOf(one);
    return instruction(heading, one.text, keys);
  };
  const titleOf = (said) => {
    if (said.title.trim()) return said.title.trim();
    const [first] = said.changes;
    if (!first) return "A change";
    if (first.way === "free") return "A change";
    if (first.way === "enact") return first.heading.trim() || "A new rule";
    const named = first.rule === null ? "a rule" : `Rule ${first.rule}`;
    return { amend: `A better ${named}`, repeal: `Without ${named}`, transmute: `${named} ${first.into}` }[first.way];
  };
  const nobody = () => state.raw === null && !(state.author === "?" ? state.id.trim() : state.author);
  const file = () => {
    if (state.raw !== null) return state.raw;
    const author = nobody() ? NOBODY : state.author === "?" ? state.id.trim() : state.author;
    const front = data.front.replace("TITLE", () => JSON.stringify(titleOf(state))).replace("AUTHOR", () => author);
    const parts = [front.trimEnd(), state.why.trim(), ...state.changes.map(instructionOf)];
    return `${parts.filter(Boolean).join("\n\n")}\n`;
  };
  const path = () => {
    const title = state.raw === null ? titleOf(state) : (/^title:\s*(.+)$/m.exec(state.raw)?.[1] ?? "draft");
    const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
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
      one.kind === "equal" ? one.new : make(one.kind === "delete" ? "del" : "ins", {}, one.text));
    box.replaceChildren(...parts);
  };
  const card = (one) => {
    const made = main.querySelector("template").content.firstElementChild.cloneNode(true);
    const part = (name) => made.querySelector(`[name="${name}"]`);
    const [way, rule, into, heading, text] = ["way", "rule", "into", "heading", "text"].map(part);
    const block = made.querySelector(".n-ws-written");
    const note = made.querySelector(".n-ws-note");
    for (const each of data.rules) {
      rule.append(make("option", { value: each.number }, `${each.number}${each.title ? ` · ${each.title}` : ""}`));
    }
    const draw = () => {
      for (const each of made.querySelectorAll("[data-for]")) each.hidden = !each.dataset.for.split(" ").includes(one.way);
      way.value = one.way;
      rule.value = one.rule ?? "";
      heading.value = one.heading;
      if (text.value !== one.text) text.value = one.text;
      const now = rules.get(one.rule);
      const can = new Set(now?.ways.map((each) => each.way));
      const tiers = now?.ways.filter((each) => each.way === "transmute").map((each) => each.into) ?? [];
      into.replaceChildren(...tiers.map((each) => make("option", { value: each }, each)));
      into.value = one.into;
      const words = [];
      if (one.rule !== null && !now) words.push(`Rule ${one.rule} is no longer in force.`);
      else if (now && one.ref !== now.ref) words.push(`This was written against Rule ${one.ref}. It is Rule ${now.ref} now: compare, and choose it again.`);
      else if (now && !can.has(one.way)) {
        const instead = can.has("transmute") ? ` It is ${now.tier}: its mutability must be changed first, by a proposal of its own. Keep this draft for later.` : "";
        words.push(`No vote can do this to Rule ${now.number}.${instead}`);
      }
      note.textContent = words.join(" ");
      note.hidden = !words.length;
      block.hidden = !Object.keys(one.provisions).length;
      block.textContent = written(one.provisions);
      redline(made.querySelector(".n-ws-redline"), one.way === "amend" && now ? (now.text ?? "") : null, one.text);
    };
    const machinery = () => {
      made.querySelector(".n-ws-keys").replaceChildren(machine(data.kinds, data.tiers, one.provisions, (said) => {
        one.provisions = said;
        changed();
      }));
      made.querySelector(".n-ws-block").open ||= Object.keys(one.provisions).length > 0;
    };
    const changed = () => {
      draw();
      touched();
    };
    way.addEventListener("change", () => {
      one.way = way.value;
      if (/^(?:enact|free)$/.test(one.way)) Object.assign(one, { rule: null, ref: null, text: "", provisions: {} });
      machinery();
      changed();
    });
    rule.addEventListener("change", () => {
      Object.assign(one, rule.value ? of(Number(rule.value), one.way) : blank({ way: one.way }));
      machinery();
      changed();
    });
    into.addEventListener("change", () => changed((one.into = into.value)));
    heading.addEventListener("input", () => changed((one.heading = heading.value)));
    text.addEventListener("input", () => {
      one.text = text.value;
      one.keys = {};
      changed();
    });
    part("less").addEventListener("click", () => {
      state.changes = state.changes.filter((each) => each !== one);
      if (!state.changes.length) state.changes.push(blank());
      show();
      touched();
    });
    machinery();
    draw();
    return made;
  };
  const show = () => {
    list.replaceChildren(...state.changes.map(card));
    const { author, id, title, why } = form.elements;
    [author.value, id.value, title.value, why.value] = [state.author, state.id, state.title, state.why];
    id.closest(".n-field").hidden = state.author !== "?";
    title.placeholder = titleOf(state);
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
  const robot = "The file is right as it is written here, and the game’s robot says on your pull request what would happen.";
  // On a phone what would happen stands far below what is typed: its first line stays at the foot of the screen.
  const bar = find(".n-ws-bar");
  const tell = (words, tone = "") => {
    bar.textContent = words;
    bar.className = `n-ws-bar n-ws-headline${tone ? ` n-ws-headline--${tone}` : ""}`;
    bar.hidden = false;
    said.replaceChildren(make("p", { className: `n-ws-headline${tone ? ` n-ws-headline--${tone}` : ""}` }, words));
  };
  const mend = (edits) => {
    const lines = file().split("\n");
    for (const one of [...edits].sort((a, b) => b.first - a.first)) lines.splice(one.first - 1, one.last - one.first + 1, ...one.lines);
    state.raw = lines.join("\n");
    show();
    touched();
  };
  /* What answers a question about the instruction on a line of the file: a key of its block, or its provisions. */
  const mean = (line, key, value) => {
    const place = file().split("\n").slice(0, line).filter((one) => one.startsWith("## ")).length - 1;
    const meant = state.changes.filter((one) => instructionOf(one) !== null)[place];
    if (meant && key === "provisions") meant.provisions = value;
    else if (meant) meant.keys[key] = value;
    show();
    touched();
  };
  const point = (line) => {
    find(".n-ws-file").open = true;
    const lines = raw.value.split("\n");
    const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    raw.focus();
    raw.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
    raw.scrollTop = (raw.scrollHeight * (line - 2)) / lines.length;
  };
  let [asked, busy, ready, saving] = [null, false, false, navigator.connection?.saveData ?? false];
  /* What is still to be said before there is anything to judge; "" where nothing is. */
  const lacking = () => {
    if (state.raw !== null) return "";
    const open = state.changes.map((one) => {
      if (one.way === "enact") return one.text.trim() ? "" : "Write the text of the new rule.";
      if (one.way === "free") return one.text.trim() ? "" : "Write the instruction.";
      if (one.rule === null) return "Choose a rule.";
      const now = rules.get(one.rule);
      const idle = one.way === "amend" && now && one.text === (now.text ?? "") && same(one.provisions, now.provisions);
      return idle ? `Change the text of Rule ${one.rule}, or what a program reads of it.` : "";
    });
    return open.find(Boolean) ?? "";
  };
  const judge = async () => {
    if (failed) {
      tell(`${failed} ${robot}`);
      return;
    }
    const [text, name] = [file(), path()];
    if (asked === text || busy) return;
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
      if (file() === text && lacking()) {
        tell(lacking());
        found.replaceChildren();
        outcome.replaceChildren();
        return;
      }
      const answer = await program.ask("judged", text, name);
      if (file() === text) {
        const { good, headline, findings, outcome: rest } = globalThis.nomicVerdict(answer, { mend, show: point, mean: state.raw === null ? mean : null }, nobody() ? NOBODY : "");
        tell(headline, nobody() ? "" : good ? "good" : "bad");
        found.replaceChildren(...findings);
        outcome.replaceChildren(...rest);
      }
    } catch (error) {
      found.replaceChildren();
      outcome.replaceChildren();
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
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(judge, WAIT);
  };

  // --- the file, and where it goes
  const [editor, how, done] = [find(".n-actions a[target]"), find(".n-ws-how"), find(".n-ws-done")];
  const refresh = () => {
    const [text, name] = [file(), path()];
    find(".n-ws-path").textContent = name;
    if (raw.value !== text) raw.value = text;
    find('[name="form"]').parentElement.hidden = state.raw === null;
    for (const one of form.querySelectorAll("section")) one.inert = state.raw !== null;
    const address = data.forge && `${data.forge}?filename=${encodeURIComponent(name)}&value=${encodeURIComponent(text)}`;
    const fits = address && address.length <= LONGEST;
    editor.hidden = !data.forge;
    if (data.forge) editor.href = fits ? address : `${data.forge}?filename=${encodeURIComponent(name)}`;
    how.textContent = fits
      ? "The forge’s editor opens with the whole file. Press its green button, and open a pull request."
      : data.forge
        ? "The file is too long for an address. Copy it, open the forge’s editor, and paste it there."
        : `Copy the file, and add it to the game’s repository as ${name}.`;
    return text;
  };
  const touched = () => {
    const text = refresh();
    form.elements.title.placeholder = titleOf(state);
    keep(sessionStorage, KEY, own);
    keep(localStorage, KEY, { ...drafts(), [own]: { at: Date.now(), base: data.base, title: titleOf(state), state } });
    done.textContent = "";
    if (text !== asked) later();
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
      find(".n-ws-file").open = true;
      raw.select();
      done.textContent = "This browser does not let a page copy: the file is marked above, copy it from there.";
    }
  };

  // --- the whole ruleset as it would be
  const others = find(".n-ws-others");
  const before = [];
  for (const one of data.open) {
    const box = make("input", { type: "checkbox", checked: one.path === `proposals/${hash.get("if")}.md` });
    if (box.checked) before.push(one.path);
    box.addEventListener("change", () => {
      if (box.checked) before.push(one.path);
      else before.splice(before.indexOf(one.path), 1);
      suppose();
    });
    others.append(make("label", {}, box, ` ${one.name}`));
    others.hidden = false;
  }
  const suppose = async () => {
    const box = find(".n-ws-rules");
    if (!find(".n-ws-if").open) return;
    if (failed) {
      box.replaceChildren(make("p", {}, failed));
      return;
    }
    box.replaceChildren(make("p", {}, "Working it out…"));
    try {
      const own = state.raw !== null || state.changes.some((one) => instructionOf(one) !== null);
      const list = [...before, ...(own ? [{ text: file() }] : [])];
      const { rules: all, gone, failed: not } = await program.ask("supposed", JSON.stringify(list));
      const names = not.map((place) => (place < before.length ? data.open.find((one) => one.path === before[place]).name : "this draft"));
      const told = names.length ? [make("p", { className: "n-ws-warn" }, `Not carried out, for it could not be: ${names.join(", ")}.`)] : [];
      const article = (one, ended) => {
        const differs = ended || !one.was || !same(one.was, { ref: one.ref, tier: one.tier, text: one.text, title: one.title });
        const name = `Rule ${one.ref}${one.title ? ` · ${one.title}` : ""} (${one.tier})${ended ? ": repealed" : one.was ? "" : ": new"}`;
        const text = make("div", { className: "n-law n-ws-redline" });
        if (!differs || !one.was || ended) text.append(ended ? make("del", {}, one.text ?? "") : (one.text ?? "The text is lost."));
        else redline(text, one.was.text ?? "", one.text ?? "");
        if (text.hidden) text.replaceChildren(one.text ?? "");
        text.hidden = false;
        return make("article", { className: differs ? "n-ws-differs" : "" }, make("h3", {}, name), text);
      };
      const rows = [...all.map((one) => article(one, false)), ...gone.map((one) => article(one, true))];
      const count = rows.filter((one) => one.className).length;
      box.replaceChildren(...told, make("p", {}, `${all.length} rules, of which ${count === 1 ? "1 is" : `${count} are`} marked as changed.`), ...rows);
    } catch (error) {
      box.replaceChildren(make("p", {}, `It could not be worked out: ${error.message}.`));
    }
  };
  find(".n-ws-if").addEventListener("toggle", suppose);

  // --- what is pressed and typed
  for (const one of data.players) form.elements.author.append(make("option", { value: one.id }, one.name));
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const name of ["author", "id", "title", "why"]) {
    form.elements[name].addEventListener(name === "author" ? "change" : "input", () => {
      state[name] = form.elements[name].value;
      if (name === "author") form.elements.id.closest(".n-field").hidden = state.author !== "?";
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
  find('[name="form"]').addEventListener("click", () => {
    state.raw = null;
    if (!state.changes.length) state.changes.push(blank());
    show();
    touched();
  });
  find('[name="copy"]').addEventListener("click", () => copied(file(), `Copied. It goes to ${path()}.`));
  find('[name="share"]').addEventListener("click", async () => {
    const address = new URL(location);
    address.search = "";
    address.hash = `draft=${await zipped(file())}`;
    await copied(address.href, "Copied: whoever opens the link reads this draft. It is in the address, and nowhere else.");
  });
  find('[name="save"]').addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([file()], { type: "text/markdown" }));
    make("a", { href: address, download: path().split("/").at(-1) }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  });
  find('[name="away"]').addEventListener("click", () => {
    forget(own);
    state = fresh();
    state.changes.push(blank());
    show();
    judge();
    done.textContent = "Thrown away.";
  });

  // --- what the page opens with: a link's draft, this tab's own, a rule that was named, or nothing
  const mine = drafts()[own];
  const named = rules.get(Number(hash.get("rule")));
  if (hash.get("draft")) {
    try {
      state.raw = await unzipped(hash.get("draft"));
      find(".n-ws-file").open = true;
    } catch {
      done.textContent = "The link holds no draft that can be read.";
    }
    own = `${own}-link`;
  } else if (named && !(mine && mine.state.changes.some((one) => one.rule === named.number))) {
    if (mine) own = `${Date.now()}-${named.number}`;
    const way = ["amend", "transmute", "repeal"].find((one) => named.ways.some((each) => each.way === one)) ?? "amend";
    state.changes.push(of(named.number, hash.get("way") ?? way));
  } else if (mine) state = restored(mine.state);
  if (!state.changes.length && state.raw === null) state.changes.push(blank({ way: hash.get("way") ?? "amend" }));
  const waiting = Object.entries(drafts()).filter(([name]) => name !== own);
  if (waiting.length) {
    const box = find(".n-ws-kept");
    box.hidden = false;
    box.append(make("h2", {}, "Drafts in this browser"));
    for (const [name, one] of waiting.sort((a, b) => b[1].at - a[1].at).slice(0, SHOWN)) {
      const old = one.base === data.base ? "" : ", written before the game’s files changed";
      const line = make("p", {}, `${one.title}, ${new Date(one.at).toLocaleString("en")}${old} `);
      const [go, away] = ["Go on with it", "Throw it away"].map((words) => make("button", { type: "button", className: "n-button" }, words));
      go.addEventListener("click", () => {
        forget(name);
        own = `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
        state = restored(one.state);
        box.hidden = true;
        show();
        touched();
      });
      away.addEventListener("click", () => {
        forget(name);
        line.remove();
      });
      line.append(go, " ", away);
      box.append(line);
    }
  }
  main.hidden = false;
  show();
  if (before.length) {
    find(".n-ws-if").open = true;
    find(".n-ws-if").scrollIntoView();
  }
  if (failed) judge();
  else if (state.raw !== null || named) later();
  else tell("As soon as you write, the program that judges proposals is loaded here, and says what would happen.");
})();
