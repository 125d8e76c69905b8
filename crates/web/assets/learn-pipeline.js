/**
 * One pipeline closely: a cell that is chosen shows its rows in place. Without this script the cell
 * is a link to the same page.
 * @module
 */

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("#confusion a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const reply = await fetch(link.href, { headers: { Accept: "text/html" } });
  if (!reply.ok) return location.assign(link.href);
  const next = new DOMParser().parseFromString(await reply.text(), "text/html");
  for (const id of ["confusion", "rows"]) {
    const fresh = next.getElementById(id);
    if (fresh) document.getElementById(id).replaceWith(document.importNode(fresh, true));
  }
  history.replaceState(null, "", link.href);
  // A reader of the page by ear is led to the rows.
  document.querySelector("#rows h3")?.focus({ preventScroll: true });
});
