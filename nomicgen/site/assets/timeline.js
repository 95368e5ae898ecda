/* The law of any moment, worked out from the game's timeline (`api/v1/timeline.json`). It knows no page and no network.

   A place in the timeline is the index of the last moment that has taken effect there; -1 is the initial set. A point
   is a place that was asked for: `{index, fragment, label, day, clock, note}`. `fragment` is its name in an address, and
   `label` its name in words; `clock` is null for a whole day. The point of an instrument also has its `instrument`. If
   what was asked for does not exist, the point is today's, and its `error` says so. */
(() => {
  "use strict";

  const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const DAY = /^\d{4}-\d\d-\d\d$/;
  const TIMED = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

  const isDay = (text) => {
    const date = new Date(`${text}T00:00Z`);
    return DAY.test(text) && !text.startsWith("0000") && !Number.isNaN(+date) && date.toISOString().startsWith(text);
  };
  const dayOf = (moment) => moment.slice(0, 10);
  /* A day without a time is its start. */
  const exact = (moment) => (moment.length === 10 ? `${moment}T00:00` : moment.replace(/(T\d\d:\d\d):00$/, "$1"));
  const shownDay = (moment) => {
    const [year, month, day] = dayOf(moment).split("-");
    return `${MONTHS[month - 1]} ${Number(day)}, ${year}`;
  };
  const shown = (moment) => (moment.length > 10 ? `${shownDay(moment)}, ${moment.slice(11)}` : shownDay(moment));

  const changeOf = ([rule, number, revision, tier, title, section, isVoid, verb, text]) => ({
    rule, number, revision, tier, title, section, void: isVoid, verb, text,
  });

  const read = (data) => {
    const initial = data.initial.map(changeOf);
    const moments = data.moments.map((one) => ({ ...one, changes: one.changes.map(changeOf) }));
    const byPath = new Map(moments.map((one, index) => [one.path, index]));
    const pending = new Map(data.pending.map((one) => [one.path, one]));

    const last = (fits) => {
      /* A moment without a day belongs to the one before it. */
      const late = moments.findIndex(({ effective }) => effective !== null && !fits(effective));
      return late < 0 ? moments.length - 1 : late - 1;
    };
    const atEndOf = (day) => last((effective) => dayOf(effective) <= day);
    const at = (clock) => last((effective) => exact(effective) <= exact(clock));
    const present = atEndOf(data.today);

    /* The rules that stand at a place, by identity. */
    const standing = (index) => {
      const rules = new Map(initial.map((one) => [one.rule, one]));
      for (let place = 0; place <= index; place += 1) {
        for (const one of moments[place].changes) {
          if (one.verb === "repeal") rules.delete(one.rule);
          else rules.set(one.rule, one);
        }
      }
      return rules;
    };

    /* Whether a rule stands without force at a point. */
    const isVoid = (rule, point) => {
      if (typeof rule.void !== "string") return rule.void;
      if (point.clock === null) return point.day === null || dayOf(rule.void) <= point.day;
      return exact(rule.void) <= exact(point.clock);
    };

    /* What is done to each rule after one place and up to another, by identity: [{change, moment, index}]. */
    const between = (from, until) => {
      const found = new Map();
      for (let index = from + 1; index <= until; index += 1) {
        for (const change of moments[index].changes) {
          if (!found.has(change.rule)) found.set(change.rule, []);
          found.get(change.rule).push({ change, moment: moments[index], index });
        }
      }
      return found;
    };

    const before = (day) => data.started !== null && day < dayOf(data.started);

    const dayPoint = (day) => {
      const index = atEndOf(day);
      const point = { index, fragment: day, label: `at the end of ${shownDay(day)}`, day, clock: null, note: "" };
      if (before(day) && index < 0) {
        point.label = initialPoint().label;
        const began = shownDay(data.started);
        point.note = `On ${shownDay(day)} the game had not begun: it began on ${began}. This is the initial set.`;
      } else if (day > data.today) {
        point.note = `This site knows the law up to ${shownDay(data.today)}, and not yet that of ${shownDay(day)}.`;
      } else if (day === data.today) point.label = "today";
      return point;
    };

    const clockPoint = (clock) => {
      const label = `on ${shown(clock)}`;
      const point = { ...dayPoint(dayOf(clock)), index: at(clock), fragment: clock, label, clock };
      if (point.index >= 0 && before(point.day)) point.note = "";
      return point;
    };

    const instrumentPoint = (index) => {
      const { path, name, effective } = moments[index];
      const when = effective === null ? "" : ` (${shown(effective)})`;
      const late = effective !== null && dayOf(effective) > data.today;
      const note = late ? `${name} is not yet in effect: this is how the ruleset will stand.` : "";
      const day = effective === null ? null : dayOf(effective);
      const label = `right after ${name}${when}`;
      return { index, fragment: path, label, day, clock: effective, note, instrument: path };
    };

    const initialPoint = () => ({
      index: -1,
      fragment: "initial",
      label: data.started === null ? "at the beginning" : `at the beginning (${shownDay(data.started)})`,
      day: data.started === null ? null : dayOf(data.started),
      clock: data.started,
      note: "",
    });

    const todayPoint = () => ({ ...dayPoint(data.today), fragment: "today", label: "today" });
    const placePoint = (index) => (index < 0 ? initialPoint() : instrumentPoint(index));

    /* The point that a part of a fragment names; with `error` where it names none. */
    const point = (words) => {
      if (words === "" || words === "today") return todayPoint();
      if (words === "initial") return initialPoint();
      if (isDay(words)) return dayPoint(words);
      if (TIMED.test(words) && isDay(dayOf(words))) return clockPoint(words);
      if (byPath.has(words)) return instrumentPoint(byPath.get(words));
      return { ...todayPoint(), fragment: words, error: unknown(words) };
    };

    const unknown = (words) => {
      const one = pending.get(words);
      if (one) {
        const when = one.effective === null ? "" : `: it takes effect on ${shown(one.effective)}`;
        return `${one.name} is not yet in effect${when}. This is the ruleset as it stands today.`;
      }
      if (/^(?:proposals|judgements|acts)\/[\w.-]+$/.test(words)) {
        return `No instrument “${words}” has changed the law. This is the ruleset as it stands today.`;
      }
      return `“${words}” is no day and no instrument of this game. This is the ruleset as it stands today.`;
    };

    /* What an address asks for: the points `from` and, to show differences, `until`. The earlier one is `from`. */
    const view = (fragment) => {
      const [asked, ...options] = fragment.split("&");
      const [first, ...more] = asked.split("..");
      const [from, until] = [point(first), more.length ? point(more.join("..")) : null];
      const only = until !== null && options.includes("only");
      return until && until.index < from.index ? { from: until, until: from, only } : { from, until, only };
    };
    const fragmentOf = ({ from, until, only }) =>
      `${from.fragment}${until ? `..${until.fragment}` : ""}${until && only ? "&only" : ""}`;

    /* What became of a rule from one point to another, in a word. An amendment comes before all else that changed. */
    const kindOf = (rule, then, { from, until }) => {
      if (!then) return "repealed";
      if (!rule) return "enacted";
      if (rule.text !== then.text || rule.revision !== then.revision) return "amended";
      const same =
        ["number", "tier", "title", "section"].every((name) => rule[name] === then[name]) &&
        isVoid(rule, from) === isVoid(then, until);
      return same ? "same" : "changed";
    };

    /* Every rule of a point and of the one that it is compared with (by default today), in the order of tiers and numbers:
       `{rule, then, kind}`. `rule` or `then` is null if the rule does not stand at that point. */
    const listed = ({ from, until }) => {
      const compared = until ?? todayPoint();
      const [rules, thens] = [standing(from.index), standing(compared.index)];
      const ends = { from, until: compared };
      const found = [...rules.values()].map((rule) => ({ rule, then: thens.get(rule.rule) ?? null }));
      for (const then of thens.values()) if (!rules.has(then.rule)) found.push({ rule: null, then });
      for (const one of found) one.kind = kindOf(one.rule, one.then, ends);
      const shownAs = ({ rule, then }) => rule ?? then;
      return found.sort((one, other) => {
        const [a, b] = [shownAs(one), shownAs(other)];
        return a.tier - b.tier || a.number - b.number || a.rule - b.rule;
      });
    };

    return {
      data, moments, present, point, placePoint, todayPoint, view, fragmentOf, listed, standing, between, isVoid,
    };
  };

  globalThis.nomicTimeline = { read, shown, shownDay, dayOf };
})();
