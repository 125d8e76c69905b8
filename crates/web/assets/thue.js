/**
 * The Thue room: the replay's slider shows each moment as it moves. Without this file the same
 * form has a button.
 * @module
 */

const form = document.querySelector(".thue-replay");
const slider = form?.querySelector("input[type=range]");

/** Only the last moment asked for is shown. */
let asked = 0;

async function show() {
  const mine = ++asked;
  const address = `${form.getAttribute("action")}?ply=${slider.value}`;
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok || mine !== asked) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["#moment", ".thue-replay output", ".thue-replay [rel=prev]", ".thue-replay [rel=next]"]) {
    const [old, fresh] = [document.querySelector(part), page.querySelector(part)];
    if (old && fresh) old.replaceWith(fresh);
  }
  history.replaceState(null, "", address);
}

slider?.addEventListener("input", () => void show());
