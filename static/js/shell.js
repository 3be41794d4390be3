// What every page has: light or dark, the address to come back to, menus that close, copying.

const root = document.documentElement;

function setTheme(theme) {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  const age = theme === "auto" ? 0 : 31536000;
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  for (const here of form.querySelectorAll("[data-here]")) here.value = location.pathname + location.search;
  if (!form.matches("[data-theme-form]")) return;
  event.preventDefault();
  const dark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  setTheme(event.submitter?.value || (dark ? "light" : "dark"));
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

async function copy(button) {
  const text = button.dataset.copy === "address" ? location.href : document.getElementById(button.dataset.copy).textContent.trim();
  const label = button.textContent;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    done = copyBySelection(text);
  }
  button.textContent = done ? button.dataset.done : button.dataset.failed;
  setTimeout(() => (button.textContent = label), 1600);
}

// The clipboard needs HTTPS or localhost; on a plain address in the house network this older way still works.
function copyBySelection(text) {
  const area = Object.assign(document.createElement("textarea"), { value: text, className: "vh" });
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
