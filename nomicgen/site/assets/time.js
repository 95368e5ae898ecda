/* The time machine's page. The part of the address after the # says what it shows, and every control changes that. */
(() => {
  "use strict";

  const place = document.getElementById("time");
  if (!place) return;
  const { read, shown, shownDay } = globalThis.nomicTimeline;
  const { make, joined, capital, fetched, instrumentLink, momentLink, actorLink, ruleLink, chosenOf, drawRules, load } =
    globalThis.nomicRules;
  const [said, about, list] = ["said", "about", "rules"].map((name) => place.querySelector(`.n-time-${name}`));
  const form = place.querySelector("form");
  const bar = place.querySelector(".n-time-bar");
  const field = (name) => place.querySelector(`[name=${name}]`);
  const title = document.title;
  const AGAIN = "Load the page again to try once more.";

  const plural = (count, words) => `${count} ${words}${count === 1 ? "" : "s"}`;

  // What is said of it.

  /* A table of what has become of the rules by another moment: how many are the same, amended, repealed and so on. */
  const countsOf = ({ from, until }, entries) => {
    if (from.label === "today" && !until) return null;
    const rows = [
      ["same", "the same"],
      ["amended", "amended"],
      ["changed", "renumbered, retitled or moved"],
      ["repealed", "repealed"],
      ["enacted", "enacted since"],
    ].flatMap(([kind, words]) => {
      const count = entries.filter((one) => one.kind === kind).length;
      return count ? [make("tr", {}, make("th", { scope: "row" }, words), make("td", {}, `${count}`))] : [];
    });
    const by = (until?.label ?? "today").replace(/^(at |on |(?=today))/, "by ");
    return make("table", { className: "n-time-counts" }, make("caption", {}, `What has become of the rules ${by}`), ...rows);
  };

  const saidOf = (timeline, { from }, entries) => {
    const standing = entries.filter(({ rule }) => rule);
    const isVoid = standing.filter(({ rule }) => timeline.isVoid(rule, from)).length;
    const last = timeline.moments[from.index];
    const after = last && from.instrument !== last.path ? `, after ${last.name}` : "";
    const force = isVoid ? ` (${isVoid} of them void)` : "";
    const rules = `${plural(standing.length, "rule")}${force}`;
    const how = from.label === "today" ? "stands" : from.day && from.day > timeline.data.today ? "would stand" : "stood";
    return `The ruleset as it ${how} ${from.label}${after}: ${rules}.`;
  };

  const changesOf = (timeline, index) => {
    const { changes } = timeline.moments[index];
    const deed = (verb) => `${verb}${verb.endsWith("e") ? "d" : "ed"}`;
    return joined(changes.map((change) => [`${deed(change.verb)} `, ruleLink(timeline, change)]), ", ");
  };

  const drawAbout = (timeline, { from }) => {
    const last = timeline.moments[from.index];
    const parts = [];
    if (last) {
      const when = last.effective === null ? [] : [", ", momentLink(last.effective)];
      const called = last.title ? ` “${last.title}”` : "";
      const named = [instrumentLink(last), called, ...actorLink(timeline, last), ...when];
      const done = [": ", ...changesOf(timeline, from.index), "."];
      parts.push(make("p", { className: "n-note" }, "Last change before then: ", ...named, ...done));
    }
    const waits = from.index >= timeline.present ? timeline.data.pending : [];
    if (waits.length) {
      const when = ({ effective }) => (effective === null ? "" : `, from ${shown(effective)}`);
      const each = waits.map((one) => [instrumentLink(one), when(one)]);
      parts.push(make("p", { className: "n-note" }, "Decided, and not yet in effect: ", ...joined(each, "; "), "."));
    }
    about.replaceChildren(...parts);
  };

  /* Says what could not be shown (`notes`), then what is shown. The same words are not written again, since a screen
     reader would read them out again. */
  const say = (notes, words, counts = null) => {
    const parts = notes.map((note) => make("p", { className: "n-notice" }, note));
    if (words) parts.push(make("p", {}, words));
    if (counts) parts.push(counts);
    const same = parts.length === said.children.length && parts.every((one, at) => one.isEqualNode(said.children[at]));
    if (!same) said.replaceChildren(...parts);
  };

  const notesOf = ({ from, until }) => {
    const found = [from, until].flatMap((one) => (one ? [one.error ?? one.note] : []));
    return [...new Set([...found, ...failures.values()])].filter(Boolean);
  };

  // Controls.

  const setValue = (control, value) => {
    if (control.value !== `${value}`) control.value = value;
  };

  const drawControls = (timeline, { from, until, only }) => {
    place.querySelector(".n-time-day").textContent = capital(from.label.replace(/^at the end of /, ""));
    setValue(field("day"), from.day ?? "");
    setValue(field("instrument"), from.instrument ?? (from.fragment === "initial" ? "initial" : ""));
    setValue(field("moment"), from.index);
    field("moment").setAttribute("aria-valuetext", timeline.placePoint(from.index).label);
    field("before").setAttribute("aria-disabled", from.index < 0);
    field("after").setAttribute("aria-disabled", from.index >= timeline.moments.length - 1);
    const other = until && until.fragment !== "today" ? until : null;
    setValue(field("with"), other?.day ?? "");
    field("differences").checked = until !== null;
    const which = other ? `the law ${other.label}` : "today";
    field("differences").nextElementSibling.textContent = `Show differences from ${which}`;
    field("only").checked = only;
    field("only").parentElement.hidden = until === null;
  };

  const listInstruments = (timeline) => {
    const years = new Map();
    for (const { path, name, title: called, effective } of timeline.moments) {
      const year = effective === null ? "undated" : effective.slice(0, 4);
      if (!years.has(year)) years.set(year, make("optgroup", { label: year }));
      const words = [effective && shownDay(effective), name, called].filter(Boolean).join(" · ");
      years.get(year).append(make("option", { value: path }, words));
    }
    field("instrument").append(make("option", { value: "initial" }, "the initial set"), ...years.values());
    field("moment").max = timeline.moments.length - 1;
  };

  let current = null;
  let frame = 0;
  const failures = new Set();

  const draw = (timeline) => {
    const view = current;
    const entries = timeline.listed(view);
    const inside = list.contains(document.activeElement) || about.contains(document.activeElement);
    drawControls(timeline, view);
    drawAbout(timeline, view);
    const came = () => drawSoon(timeline);
    const words = field("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const { all, left } = chosenOf(view, entries, words);
    const some = left.length ? `${left.length} of ${all.length} shown` : `No result among ${all.length} rules`;
    const count = place.querySelector(".n-time-count");
    if (count.textContent !== (words.length ? some : "")) count.textContent = words.length ? some : "";
    drawRules(timeline, view, left, came);
    // A word may stand in any text, so all of them are loaded when one is asked for.
    load(timeline, view, all, came, (error) => {
      failures.add(`Some texts could not be loaded (${error.message}). ${AGAIN}`);
      say(notesOf(current), saidOf(timeline, view, entries), countsOf(view, entries));
    });
    say(notesOf(view), saidOf(timeline, view, entries), countsOf(view, entries));
    document.title = view.from.label === "today" && !view.until ? title : `${capital(view.from.label)} · ${title}`;
    if (inside && !place.contains(document.activeElement)) said.focus();
  };

  const drawSoon = (timeline) => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => draw(timeline));
  };

  const asks = () => {
    const fragment = location.hash.slice(1);
    try {
      return decodeURIComponent(fragment);
    } catch {
      return fragment;
    }
  };

  const listen = (timeline) => {
    let visited = null;
    const go = (change, instead = false) => {
      current = { ...current, ...change };
      const fragment = `#${timeline.fragmentOf(current)}`;
      current = timeline.view(fragment.slice(1));
      if (fragment !== location.hash) history[instead ? "replaceState" : "pushState"](null, "", fragment);
      drawSoon(timeline);
    };
    // While a date is typed, it is many dates that nobody means: the browser's history gets one entry for all of them.
    const typed = (control, change) => {
      go(change, visited === control);
      visited = control;
    };
    const step = (by) => {
      const index = current.from.index + by;
      if (index >= -1 && index < timeline.moments.length) go({ from: timeline.placePoint(index) });
    };
    const changes = {
      day: ({ value }) => value && typed("day", { from: timeline.point(value) }),
      with: ({ value }) => typed("with", { until: value ? timeline.point(value) : timeline.todayPoint() }),
      instrument: ({ value }) => go({ from: timeline.point(value) }),
      differences: ({ checked }) => go({ until: checked ? timeline.todayPoint() : null }),
      only: ({ checked }) => go({ only: checked }),
    };
    form.addEventListener("submit", (event) => event.preventDefault());
    field("words").addEventListener("input", () => drawSoon(timeline));
    // Enter goes to the rule whose number was typed, or else to the first rule that is left.
    field("words").addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      const cards = [...list.querySelectorAll(".n-time-rule")];
      const called = cards.find((one) => one.textContent.startsWith(`Rule ${field("words").value.trim()}/`));
      const link = (called ?? cards[0])?.querySelector("h3 a");
      link?.focus({ preventScroll: true });
      (called ?? cards[0])?.scrollIntoView();
    });
    form.addEventListener("change", ({ target }) => changes[target.name]?.(target));
    place.addEventListener("focusout", () => (visited = null));
    field("moment").addEventListener("input", ({ target }) => {
      go({ from: timeline.placePoint(Number(target.value)) }, true);
    });
    bar.addEventListener("click", ({ target }) => {
      const name = target.closest("button")?.name;
      if (name === "before") step(-1);
      if (name === "after") step(1);
      if (name === "today") go({ from: timeline.todayPoint(), until: null });
    });
    addEventListener("popstate", () => {
      current = timeline.view(asks());
      drawSoon(timeline);
    });
  };

  const start = async () => {
    place.hidden = false;
    let data;
    try {
      data = await fetched(place.dataset.timeline);
    } catch (error) {
      say([`The history of the rules could not be loaded (${error.message}). ${AGAIN}`], "");
      return;
    }
    const timeline = read(data);
    listInstruments(timeline);
    listen(timeline);
    // Until now, whatever somebody chose would have been overwritten.
    for (const one of place.querySelectorAll("fieldset")) one.disabled = false;
    current = timeline.view(asks());
    place.querySelector(".n-time-more").open = current.until !== null || Boolean(current.from.instrument);
    draw(timeline);
  };

  start();
})();
