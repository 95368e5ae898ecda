/* The form for a rule's provisions, made from the schemas of their kinds. `nomicMachine.form(data, provisions, changed)`
   returns an element, and calls `changed` with the provisions after each change. `nomicMachine.written(provisions)` returns
   them as YAML for a file, and `incomplete(kinds, provisions)` a sentence on what is missing. */
(() => {
  "use strict";

  // If a kind has at most so many fields, none of them is behind a fold, except these: the rules that a provision goes
  // before, or gives way to.
  const SHOWN = 6;
  const OTHERS = ["over", "under"];
  // Words that YAML takes for text without quotation marks, and words that it takes for something else.
  const PLAIN = /^[a-z][a-z0-9-]*$/;
  const READ_OTHERWISE = /^(?:y|n|yes|no|on|off|true|false|null)$/;
  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  /* Words with code in backquotes as nodes (`rich`), and the same as text without the backquotes (`bare`). */
  const rich = (words) =>
    words.split("`").map((part, place) => (place % 2 ? make("code", {}, part) : part)).filter((part) => part !== "");
  const bare = (words) => words.replaceAll("`", "");
  const word = (text) => (PLAIN.test(text) && !READ_OTHERWISE.test(text) ? text : JSON.stringify(text));
  const key = (text) => (/^[a-z_][a-z0-9_-]*$/.test(text) && !READ_OTHERWISE.test(text) ? text : JSON.stringify(text));
  const flow = (value) => {
    if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
    if (value && typeof value === "object") {
      return `{${Object.entries(value).map(([name, one]) => `${key(name)}: ${flow(one)}`).join(", ")}}`;
    }
    return typeof value === "string" ? word(value) : JSON.stringify(value);
  };
  const written = (provisions) => {
    const kinds = Object.entries(provisions);
    return kinds.length ? `provisions:\n${kinds.map(([name, one]) => `  ${key(name)}: ${flow(one)}\n`).join("")}` : "provisions: {}\n";
  };

  /* The value that somebody typed: a number, a list (with commas), JSON, or words; undefined for nothing. */
  const parsed = (text) => {
    const said = text.trim();
    if (!said) return undefined;
    if (/^[[{"]/.test(said)) {
      try {
        return JSON.parse(said);
      } catch {
        return said;
      }
    }
    const one = (part) => (/^-?\d+(?:\.\d+)?$/.test(part) ? Number(part) : part);
    const parts = said.split(",").map((part) => part.trim()).filter(Boolean);
    return parts.length > 1 ? parts.map(one) : one(said);
  };
  const sentence = (words) => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`.replace(/\.$/, "");
  /* What a kind is about, without how it is written in a file. */
  const about = (kinds, name) => sentence(kinds[name]?.schema.description?.split("; written")[0] ?? name);
  const typed = (value) =>
    Array.isArray(value) && value.every((one) => typeof one !== "object") ? value.join(", ") : value === undefined ? "" : flow(value);

  let named = {};
  const plainly = (value) => named[value] ?? (value === true ? "yes" : value === false ? "no" : `${value}`.replaceAll("-", " "));

  const select = (choices, value, changed) => {
    const made = make("select", {}, make("option", { value: "" }, "—"));
    for (const [one, words] of choices) made.append(make("option", { value: JSON.stringify(one) }, words));
    made.value = value === undefined ? "" : JSON.stringify(value);
    made.addEventListener("change", () => changed(made.value ? JSON.parse(made.value) : undefined));
    return made;
  };

  /* The schemas that a value may follow; `defs` has those that others refer to. */
  const waysOf = (schema, defs) => (schema.anyOf ?? [schema]).map((one) => (one.$ref ? defs[one.$ref.split("/").at(-1)] : one));

  /* The control for a value of a schema: checkboxes, a select, nested fields or an input. `changed` is called with the new
     value, undefined for none. */
  const control = (schema, value, defs, name, changed) => {
    const ways = waysOf(schema, defs);
    const choice = ways.find((one) => one.enum);
    const list = ways.find((one) => one.type === "array" && waysOf(one.items ?? {}, defs)[0].enum);
    const table = ways.find((one) => one.properties);
    if (list) {
      const all = waysOf(list.items, defs)[0].enum;
      const on = new Set(Array.isArray(value) ? value : value === undefined ? [] : [value]);
      const group = make("fieldset", { className: "n-ws-set" }, make("legend", {}, ...rich(name)));
      for (const one of all) {
        const box = make("input", { type: "checkbox", checked: on.has(one) });
        box.addEventListener("change", () => {
          if (box.checked) on.add(one);
          else on.delete(one);
          changed(on.size ? all.filter((each) => on.has(each)) : undefined);
        });
        group.append(make("label", {}, box, ` ${plainly(one)}`));
      }
      return group;
    }
    const label = make("label", {}, ...rich(name), " ");
    if (ways.some((one) => "const" in one) || (choice && !table) || ways.some((one) => one.type === "boolean")) {
      const words = ways.flatMap((one) => one.enum ?? ("const" in one ? [one.const] : one.type === "boolean" ? [true, false] : []));
      if (words.some((one) => one === value) || value === undefined || ways.length === 1) {
        label.append(select(words.map((one) => [one, plainly(one)]), value, changed));
        return label;
      }
    }
    if (table) {
      const nested = value && typeof value === "object" ? value : null;
      const box = make("div", { className: "n-ws-table" });
      const fill = (said) => box.replaceChildren(...(said ? [fields(table, said, defs, (now) => changed(now))] : []));
      const words = (choice?.enum ?? []).map((one) => [one, plainly(one)]);
      label.append(
        select([...words, [{}, choice ? "something else" : "in detail"]], nested ? {} : value, (now) => {
          fill(now && typeof now === "object" ? now : null);
          changed(now);
        }),
      );
      fill(nested);
      return make("div", {}, label, box);
    }
    const number = ways.length === 1 && /^(?:integer|number)$/.test(ways[0].type);
    const input = make("input", number ? { type: "number", value: value ?? "", min: ways[0].minimum ?? "" } : { type: "text", value: typed(value) });
    // A share is exact: a fraction or a percentage.
    if (ways.some((one) => one.pattern?.includes("%"))) input.placeholder = "such as 3, 3/4 or 75%";
    input.addEventListener("input", () => changed(number ? (input.value === "" ? undefined : Number(input.value)) : parsed(input.value)));
    label.append(input);
    return label;
  };

  /* The fields for an object: those that are set or required first, the others behind a fold. */
  const fields = (schema, value, defs, changed) => {
    const said = { ...value };
    const set = (name) => (now) => {
      if (now === undefined) delete said[name];
      else said[name] = now;
      changed({ ...said });
    };
    const row = (name, one) => {
      const words = name.replaceAll("_", " ");
      const label = one.description ? `${sentence(one.description)} (${words})` : words;
      const made = make("div", { className: "n-ws-row" }, control(one, said[name], defs, label, set(name)));
      made.dataset.key = name;
      return made;
    };
    const named = Object.entries(schema.properties ?? {});
    const open = typeof schema.additionalProperties === "object" ? schema.additionalProperties : null;
    const others = open ? Object.keys(said).filter((name) => !(name in (schema.properties ?? {}))) : [];
    const few = named.filter(([name]) => !OTHERS.includes(name)).length <= SHOWN;
    const isFirst = ([name]) => name in said || schema.required?.includes(name) || (few && !OTHERS.includes(name));
    const [first, rest] = [named.filter(isFirst), named.filter((one) => !isFirst(one))];
    const made = make("div", { className: "n-ws-values" }, ...others.map((name) => row(name, open)), ...first.map(([name, one]) => row(name, one)));
    if (rest.length) {
      made.append(make("details", { open: !first.length && !others.length }, make("summary", {}, "More"), ...rest.map(([name, one]) => row(name, one))));
    }
    return made;
  };

  const form = ({ kinds, tiers, words }, provisions, changed) => {
    named = words;
    const made = make("div", {});
    const said = structuredClone(provisions ?? {});
    const tell = () => changed(structuredClone(said));
    const draw = () => {
      made.replaceChildren();
      for (const [name, value] of Object.entries(said)) {
        const kind = kinds[name];
        const box = make("fieldset", { className: "n-ws-kind" }, make("legend", {}, ...rich(about(kinds, name))));
        box.dataset.kind = name;
        made.append(box);
        if (!kind) {
          box.append(make("p", { className: "n-note" }, flow(value)));
          continue;
        }
        const defs = kind.schema.$defs ?? {};
        const several = Array.isArray(value) ? value : [value];
        const set = (place, now) => {
          several[place] = now;
          said[name] = Array.isArray(value) || several.length > 1 ? [...several] : several[0];
          tell();
        };
        several.forEach((one, place) => {
          const table = typeof one === "object" ? one : { when: one };
          if (several.length > 1) box.append(make("h4", {}, `${sentence(name)} ${place + 1} of ${several.length}`));
          box.append(fields(kind.schema, table, defs, (now) => set(place, now)));
          const others = typeof kind.schema.additionalProperties === "object" ? tiers.filter((name) => !(name in table)) : [];
          if (!others.length) return;
          const add = make("select", {}, make("option", { value: "" }, "choose"), ...others.map((name) => make("option", {}, name)));
          add.addEventListener("change", () => {
            set(place, { ...several[place], [add.value]: kind.schema.additionalProperties.type === "integer" ? 1 : [] });
            draw();
          });
          box.append(make("p", { className: "n-field" }, make("label", {}, "Set it for the rules that are ", add)));
        });
        const buttons = make("p", { className: "n-actions" });
        if (kind.listed) {
          const more = make("button", { type: "button", className: "n-button" }, `Add one more to ${name}`);
          more.addEventListener("click", () => {
            said[name] = [...several, {}];
            draw();
            tell();
          });
          buttons.append(more);
        }
        const less = make("button", { type: "button", className: "n-button" }, `Remove ${name}`);
        less.addEventListener("click", () => {
          delete said[name];
          draw();
          tell();
        });
        buttons.append(less);
        box.append(buttons);
      }
      const free = Object.keys(kinds).filter((name) => !(name in said));
      const add = make("select", {}, make("option", { value: "" }, "choose"));
      for (const name of free) add.append(make("option", { value: name }, `${bare(about(kinds, name))} (${name})`));
      add.addEventListener("change", () => {
        said[add.value] = kinds[add.value].listed ? [{}] : {};
        draw();
        tell();
      });
      made.append(make("p", { className: "n-field" }, make("label", {}, "Let the program do more ", add)));
    };
    draw();
    return made;
  };

  /* A sentence on what an object of a schema, and those in it, still lack; "" if nothing. */
  const lacking = (name, schema, value, defs) => {
    if (!schema.properties || typeof value !== "object" || Array.isArray(value)) return "";
    const about = (keys, split) => keys.map((each) => bare(schema.properties[each].description?.split(split)[0] ?? each)).join("; ");
    const missing = (schema.required ?? []).filter((each) => !(each in value));
    if (missing.length) return `Fill in more of ${name}: ${about(missing, /[:;]/)}.`;
    const either = (schema.oneOf ?? []).flatMap((each) => each.required);
    const given = either.filter((each) => each in value);
    if (either.length && !given.length) return `Fill in one of these in ${name}: ${about(either, ";")}.`;
    if (given.length > 1) return `Empty all but one of these in ${name}: ${about(given, ";")}.`;
    return Object.entries(value).map(([key, one]) => {
      const ways = waysOf(schema.properties[key] ?? {}, defs);
      return lacking(name, ways.find((each) => each.properties) ?? {}, one, defs);
    }).find(Boolean) ?? "";
  };
  /* A sentence on what provisions still lack; "" if nothing. */
  const incomplete = (kinds, provisions) => {
    for (const [name, value] of Object.entries(provisions)) {
      const { schema } = kinds[name] ?? {};
      for (const one of schema ? [value].flat() : []) {
        if (typeof one !== "object") continue;
        const words = lacking(name, schema, one, schema.$defs ?? {});
        if (words) return words;
        if (!Object.keys(one).length) return `Fill in ${name}, or remove it.`;
      }
    }
    return "";
  };

  globalThis.nomicMachine = { form, incomplete, written, make, rich, bare };
})();
