/* The first page and the history: what is new since the reader's last visit; on the first page, also what the reader
   can do. When they last came, and who they are, is kept only in their browser. */
(() => {
  "use strict";

  const main = document.querySelector("[data-news]");
  if (!main) return;
  const { fetched, load, make, elementOf, mark } = globalThis.nomicWords;
  const root = new URL(".", new URL(main.dataset.news, location)).pathname.replace(/assets\/$/, "");
  const KEY = `nomic:${root}`;
  // A reader who comes back within this time (in milliseconds) is still at the same visit.
  const VISIT = 30 * 60 * 1000;
  // The most rules that are shown with what changed in them.
  const MOST = 8;

  const kept = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY));
    } catch {
      return null;
    }
  };
  const keep = (state) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(state));
    } catch {
      // The page works without storage, too.
    }
  };

  const link = (one) => make("a", { className: "n-ref", href: root + one.url }, one.name);
  const listed = (title, items) => (items.length ? [make("h3", {}, title), make("ul", {}, ...items)] : []);

  /* Returns a redline of a rule, from its text before some files changed it to its text now, under its name. */
  const redline = async (address, files) => {
    const data = await load(root + address);
    const base = new URL(root + data.url, location);
    const first = data.entries.findIndex((one) => files.has(one.file));
    const texts = data.entries.slice(0, Math.max(first, 0)).filter((one) => ["initial", "enact", "amend"].includes(one.verb)).length;
    const old = elementOf(texts ? data.revisions[texts - 1].html : "", base);
    const fresh = elementOf(data.status === "repealed" ? "" : data.revisions.at(-1).html, base);
    const lines = data.entries.slice(Math.max(first, 0)).map((one) => one.line);
    const name = `Rule ${data.number}/${data.revision}${data.title ? ` · ${data.title}` : ""}`;
    return make(
      "article",
      {},
      make("h4", {}, make("a", { className: "n-ref", href: root + data.url }, name)),
      make("p", { className: "n-note" }, lines.join("; ")),
      make("div", { className: "n-law" }, ...mark(old, fresh).childNodes),
    );
  };

  /* Shows what is new since `base`. If nothing is, it says so only to a reader who was here before (`again`). `away` is
     called when the reader puts the news away: it marks them as seen. */
  const tell = async (news, base, again, away) => {
    const changes = news.changes.slice(Math.max(news.changes.length - (news.all - base.all), 0));
    const votes = news.votes.filter((one) => base.votes[one.file] !== one.open);
    const stated = (all, seen) => (seen ? all.filter((one) => seen[one.file] !== one.said) : []);
    const [judgements, drafts] = [stated(news.judgements, base.judgements), stated(news.drafts, base.drafts)];
    const scores = base.scores ? Object.entries(news.scores).filter(([name, total]) => base.scores[name] !== total) : [];
    const asked = { day: "numeric", month: "short", timeZone: "UTC", year: "numeric" };
    const last = new Date(base.day).toLocaleDateString("en", asked);
    if (![changes, votes, judgements, drafts, scores].some((one) => one.length)) {
      if (again) main.prepend(make("p", { className: "n-note" }, `Nothing new since you last looked, on ${last}.`));
      return;
    }
    const rules = [...new Set(changes.flatMap((one) => one.rules))];
    const files = new Set(changes.map((one) => one.file));
    const { day } = base;
    const said = make("span", { className: "n-note" }, last);
    const button = make("button", { type: "button", className: "n-button" }, "Put away");
    const since = make("section", { className: "n-since" });
    since.setAttribute("aria-labelledby", "since");
    button.addEventListener("click", () => {
      away();
      since.remove();
    });
    const redlines = await Promise.all(rules.slice(0, MOST).map((address) => redline(address, files)));
    const all = make("a", { href: `${root}${news.time}#${day}..today&only` }, "What changed in the law since then");
    const few = rules.length > MOST ? [make("p", { className: "n-note" }, `${MOST} of ${rules.length} rules that changed:`)] : [];
    since.append(
      make("div", { className: "n-since-head" }, make("h2", { id: "since" }, "Since you last looked"), said, button),
      ...listed("Votes opened", votes.filter((one) => one.open).map((one) =>
        make("li", {}, link(one), one.awaited.length ? `; awaited: ${one.awaited.join(", ")}` : ""))),
      ...listed("Votes closed", votes.filter((one) => !one.open).map((one) => make("li", {}, link(one), `: ${one.said}`))),
      ...listed("Judgements", judgements.map((one) => make("li", {}, link(one), `: ${one.said}`))),
      ...listed("Drafts", drafts.map((one) => make("li", {}, link(one)))),
      ...listed("Scores", scores.map(([name, total]) =>
        make("li", {}, `${name}: ${total}${base.scores[name] === undefined ? "" : `, was ${base.scores[name]}`}`))),
      ...(redlines.length ? [make("h3", {}, "The law"), ...few, ...redlines, make("p", {}, all)] : []),
    );
    main.prepend(since);
  };

  /* Fetches the news, remembers what this visit has seen, and shows what the last visit had not. */
  const look = async () => {
    const state = kept();
    const news = await fetched(main.dataset.news);
    const now = new Date();
    const day = `${now.getFullYear()}-${`${now.getMonth() + 1}`.padStart(2, "0")}-${`${now.getDate()}`.padStart(2, "0")}`;
    const states = (all) => Object.fromEntries(all.map((one) => [one.file, one.said]));
    const votes = Object.fromEntries(news.votes.map((one) => [one.file, one.open]));
    const [judgements, drafts] = [states(news.judgements), states(news.drafts)];
    const seen = { all: news.all, day, votes, judgements, drafts, scores: news.scores };
    const base = !state?.seen ? seen : now - state.at > VISIT ? state.seen : state.base;
    keep({ ...state, base, seen, at: +now });
    await tell(news, base, Boolean(state?.seen), () => keep({ ...kept(), base: seen, seen, at: +now }));
  };

  /* The reader can say which player they are: the page then marks what that player can do. */
  const me = document.querySelector(".n-me");
  if (me) {
    const select = me.querySelector("select");
    const heading = document.querySelector(".n-can");
    const words = heading?.textContent;
    const choose = (ident) => {
      for (const one of document.querySelectorAll("[data-who]")) one.hidden = ident && one.dataset.who && !one.dataset.who.split(" ").includes(ident);
      for (const one of document.querySelectorAll("[data-waits]")) one.classList.toggle("n-mine", ident && one.dataset.waits.split(" ").includes(ident));
      if (heading) heading.textContent = ident ? "What you can do now" : words;
    };
    select.value = kept()?.me ?? "";
    choose(select.value);
    select.addEventListener("change", () => {
      keep({ ...kept(), me: select.value });
      choose(select.value);
    });
  }

  look().catch(() => {});
})();
