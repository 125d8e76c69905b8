/**
 * What if: the answer follows the sliders. Without this script the form has a button.
 * @module
 */

const form = document.querySelector("#sliders");

/** Only the last question asked is answered. */
let asked = 0;

function show(slider) {
  const box = slider.closest(".learn-slider");
  if (slider.matches("select")) {
    box.classList.toggle("moved", slider.value !== slider.dataset.own);
    return;
  }
  const value = Number(slider.value);
  box.querySelector("output").textContent = String(Number(value.toPrecision(5)));
  box.classList.toggle("moved", value !== Number(slider.dataset.own));
}

async function ask() {
  const mine = ++asked;
  const address = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
  let text = null;
  try {
    const reply = await fetch(address, { headers: { Accept: "text/html" } });
    if (reply.ok) text = await reply.text();
  } catch {
    // Said below.
  }
  if (mine !== asked) return;
  const place = document.querySelector("#answer");
  if (text === null) {
    place.querySelector("p").textContent = form.dataset.away;
    return;
  }
  const next = new DOMParser().parseFromString(text, "text/html");
  // The regions themselves stay, so that what changes in them is announced.
  for (const id of ["answer", "response"]) {
    const fresh = next.getElementById(id);
    if (fresh) document.getElementById(id).replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  }
}

form?.addEventListener("input", (event) => {
  show(event.target);
  void ask();
});
