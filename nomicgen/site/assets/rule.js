/* A card beside a phrase of a rule, with the revision with which it came: on hovering, on a tap, and with the keyboard
   while the list “Who wrote which words” is unfolded. */
(() => {
  "use strict";

  const law = document.querySelector(".n-main > .n-law");
  const authors = document.querySelector(".n-main > .n-authors");
  if (!law || !authors) return;

  const legend = new Map([...authors.querySelectorAll("li[data-by]")].map((one) => [one.dataset.by, one]));
  const spans = [...law.querySelectorAll(".n-by")];
  const phrases = [];
  for (const span of spans) {
    const last = phrases.at(-1);
    if (last && !last.at(-1).classList.contains("n-by-end")) last.push(span);
    else phrases.push([span]);
  }
  const phraseOf = (span) => phrases.find((one) => one.includes(span));
  // Within a link the link itself takes the focus.
  const handles = phrases.map((one) => one.find((span) => !span.closest("a"))).filter(Boolean);

  const card = document.createElement("div");
  card.className = "n-author-card";
  card.hidden = true;
  card.setAttribute("role", "status");
  law.parentElement.append(card);

  let shown = null;
  let timer = 0;
  const later = (task, wait) => {
    clearTimeout(timer);
    timer = setTimeout(task, wait);
  };

  const hide = () => {
    clearTimeout(timer);
    if (!shown) return;
    shown = null;
    card.hidden = true;
    card.replaceChildren();
    for (const span of spans) span.classList.remove("n-by--lit", "n-by--here");
  };

  const place = (span) => {
    const box = law.parentElement.getBoundingClientRect();
    const lines = [...span.getClientRects()];
    const line = lines.at(-1);
    const room = box.width - card.offsetWidth;
    card.style.left = `${Math.max(0, Math.min(line.left - box.left, room))}px`;
    const below = line.bottom + card.offsetHeight + 12 < innerHeight || lines[0].top < card.offsetHeight + 12;
    card.style.top = below ? `${line.bottom - box.top + 6}px` : `${lines[0].top - box.top - card.offsetHeight - 6}px`;
  };

  const show = (span) => {
    clearTimeout(timer);
    const phrase = phraseOf(span);
    if (phrase === shown) return;
    hide();
    const told = legend.get(span.dataset.by)?.querySelector(":scope > div");
    if (!told) return;
    shown = phrase;
    for (const one of spans) {
      one.classList.toggle("n-by--lit", one.dataset.by === span.dataset.by);
      one.classList.toggle("n-by--here", phrase.includes(one));
    }
    const copy = told.cloneNode(true);
    copy.querySelector(".n-remains")?.remove();
    card.append(...copy.childNodes);
    card.hidden = false;
    place(span);
  };

  const spanOf = (event) => event.target.closest?.(".n-by") ?? event.target.querySelector?.(":scope > .n-by");

  law.addEventListener("pointerover", (event) => {
    const span = spanOf(event);
    if (span && event.pointerType === "mouse") later(() => show(span), shown ? 60 : 180);
  });
  law.addEventListener("pointerout", (event) => {
    if (event.pointerType === "mouse") later(hide, 250);
  });
  card.addEventListener("pointerenter", () => clearTimeout(timer));
  card.addEventListener("pointerleave", () => later(hide, 250));

  // A click on a link follows it, and selecting words is no click.
  law.addEventListener("click", (event) => {
    const span = spanOf(event);
    if (span && !event.target.closest("a") && getSelection().isCollapsed) show(span);
  });
  document.addEventListener("click", (event) => {
    if (!card.contains(event.target) && !spanOf(event)) hide();
  });

  law.addEventListener("focusin", (event) => {
    const span = spanOf(event);
    if (span && event.target.matches(":focus-visible")) show(span);
  });
  law.addEventListener("focusout", () => later(() => card.contains(document.activeElement) || hide(), 60));
  card.addEventListener("focusout", () => later(() => card.contains(document.activeElement) || hide(), 60));
  law.addEventListener("keydown", (event) => {
    const span = event.key === "Enter" && event.target.matches(".n-by") ? event.target : null;
    if (!span) return;
    event.preventDefault();
    show(span);
    card.querySelector("a")?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !shown) return;
    const back = card.contains(document.activeElement) && shown.find((span) => handles.includes(span));
    hide();
    if (back) {
      back.focus();
      hide();
    }
  });

  const reach = () => {
    for (const one of handles) {
      if (authors.open) one.tabIndex = 0;
      else one.removeAttribute("tabindex");
    }
  };
  authors.addEventListener("toggle", reach);
  addEventListener("resize", hide);
  reach();
})();
