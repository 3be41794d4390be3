// The pages of a table: copying text, a button that waits for its answer, quick entry's single taps.

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
      button.textContent = button.dataset.done;
    } catch {
      button.textContent = button.dataset.failed;
    }
    setTimeout(() => { button.textContent = words; }, 1600);
  });
}

// What others record slides in by itself, while the page is looked at.
const EVERY = 4000;
if (document.getElementById("live")) {
  setInterval(() => {
    if (document.visibilityState === "visible") document.body.dispatchEvent(new Event("table:look"));
  }, EVERY);
}

const form = document.getElementById("quick-form");
if (form) {
  // An event and a small win are choices of which another tap takes the place: of events one stays, and a big pattern
  // puts out the small win.
  form.addEventListener("change", ({ target }) => {
    if (!target.checked) return;
    const same = (name) => form.querySelectorAll(`input[name="${name}"]`);
    if (target.name === "ev") for (const other of same("ev")) other.checked = other === target;
    if (/^p\d$/.test(target.name)) {
      for (const other of same(target.name)) {
        if ((other.value === "small") !== (target.value === "small")) other.checked = false;
      }
    }
  }, true);
}
