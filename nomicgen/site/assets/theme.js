/* What the theme would write into each page as scripts of its own: from a file, so that the site's policy need allow no
   script that stands in a page. Loaded by `theme/partials/javascripts`, once for each `data-part`, where the theme has
   its script. */
(() => {
  "use strict";

  const { part, scope } = document.currentScript.dataset;

  /* Where the site keeps what a reader chose: below the folder that holds `assets`. */
  const base = () => {
    const root = new URL("..", document.currentScript.src);
    globalThis.__md_scope = scope ? new URL(scope, location) : root;
    globalThis.__md_hash = (text) => [...text].reduce((hash, one) => (hash << 5) - hash + one.charCodeAt(0), 0);
    globalThis.__md_get = (key, storage = localStorage, where = globalThis.__md_scope) =>
      JSON.parse(storage.getItem(`${where.pathname}.${key}`));
    globalThis.__md_set = (key, value, storage = localStorage, where = globalThis.__md_scope) => {
      try {
        storage.setItem(`${where.pathname}.${key}`, JSON.stringify(value));
      } catch {
        // A browser that keeps nothing shows the site all the same.
      }
    };
  };

  const palette = () => {
    const { color } = globalThis.__md_get("__palette") ?? {};
    if (!color) return;
    if (color.media === "(prefers-color-scheme)") {
      const kind = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
      const input = document.querySelector(`[data-md-color-media='(prefers-color-scheme: ${kind})']`);
      for (const name of ["media", "scheme", "primary", "accent"]) {
        color[name] = input.getAttribute(`data-md-color-${name}`);
      }
    }
    for (const [name, value] of Object.entries(color)) document.body.setAttribute(`data-md-color-${name}`, value);
  };

  /* The tabs that a reader chose on another page, and the one that the address names. */
  const tabs = () => {
    const chosen = globalThis.__md_get("__tabs");
    for (const set of Array.isArray(chosen) ? document.querySelectorAll(".tabbed-set") : []) {
      const labels = [...set.querySelectorAll(":scope > .tabbed-labels label")];
      const label = chosen.map((name) => labels.find((one) => one.innerText.trim() === name)).find(Boolean);
      if (label) document.getElementById(label.htmlFor).checked = true;
    }
  };

  const target = () => {
    const named = document.getElementById(location.hash.slice(1));
    if (named?.name) named.checked = named.name.startsWith("__tabbed_");
  };

  const announce = () => {
    const place = document.querySelector("[data-md-component=announce]");
    const said = place?.querySelector(".md-typeset");
    if (said && globalThis.__md_hash(said.innerHTML) === globalThis.__md_get("__announce")) place.hidden = true;
  };

  ({ base, palette, tabs, target, announce })[part]();
})();
