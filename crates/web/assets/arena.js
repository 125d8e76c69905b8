/**
 * A tournament that is watched: the server sends the whole table whenever results came in, and it is
 * put in place. Words and numbers are the server's.
 * @module
 */

const live = document.querySelector("#live");
if (live && "running" in live.dataset) follow(live);

const thread = document.querySelector("#thread");
thread?.addEventListener("toggle", () => {
  const player = thread.querySelector("wits-thread");
  if (thread.open && !player.hasAttribute("src")) player.setAttribute("src", player.dataset.src);
});

function follow(live) {
  const away = document.querySelector("#away");
  const source = new EventSource(live.dataset.events);
  source.addEventListener("open", () => {
    away.hidden = true;
  });
  source.addEventListener("error", () => {
    away.hidden = source.readyState === EventSource.OPEN;
  });
  source.addEventListener("table", (event) => {
    const { html, results, over } = JSON.parse(event.data);
    const kept = places(live);
    live.innerHTML = html;
    live.dataset.results = results;
    restore(live, kept);
    if (!over) return;
    source.close();
    delete live.dataset.running;
    away.hidden = true;
    document.querySelector("#deeds")?.remove();
    if (thread) thread.hidden = false;
  });
}

/** How far wide tables were scrolled, and which of them had the focus. */
function places(live) {
  return [...live.querySelectorAll(".arena-scroll")].map((box) => [box.scrollLeft, box === document.activeElement]);
}

function restore(live, kept) {
  [...live.querySelectorAll(".arena-scroll")].forEach((box, i) => {
    const [left, focus] = kept[i] ?? [0, false];
    box.scrollLeft = left;
    if (focus) box.focus({ preventScroll: true });
  });
}
