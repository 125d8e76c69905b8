/**
 * Parts of a page that come later.
 *
 * When the machines are busy with others, a page comes without what they would have to think
 * about. Here the same page is asked for again, patiently, and the parts that were missing are put
 * in their places.
 * @module
 */

/** How often, and after which pauses. */
const TRIES = 20;
const PAUSE_MS = 1500;

/** The scripts of a page that this one does not have yet: what they look for is here now. */
function bring(page) {
  for (const script of page.querySelectorAll("script[src]")) {
    const source = script.getAttribute("src");
    if (document.querySelector(`script[src="${source}"]`)) continue;
    const own = document.createElement("script");
    own.type = "module";
    own.src = source;
    document.head.append(own);
  }
}

/** Puts what is missing in its place; whether all of it is there now. */
async function fill(address, parts) {
  const reply = await fetch(address, { headers: { Accept: "text/html", Prefer: "wait" } });
  if (!reply.ok) return false;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const fresh = parts.map((part) => page.getElementById(part.id));
  if (fresh.some((part) => !part || part.dataset.later)) return false;
  parts.forEach((part, i) => part.replaceWith(document.adoptNode(fresh[i])));
  bring(page);
  fresh.forEach(begin);
  return true;
}

async function wait(address, parts) {
  for (let n = 0; n < TRIES; n++) {
    // A server that is out of reach for a moment is asked again, too.
    if (await fill(address, parts).catch(() => false)) return;
    await new Promise((again) => setTimeout(again, PAUSE_MS));
  }
}

/** Asks for everything below that is missing; what came may lack parts of its own. */
function begin(root) {
  const missing = new Map();
  for (const part of root.querySelectorAll("[data-later]")) {
    const parts = missing.get(part.dataset.later) ?? [];
    missing.set(part.dataset.later, [...parts, part]);
  }
  for (const [address, parts] of missing) void wait(address, parts);
}
begin(document);
