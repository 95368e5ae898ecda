/* Draws the rules on the time machine's page: an article for each, with its text or a redline, and links. Texts are
   fetched meanwhile, and filled in as they come. */
(() => {
  "use strict";

  const place = document.getElementById("time");
  if (!place) return;
  const { shown, dayOf } = globalThis.nomicTimeline;
  const list = place.querySelector(".n-time-rules");
  const root = place.dataset.root;
  // Of many later changes of a rule, so many are listed.
  const FEW = 4;

  const capital = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

  /* An element; its attributes as properties; its children nodes or words, of which empty ones are left out. */
  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children.filter((one) => one !== null && one !== ""));
    return made;
  };
  const joined = (parts, between) => parts.flatMap((one, index) => (index ? [between, one] : [one])).flat();

  // Links.

  const instrumentLink = (one) => make("a", { className: "n-ref", href: `${root}${one.url}` }, one.name);
  const momentLink = (moment) =>
    make("a", { className: "n-when", href: `#${moment}` }, make("time", { dateTime: moment }, shown(moment)));
  const actorLink = (timeline, one) => {
    const actor = one.player === null ? null : timeline.data.players[one.player];
    if (!actor || actor.name === one.name) return [];
    const link = actor.url ? make("a", { className: "n-who", href: `${root}${actor.url}` }, actor.name) : actor.name;
    return [" (", link, ")"];
  };
  const rulePage = (timeline, rule) => `${root}${timeline.data.rules[rule.rule]}`;
  const ruleLink = (timeline, rule) =>
    make(
      "a",
      { className: "n-ref", href: `${rulePage(timeline, rule)}#r${rule.revision}` },
      `Rule ${rule.number}/${rule.revision}`,
    );

  // Texts. A bundle is fetched when one of its texts is wanted, and only once.

  const texts = new Map();
  const asked = new Map();

  const fetched = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer.json();
  };

  const bundleOf = (timeline, text) => timeline.data.bundles.findLastIndex((first) => first <= text);

  const bundle = (timeline, index) => {
    if (!asked.has(index)) {
      const folder = place.dataset.timeline.replace(/timeline\.json$/, "texts/");
      const coming = fetched(`${folder}${index + 1}.json`).then(({ first, texts: found }) => {
        found.forEach(([text, html], number) => texts.set(first + number, { text, html }));
      });
      // A bundle that could not be fetched is tried again the next time.
      asked.set(index, coming.catch((error) => (asked.delete(index), Promise.reject(error))));
    }
    return asked.get(index);
  };

  const wanted = ({ rule, then }, compared) =>
    [rule, compared ? then : null].flatMap((one) => (one && one.text !== null ? [one.text] : []));

  // One rule.

  const lawOf = (rule) => {
    const law = make("div", { className: "n-law" });
    if (rule.text === null) law.append(make("p", { className: "n-lost" }, "The text of this revision is lost."));
    // The texts were sanitised when the site was made.
    else law.innerHTML = texts.get(rule.text).html;
    return law;
  };

  const redlineOf = (old, fresh, label) => {
    const { elementOf, mark } = globalThis.nomicWords;
    const marked = mark(elementOf(old, location), elementOf(fresh, location));
    const made = make("div", { className: "n-law n-redline" }, ...marked.childNodes);
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", label);
    return made;
  };

  const textOf = ({ rule, then, kind }, compared) => {
    const either = rule ?? then;
    const known = (one) => one === null || one.text !== null;
    if (!compared || kind === "same" || kind === "changed" || !known(rule) || !known(then)) return lawOf(either);
    const [old, fresh] = [rule, then].map((one) => (one ? texts.get(one.text).html : ""));
    if (rule && then && old === fresh) return lawOf(either);
    const label = rule && then ? `From ${rule.number}/${rule.revision} to ${then.number}/${then.revision}` : kind;
    return redlineOf(old, fresh, capital(label));
  };

  const waiting = () => {
    const made = make("div", { className: "n-law n-time-waiting" });
    made.setAttribute("aria-busy", "true");
    return made;
  };

  const changeWords = ({ change, moment }, timeline) => {
    const verbs = {
      enact: "enacted",
      amend: `amended (${change.revision})`,
      transmute: `transmuted to ${timeline.data.tiers[change.tier]}`,
      renumber: `renumbered to ${change.number}`,
      retitle: change.title ? `retitled “${change.title}”` : "left without a title",
      repeal: "repealed",
      mark: "marked",
    };
    const when = moment.effective === null ? [] : [", ", momentLink(moment.effective)];
    const late = moment.effective !== null && dayOf(moment.effective) > timeline.data.today;
    const note = late ? " (not yet in effect)" : "";
    return [`${verbs[change.verb]} by `, instrumentLink(moment), ...actorLink(timeline, moment), ...when, note];
  };

  const sinceOf = (timeline, { rule, then }, later) => {
    if (!later.length) return null;
    const shownOnes = later.length > FEW + 1 ? later.slice(0, FEW) : later;
    const parts = shownOnes.map((one) => changeWords(one, timeline));
    if (shownOnes.length < later.length) {
      const more = `${later.length - FEW} more changes`;
      parts.push([make("a", { className: "n-ref", href: rulePage(timeline, rule ?? then) }, more)]);
    }
    return make("p", { className: "n-note n-time-since" }, "Since then ", ...joined(parts, "; "), ".");
  };

  const KINDS = {
    amended: ["amended", "open"],
    changed: ["changed", "open"],
    repealed: ["repealed", "bad"],
    enacted: ["new", "good"],
  };

  /* The badges of a rule: pairs of words and a tone. They say what is not in its text: its section, whether it is void,
     and, when two points are compared, what else is different. */
  const badgesOf = (timeline, { rule, then, kind }, { from, until }) => {
    const { tiers, sections } = timeline.data;
    const either = rule ?? then;
    const found = [];
    if (until && KINDS[kind]) found.push(KINDS[kind]);
    if (timeline.isVoid(either, rule ? from : until)) found.push(["void", "bad"]);
    if (either.section !== null) found.push([sections[either.section], ""]);
    if (until && rule && then) {
      if (rule.tier !== then.tier) found.push([`then ${tiers[then.tier]}`, "open"]);
      if (rule.number !== then.number) found.push([`then Rule ${then.number}`, "open"]);
      if (rule.title !== then.title) found.push([then.title ? `then “${then.title}”` : "then untitled", "open"]);
      if (rule.section !== then.section) found.push([`then in ${sections[then.section] ?? "no section"}`, "open"]);
      const force = timeline.isVoid(then, until);
      if (timeline.isVoid(rule, from) !== force) found.push([force ? "then void" : "then in force", "open"]);
    }
    return found;
  };

  const drawBadges = (found) => {
    const badges = found.map(([words, tone]) => make("li", { className: tone ? `n-badge--${tone}` : "" }, words));
    const made = make("ul", { className: "n-badges" }, ...badges);
    made.setAttribute("aria-label", "At a glance");
    return made;
  };

  // So long (in milliseconds) articles are drawn at once; then those out of sight wait for the next time.
  const PATIENCE = 150;
  const cards = new Map();
  const near = new Set();
  let deadline = 0;
  let unfinished = false;

  const watch = new IntersectionObserver(
    (found) => {
      for (const { target, isIntersecting } of found) near[isIntersecting ? "add" : "delete"](target);
    },
    { rootMargin: "300px" },
  );

  const newCard = () => {
    const made = make("article", { className: "n-time-rule" });
    watch.observe(made);
    return { seen: "", made };
  };

  /* Returns the article of a rule. One that is there already is only filled anew if something in it is different. */
  const cardOf = (timeline, entry, view, later) => {
    const either = entry.rule ?? entry.then;
    const compared = view.until !== null;
    const ready = wanted(entry, compared).every((text) => texts.has(text));
    const badges = badgesOf(timeline, entry, view);
    const states = compared ? [entry.rule, entry.then] : [entry.rule];
    const last = later.at(-1)?.index ?? "";
    const seen = JSON.stringify([ready, entry.kind, compared, badges, last, later.length, states]);
    if (!cards.has(either.rule)) cards.set(either.rule, newCard());
    const card = cards.get(either.rule);
    if (card.seen === seen) return card.made;
    // Articles out of sight follow a little later.
    if (performance.now() > deadline && card.seen && !near.has(card.made)) {
      unfinished = true;
      return card.made;
    }
    const name = either.title ? make("span", { className: "n-name" }, ` · ${either.title}`) : null;
    card.made.replaceChildren(
      make("h3", {}, ruleLink(timeline, either), ...(name ? [name] : [])),
      ...(badges.length ? [drawBadges(badges)] : []),
      ready ? textOf(entry, compared) : waiting(),
      ...[sinceOf(timeline, entry, later)].filter(Boolean),
    );
    card.seen = seen;
    return card.made;
  };

  // The whole list.

  const sections = new Map();

  const sectionOf = (timeline, tier) => {
    if (!sections.has(tier)) {
      const count = make("span", { className: "n-note" });
      const box = make("div", {});
      const heading = make("h2", {}, `${capital(timeline.data.tiers[tier])} rules `, count);
      sections.set(tier, { made: make("section", {}, heading, box), box, count });
    }
    return sections.get(tier);
  };

  const arrange = (box, nodes) => {
    const same = box.children.length === nodes.length && nodes.every((one, index) => box.children[index] === one);
    if (!same) box.replaceChildren(...nodes);
  };

  /* The words by which a rule is found: its number, its title, and its texts as far as they have come. */
  const wordsOf = ({ rule, then }, compared) => {
    const told = [rule, compared || !rule ? then : null].filter(Boolean);
    const parts = told.flatMap((one) => [one.number, one.title, texts.get(one.text)?.text]);
    return parts.filter(Boolean).join(" ").toLowerCase();
  };

  /* Returns the rules of a view (`all`), and those of them that have all words that are asked for (`left`). */
  const chosenOf = (view, entries, words) => {
    const all = entries.filter(({ rule, kind }) => (view.until ? !view.only || kind !== "same" : rule));
    const left = all.filter((entry) => words.every((word) => wordsOf(entry, view.until !== null).includes(word)));
    return { all, left };
  };

  /* Draws the rules of a view. If some are left to be drawn, it calls `again`, which has to draw once more. */
  const drawRules = (timeline, view, chosen, again) => {
    deadline = performance.now() + PATIENCE;
    unfinished = false;
    const until = view.until ? view.until.index : timeline.moments.length - 1;
    const later = timeline.between(view.from.index, until);
    const tiers = new Map();
    for (const entry of chosen) {
      const { tier, rule } = entry.rule ?? entry.then;
      if (!tiers.has(tier)) tiers.set(tier, []);
      tiers.get(tier).push(cardOf(timeline, entry, view, later.get(rule) ?? []));
    }
    if (unfinished) again();
    const drawn = [...tiers].map(([tier, made]) => {
      const { made: section, box, count } = sectionOf(timeline, tier);
      count.textContent = made.length;
      arrange(box, made);
      return section;
    });
    arrange(list, drawn);
  };

  /* Fetches the texts that are not here yet. `came` is called after each bundle, `failed` with an error. */
  const load = (timeline, view, chosen, came, failed) => {
    const compared = view.until !== null;
    const missing = new Set();
    for (const entry of chosen) {
      for (const text of wanted(entry, compared)) if (!texts.has(text)) missing.add(bundleOf(timeline, text));
    }
    for (const index of missing) {
      bundle(timeline, index).then(came, failed);
    }
  };

  globalThis.nomicRules = {
    make, joined, capital, fetched, instrumentLink, momentLink, actorLink, ruleLink, chosenOf, drawRules, load,
  };
})();
