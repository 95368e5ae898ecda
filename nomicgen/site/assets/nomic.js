/* Filters over lists that are complete without them, and the revision that an address names, opened. */
(() => {
  "use strict";

  const filter = (form) => {
    const place = document.getElementById(form.dataset.nomicFilter);
    const items = [...place.querySelectorAll("[data-nomic-item]")];
    const groups = [...place.querySelectorAll("[data-nomic-group]")].reverse();
    const count = form.querySelector("[role=status]");
    const opened = new Set();

    const apply = () => {
      const fields = [...new FormData(form)].filter(([, value]) => value.trim());
      const words = (fields.find(([name]) => name === "words")?.[1] ?? "").toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = fields.filter(([name]) => name !== "words");
      let shown = 0;
      for (const item of items) {
        const fits =
          words.every((word) => item.dataset.nomicItem.includes(word)) &&
          chosen.every(([name, value]) => item.dataset[name] === value);
        item.hidden = !fits;
        shown += fits;
      }
      for (const group of groups) {
        const left = group.querySelector("[data-nomic-item]:not([hidden])") !== null;
        if (group.tagName === "UL") continue;
        group.hidden = !left;
        if (group.tagName === "DETAILS") {
          if (fields.length && left && !group.open) {
            group.open = true;
            opened.add(group);
          } else if (!fields.length && opened.delete(group)) group.open = false;
        }
      }
      count.textContent = fields.length ? `${shown} of ${items.length} shown` : "";
    };

    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
  };

  const reveal = () => {
    const target = /^#r\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (target) for (const one of target.querySelectorAll("details")) one.open = true;
  };

  // The theme leaves its search without a name for those who hear the page.
  document.querySelector(".md-search[role=dialog]:not([aria-label])")?.setAttribute("aria-label", "Search");
  document.querySelectorAll("form[data-nomic-filter]").forEach(filter);
  addEventListener("hashchange", reveal);
  reveal();
})();
