/**
 * A first look: choosing another column to predict looks again. Without this script the form has a
 * button.
 * @module
 */

document.querySelector("#predict select")?.addEventListener("change", (event) => event.target.form.requestSubmit());
