// Lessons answer while one moves a slider: the page is asked again, and what is live on it replaced.

const form = document.querySelector(".lesson-form");
let waiting = 0;
let asked = 0;

/** Asks the page again with the form as it stands. */
async function again() {
  const number = ++asked;
  const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
  form.setAttribute("aria-busy", "true");
  try {
    const reply = await fetch(address, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (number !== asked) return;
    const [now, then] = [document, page].map((p) => [...p.querySelectorAll("[data-part]")]);
    if (!reply.ok || now.length !== then.length) {
      form.submit();
      return;
    }
    now.forEach((part, i) => part.replaceWith(document.adoptNode(then[i])));
    // A slider may have new bounds, such as the number of words that were typed.
    for (const field of page.querySelectorAll(".lesson-form input[type=range]")) {
      const mine = form.elements.namedItem(field.name);
      if (mine && mine.max !== field.max) {
        mine.max = field.max;
        mine.value = field.value;
        show(mine);
      }
    }
    history.replaceState(null, "", address);
  } catch {
    form.submit();
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** Shows the number of a slider beside it. */
function show(field) {
  const output = form.querySelector(`output[for="${field.id}"]`);
  if (output) output.value = field.value;
}

if (form) {
  form.addEventListener("input", (event) => {
    show(event.target);
    clearTimeout(waiting);
    if (event.target.type !== "text") waiting = setTimeout(again, 250);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    again();
  });
}
