/* The page for a wrong address (404): the rules, proposals, judgements or players whose address is most like it. */
(() => {
  "use strict";

  const place = document.querySelector("[data-missing]");
  if (!place) return;
  const NEAR = 3;
  const KINDS = { rules: "Rule", proposals: "Proposal", judgements: "Judgement", players: "" };
  const root = new URL(`${place.dataset.missing}/`.replace(/\/+$/, "/"), location);
  const [, kind, asked] = /^([a-z]+)\/([^/]+)/.exec(location.pathname.slice(root.pathname.length)) ?? [];
  if (!(kind in KINDS)) return;

  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  /* How many letters must be changed, added or taken out to make one word from another. */
  const distance = (one, other) => {
    let row = [...other, ""].map((_, at) => at);
    for (const [line, letter] of [...one].entries()) {
      row = row.reduce((next, above, at) => {
        if (at === 0) return [line + 1];
        const same = row[at - 1] + (letter !== other[at - 1]);
        return [...next, Math.min(above + 1, next[at - 1] + 1, same)];
      }, []);
    }
    return row.at(-1);
  };

  const tell = async () => {
    const wanted = decodeURIComponent(asked).replace(/\.html$/, "");
    const all = (await (await fetch(new URL(`api/v1/${kind}.json`, root))).json())[kind];
    const named = all.map((one) => ({ ...one, key: `${one.number ?? one.player ?? one.id}` })).filter((one) => one.key !== "null");
    const numbers = named.map((one) => one.number).filter(Number.isInteger);
    const span = numbers.length ? `: there are numbers from ${Math.min(...numbers)} to ${Math.max(...numbers)}` : "";
    place.append(make("p", {}, `There is no ${[KINDS[kind], wanted].filter(Boolean).join(" ")}${span}.`));
    const rank = (one) => distance(wanted, one.key) * 1e6 + Math.abs(Number(wanted) - one.number || 0);
    const near = named.sort((one, other) => rank(one) - rank(other)).slice(0, NEAR);
    if (!near.length) return;
    const links = near.flatMap((one, at) => {
      const words = [KINDS[kind] && `${KINDS[kind]} ${one.key}`, one.title ?? one.name].filter(Boolean).join(" · ");
      return [at ? ", " : "", make("a", { href: new URL(one.url, root) }, words)];
    });
    place.append(make("p", {}, "Did you mean ", ...links, "?"));
  };

  tell().catch((error) => place.append(make("p", {}, `The list of pages could not be loaded (${error.message}).`)));
})();
