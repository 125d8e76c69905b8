// The invitation behind the # of the link goes into the form, and out of the address bar.
const field = document.getElementById("invite");
const said = location.hash.slice(1);
if (field && said) {
  field.value = said;
  history.replaceState(null, "", location.pathname);
  field.form.querySelector("button").focus();
}
