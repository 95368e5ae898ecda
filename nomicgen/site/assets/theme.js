/* The scripts that the theme would write into each page, as a file: so the site's policy can forbid scripts in a page.
   `theme/partials/javascripts` loads it once for each `data-part`, where the theme has that script. */
(() => {
  "use strict";

  const { part, scope } = document.currentScript.dataset;

  /* Sets the functions with which the theme stores what a reader chose, by the address of the site's root. */
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
        // The site works without storage, too.
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

  /* Opens the tabs that a reader chose on another page. */
  const tabs = () => {
    const chosen = globalThis.__md_get("__tabs");
    for (const set of Array.isArray(chosen) ? document.querySelectorAll(".tabbed-set") : []) {
      const labels = [...set.querySelectorAll(":scope > .tabbed-labels label")];
      const label = chosen.map((name) => labels.find((one) => one.innerText.trim() === name)).find(Boolean);
      if (label) document.getElementById(label.htmlFor).checked = true;
    }
  };

  /* Opens the tab that the address names. */
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
