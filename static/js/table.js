// The pages of a table: what others record slides in, quick entry's single taps. Copying is shell.js's.

import { Answers } from "./answers.js";

const EVERY = 4000;
const look = () => {
  if (document.visibilityState === "visible" && document.getElementById("live")) {
    document.body.dispatchEvent(new Event("table:look"));
  }
};
if (document.getElementById("live")) {
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
}

// The address follows what is entered: a reload, or a phone that drops the page, loses nothing. The key of the form is
// in it, and once that is in the book the address leads to an empty form.
const kept = document.querySelector("[data-kept-at]");
if (kept) {
  const entry = kept.querySelector("#entry-form, #quick-form");
  const keep = () => {
    const given = [...new FormData(entry)].filter(([name, value]) => value !== "" && name !== "csrfmiddlewaretoken");
    history.replaceState(null, "", `${kept.dataset.keptAt}?${new URLSearchParams(given)}`);
  };
  // Later: one tap may change several fields.
  for (const changed of ["input", "change"]) document.addEventListener(changed, () => setTimeout(keep), { capture: true });
  if (kept.querySelector("[data-faults]")) keep(); // the answer to a form that was posted: its own address has no page
}

const form = document.getElementById("quick-form");
if (form) {
  const answers = new Answers(form, () => form.dispatchEvent(new Event("change")));
  // What he won with may be tapped before the server has put his seat into the names of that row.
  const patternsOf = (winners) => {
    const patterns = [...form.querySelectorAll("input")].filter(({ name }) => /^p\d$/.test(name));
    if (winners.length !== 1 || new Set(patterns.map(({ name }) => name)).size !== 1) return;
    for (const pattern of patterns) pattern.name = `p${winners[0].value}`;
  };

  // Of events one stays, and a big pattern puts out the small win; the server then draws the rows anew.
  form.addEventListener("change", (event) => {
    const { target } = event;
    // Why it is corrected changes nothing in the rows; drawing them anew would take the tap that left the field.
    if (target.name === "reason") return event.stopPropagation();
    answers.changed();
    if (!target.checked) return;
    const same = (name) => form.querySelectorAll(`input[name="${name}"]`);
    if (target.name === "w") patternsOf(form.querySelectorAll('input[name="w"]:checked'));
    if (target.name === "ev") for (const other of same("ev")) other.checked = other === target;
    if (/^p\d$/.test(target.name)) {
      for (const other of same(target.name)) {
        if ((other.value === "small") !== (target.value === "small")) other.checked = false;
      }
    }
  }, true);

  // What was tapped before the scripts were there, or is restored by going back, counts too.
  document.addEventListener("DOMContentLoaded", () => {
    if ([...form.elements].some((one) => one.checked !== one.defaultChecked)) form.dispatchEvent(new Event("change"));
  });

  // A tap on a counter adds one; the last one touched has − and + under the table.
  const step = form.querySelector(".step");
  let touched = "";
  const counter = () => touched && form.elements[touched];
  const show = () => {
    const input = counter();
    step.classList.toggle("idle", !input);
    step.querySelector("span").textContent = input ? input.getAttribute("aria-label") : step.dataset.hint;
    step.querySelector("output").textContent = input ? input.value : "";
  };
  const add = (input, by) => {
    input.value = Math.min(Math.max(Number(input.value || 0) + by, 0), Number(input.max));
    input.dispatchEvent(new Event("change", { bubbles: true }));
    show();
  };
  if (step) {
    show();
    form.addEventListener("click", (event) => {
      const input = event.target.closest(".count input");
      const button = event.target.closest("[data-step]");
      if (input && event.detail > 0) {
        touched = input.name;
        input.blur();
        add(input, 1);
      } else if (button && counter()) add(counter(), Number(button.dataset.step));
    });
  }
}

// Without a connection a posted form is gone and the browser's own page in its place: asks first whether somebody is there.
let asking = false;
let there = false;
document.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  const place = target.closest("[data-offline]");
  if (!place || there || event.defaultPrevented || (submitter?.formMethod || target.method) !== "post") return;
  event.preventDefault();
  if (asking) return;
  asking = true;
  try {
    await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(8000) });
  } catch {
    document.querySelector("#verdict-text, #verdict .said").textContent = place.dataset.offline;
    asking = false;
    return;
  }
  // An answer may meanwhile have put another button in the place of the one that was pressed.
  const pressed = submitter && !submitter.isConnected ? target.appendChild(submitter.cloneNode()) : submitter;
  there = true;
  target.requestSubmit(pressed);
  asking = there = false;
  if (pressed !== submitter) pressed.remove();
});

const print = document.querySelector("[data-print]");
if (print) print.addEventListener("click", () => window.print());
