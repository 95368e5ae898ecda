/* A rule's life under the reader's hand: its text at any line of its history, what any two of them differ in, and an
   address for each, `?at=305/1` or `?at=203/0..312/2`; and its text on any day, `?on=2026-10-07`. Without this the page
   has the list of revisions. */
(() => {
  "use strict";

  const place = document.querySelector(".n-life");
  if (!place) return;
  const { load, make, elementOf, mark } = globalThis.nomicWords;
  const law = document.querySelector(".n-main > .n-law");
  const authors = document.querySelector(".n-main > :is(.n-authors, .n-only)");
  const meaning = document.querySelector(".n-program");
  const range = place.querySelector("input[type=range]");
  const date = place.querySelector("input[type=date]");
  const said = place.querySelector(".n-life-said");
  const other = place.querySelector("select");
  const [before, after, back] = place.querySelectorAll("button");
  const shown = Number(range.value);
  const { life: address, root } = law.parentElement.dataset;
  const [text, line, gone] = [[...law.childNodes], [...said.childNodes], law.classList.contains("n-law--gone")];
  const TEXTS = ["initial", "enact", "amend"];
  place.querySelector(".n-life-ticks").append(...[...place.dataset.ticks].map((kind) => make("span", { className: `n-tick-${kind}` })));
  const texts = [...place.dataset.ticks].flatMap((kind, index) => (kind === "a" ? [index] : []));
  for (const [index, ref] of place.dataset.texts.split(" ").entries()) other.append(make("option", { value: `${texts[index]}` }, ref));
  let life = null;
  let base = null;
  let at = shown;
  let day = "";

  /* The lines of the history, each with its name in an address, and the revision that stood after it. */
  const read = (data) => {
    const names = new Map();
    let revision = -1;
    base = new URL(root + data.url, location);
    return data.entries.map((entry) => {
      revision += TEXTS.includes(entry.verb);
      const ref = `${entry.number}/${entry.revision}`;
      const again = names.get(ref) ?? 0;
      names.set(ref, again + 1);
      return { ...entry, name: again ? `${ref}.${again}` : ref, ref, text: data.revisions[revision], revision };
    });
  };
  let coming = null;
  const ready = async () => {
    coming ??= load(address).then(read);
    try {
      life = await coming;
    } catch (error) {
      coming = null;
      said.textContent = `The history of this rule could not be loaded (${error.message}).`;
    }
    return life !== null;
  };

  const lineOf = (one) => {
    const [first, rest] = one.by && one.line.includes(one.by) ? one.line.split(one.by) : [one.line, ""];
    const link = one.by && rest !== "" ? [make("a", { className: "n-ref", href: `${root}${one.url}` }, one.by)] : [];
    const name = make("strong", {}, one.ref);
    return [name, " ", first, ...link, rest, ...(one.outcome ? [" ", make("span", { className: "n-note" }, one.outcome)] : [])];
  };

  /* `On Oct 7, 2026`, which leads to the whole law of that day. */
  const dayOf = () => {
    if (!day) return [];
    const words = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
    const href = `${date.dataset.time}#${day}`;
    return ["At the end of ", make("a", { className: "n-ref", href, title: "the whole law of that day" }, words), ": "];
  };

  const compared = () => (other.value === "" ? null : Number(other.value));

  const draw = (from) => {
    const with_ = compared();
    const [one, past] = [life[at], at !== shown];
    range.value = at;
    range.setAttribute("aria-valuetext", `${one.ref}, ${one.line}`);
    before.disabled = at === 0;
    after.disabled = at === life.length - 1;
    back.hidden = !past && with_ === null;
    place.classList.toggle("n-life--past", past);
    for (const each of [authors, meaning]) if (each) each.hidden = past || with_ !== null;
    law.parentElement.dataset.ref = with_ === null ? one.text && one.name.split(".")[0] : "";
    law.classList.toggle("n-law--gone", past ? one.verb === "repeal" : gone);
    date.value = day;
    back.hidden &&= !day;
    said.replaceChildren(...dayOf(), ...(past || day || with_ !== null ? lineOf(one) : line));
    if (with_ !== null) {
      const [old, fresh] = [Math.min(at, with_), Math.max(at, with_)].map((index) => life[index].text.html);
      const marked = mark(elementOf(old, base), elementOf(fresh, base));
      said.append(make("span", { className: "n-life-with" }, ` Compared with ${life[with_].ref}.`));
      law.replaceChildren(...marked.childNodes);
    } else if (!past) law.replaceChildren(...text);
    else {
      const made = elementOf(one.text.html, base);
      if (from !== null && life[from].revision !== one.revision) mark(elementOf(life[from].text.html, base), made, true);
      law.replaceChildren(...made.childNodes);
    }
  };

  const remember = () => {
    const asked = new URLSearchParams(location.search);
    for (const name of ["at", "on", "quote"]) asked.delete(name);
    const with_ = compared();
    const names = [at, with_].filter((index) => index !== null).sort((one, two) => one - two).map((index) => life[index].name);
    // A slash and dots may stand in a query as they are, and are read more easily so.
    const place = at !== shown || with_ !== null ? `at=${names.join("..")}` : "";
    const own = day && with_ === null ? `on=${day}` : place;
    const search = [`${asked}`, own].filter(Boolean).join("&");
    history.replaceState(history.state, "", `${location.pathname}${search ? `?${search}` : ""}${location.hash}`);
  };

  let pause = 0;
  const go = async (index, on = "") => {
    if (!(await ready()) || index < 0 || index >= life.length) return;
    const from = at;
    at = index;
    day = on;
    draw(from);
    // Browsers take only so many addresses in a while.
    clearTimeout(pause);
    pause = setTimeout(remember, 200);
  };

  /* The text of a day is that of the last line that had taken effect at its end; one without a day goes with the one
     before it. */
  const goOn = async (on) => {
    if (!(await ready())) return;
    const late = life.findIndex(({ effective }) => effective !== null && effective.slice(0, 10) > on);
    other.value = "";
    await go(late < 0 ? life.length - 1 : Math.max(late - 1, 0), on);
    if (late) return;
    said.replaceChildren(...dayOf(), "this rule did not stand yet. Its first text is shown. ", ...lineOf(life[0]));
    law.classList.add("n-law--gone");
  };

  const recall = async () => {
    const query = new URLSearchParams(location.search);
    const [on] = /^\d{4}-\d\d-\d\d$/.exec(query.get("on") ?? "") ?? [];
    if (on && !Number.isNaN(Date.parse(on))) return goOn(on);
    const asked = query.get("at");
    if (asked === null) return life && go(shown);
    if (!(await ready())) return null;
    const found = asked.split("..").map((name) => life.findIndex((one) => one.name === name));
    if (found.includes(-1) || found.length > 2) {
      said.replaceChildren(`This rule has no ${asked} in its history: it is shown as it stands.`);
      return null;
    }
    other.value = found.length > 1 ? `${found[0]}` : "";
    return go(found.at(-1));
  };

  range.addEventListener("input", () => go(Number(range.value)));
  before.addEventListener("click", () => go(at - 1));
  after.addEventListener("click", () => go(at + 1));
  back.addEventListener("click", () => {
    other.value = "";
    go(shown);
    range.focus();
  });
  other.addEventListener("change", () => go(at));
  // A year that is being typed passes through years of long ago.
  date.addEventListener("change", () => (date.value ? date.value > "1000" && goOn(date.value) : go(shown)));
  addEventListener("popstate", recall);
  range.value = shown;
  other.value = "";
  globalThis.nomicLife = { go, ready: async () => (await ready()) && life };
  recall();
})();
