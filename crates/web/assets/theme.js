/**
 * Light or dark, as the reader chose with the switch, else as their system is. Runs before the page is
 * drawn, so that nothing flashes.
 * @module
 */

(() => {
  const KEY = "wits-theme";
  const root = document.documentElement;
  const system = () => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  if (kept()) root.dataset.theme = kept();
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      const next = (root.dataset.theme ?? system()) === "dark" ? "light" : "dark";
      root.dataset.theme = next;
      try {
        // What the system says by itself needs no keeping.
        if (next === system()) localStorage.removeItem(KEY);
        else localStorage.setItem(KEY, next);
      } catch {
        // The choice then holds for this page.
      }
    });
  });
})();
