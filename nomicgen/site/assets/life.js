/* The lifeline of a rule. Its slider leads to the page of any revision, its date to the text of that day, and its list
   compares the text with another. Addresses do the same: `?at=305/1`, `?at=203/0..312/2`, `?on=2026-10-07`. Without this
   script, the page has links to the revisions. */
(() => {
  "use strict";

  const place = document.querySelector(".n-life");
  if (!place) return;
  const { load, make, elementOf, mark } = globalThis.nomicWords;
  const main = document.querySelector(".n-main[data-life]");
  const law = main.querySelector(":scope > .n-law");
  const hidden = [...document.querySelectorAll(".n-main > :is(.n-authors, .n-only), .n-program")];
  const range = place.querySelector("input[type=range]");
  const date = place.querySelector("input[type=date]");
  const said = place.querySelector(".n-life-said");
  const other = place.querySelector("select");
  const [before, after, back] = place.querySelectorAll("button");
  const shown = Number(range.value);
  const { life: address, root } = main.dataset;
  const [text, line, gone] = [[...law.childNodes], [...said.childNodes], law.classList.contains("n-law--gone")];
  // The verbs of the lines that give a rule a text.
  const TEXTS = ["initial", "enact", "amend"];
  // Under this key the next page finds which control had the focus.
  const KEPT = "nomic-life";
  // So long (in milliseconds) the slider rests before the page of its revision is opened.
  const PAUSE = 700;
  // On a screen of this width, two compared texts stand side by side.
  const WIDE = matchMedia("(min-width: 76.25em)");
  place.querySelector(".n-life-ticks").append(...[...place.dataset.ticks].map((kind) => make("span", { className: `n-tick-${kind}` })));
  const texts = [...place.dataset.ticks].flatMap((kind, index) => (kind === "a" ? [index] : []));
  for (const [index, ref] of place.dataset.texts.split(" ").entries()) other.append(make("option", { value: `${texts[index]}` }, ref));
  let life = null;
  let base = null;

  /* The lines of the history, each with its name in an address (`305/1`, and `305/1.1` for the second of that reference),
     and the text that the rule had after it. */
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

  /* `At the end of Oct 7, 2026: `, with a link to the whole law of that day. */
  const dayOf = (day) => {
    const words = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
    const href = `${date.dataset.time}#${day}`;
    return ["At the end of ", make("a", { className: "n-ref", href, title: "the whole law of that day" }, words), ": "];
  };

  /* Opens the page that shows the revision of a line, with the query `more`. Returns whether that is another page. */
  const lead = (index, more = "", replaces = false) => {
    const there = new URL(root + life[index].page, location);
    there.search = more;
    if (there.pathname === location.pathname && there.search === location.search && !there.hash) return false;
    location[replaces ? "replace" : "assign"](there);
    return true;
  };

  /* Shows a line while the slider moves, and opens its page after `wait` milliseconds. */
  let pause = 0;
  const move = async (index, wait = 0) => {
    if (!(await ready()) || index < 0 || index >= life.length) return;
    range.value = index;
    said.replaceChildren(...lineOf(life[index]));
    range.setAttribute("aria-valuetext", said.textContent);
    clearTimeout(pause);
    if (index !== shown) pause = setTimeout(() => (sessionStorage.setItem(KEPT, document.activeElement?.type ?? ""), lead(index)), wait);
  };

  /* Shows the text compared with that of another line: in one redline, or side by side. null: the text alone again. */
  const compare = async (index) => {
    const compared = index !== null && (await ready());
    for (const one of hidden) one.hidden = compared;
    back.hidden = !compared;
    law.classList.toggle("n-law--gone", gone && !compared);
    other.value = compared ? `${index}` : "";
    if (!compared) {
      law.classList.remove("n-law--beside");
      said.replaceChildren(...line);
      law.replaceChildren(...text);
      return;
    }
    const [old, fresh] = [life[Math.min(shown, index)], life[Math.max(shown, index)]];
    said.replaceChildren("Compared: ", make("del", {}, `− ${old.ref}`), " ", make("ins", {}, `+ ${fresh.ref}`));
    const [was, is] = [old, fresh].map((one) => () => elementOf(one.text.html, base));
    law.classList.toggle("n-law--beside", WIDE.matches);
    if (!WIDE.matches) law.replaceChildren(...mark(was(), is()).childNodes);
    else {
      // In each text, the words that the other has not are marked.
      const [left, right] = [mark(is(), was(), true), mark(was(), is(), true)];
      left.className = "n-was";
      law.replaceChildren(left, right);
    }
  };
  const remember = (index) => {
    const asked = new URLSearchParams(location.search);
    for (const name of ["at", "on", "quote", "with"]) asked.delete(name);
    const own = index === null ? "" : `with=${life[index].name}`;
    const search = [`${asked}`, own].filter(Boolean).join("&");
    history.replaceState(history.state, "", `${location.pathname}${search ? `?${search}` : ""}${location.hash}`);
  };

  /* Shows the text of a day: that of the last line that had taken effect at its end. A line without a day took effect
     with the one before it. Before its first line the rule had no text. */
  const goOn = async (on, replaces) => {
    if (!(await ready())) return;
    const late = life.findIndex(({ effective }) => effective !== null && effective.slice(0, 10) > on);
    const index = late < 0 ? life.length - 1 : Math.max(late - 1, 0);
    const elsewhere = life[index].page !== life[shown].page;
    if (elsewhere && lead(index, `?on=${on}`, replaces)) return;
    date.value = on;
    if (late) said.replaceChildren(...dayOf(on), ...lineOf(life[index]));
    else {
      said.replaceChildren(...dayOf(on), make("strong", {}, "this rule did not exist yet."), ` Its first text is ${life[0].ref}.`);
      law.hidden = true;
    }
  };

  const recall = async () => {
    const query = new URLSearchParams(location.search);
    const [on] = /^\d{4}-\d\d-\d\d$/.exec(query.get("on") ?? "") ?? [];
    if (on && !Number.isNaN(Date.parse(on))) return goOn(on, true);
    const [asked, beside] = [query.get("at"), query.get("with")];
    if (asked === null && beside === null) return null;
    if (!(await ready())) return null;
    const names = asked === null ? [life[shown].name, beside] : asked.split("..");
    const found = names.map((name) => life.findIndex((one) => one.name === name));
    if (found.includes(-1) || found.length > 2) {
      said.replaceChildren(`This rule has no ${asked ?? beside} in its history: it is shown as it stands.`);
      return null;
    }
    if (asked === null) return compare(found[1]);
    const [first, last] = [found[0], found.at(-1)];
    if (life[last].page !== life[shown].page) return lead(last, found.length > 1 ? `?with=${names[0]}` : "", true);
    return found.length > 1 ? compare(first) : null;
  };

  range.addEventListener("input", () => move(Number(range.value), PAUSE));
  range.addEventListener("change", () => move(Number(range.value), range.matches(":active") ? 0 : PAUSE));
  before.addEventListener("click", () => move(shown - 1));
  after.addEventListener("click", () => move(shown + 1));
  before.disabled = shown === 0;
  const choose = async (index) => {
    await compare(index);
    if (life) remember(index);
  };
  back.addEventListener("click", () => choose(null).then(() => other.focus()));
  other.addEventListener("change", () => choose(other.value === "" ? null : Number(other.value)));
  // While a year is typed, the date has years such as 0002: these do not count.
  date.addEventListener("change", () => date.value > "1000" && goOn(date.value, false));
  range.value = shown;
  range.setAttribute("aria-valuetext", said.textContent);
  other.value = "";
  if (sessionStorage.getItem(KEPT) === "range") range.focus({ preventScroll: true });
  sessionStorage.removeItem(KEPT);
  recall();
})();
