/**
 * Setting up a position: clicks put discs down and the text beside the board follows; what is
 * typed there is drawn.
 * @module
 */

const editor = document.querySelector("#editor");
const text = document.querySelector("#text");
const brush = document.querySelector("#brush");

const BLACK = "Xx*Bb1#●";
const WHITE = "OoWw2○";
const EMPTY = "-._0";

/** The 64 squares of the text as `X`, `O` and `-`; null where it is no board. */
function squares() {
  const letters = [...text.value].filter((c) => !/[\s/;]/.test(c)).slice(0, 64);
  const read = letters.map((c) => (BLACK.includes(c) ? "X" : WHITE.includes(c) ? "O" : EMPTY.includes(c) ? "-" : null));
  return read.length === 64 && !read.includes(null) ? read : null;
}

function draw(read) {
  const token = {
    X: { glyph: "X", label: editor.dataset.black, shape: "dark", colour: 0 },
    O: { glyph: "O", label: editor.dataset.white, shape: "light", colour: 1 },
  };
  const cells = editor.scene.cells.map((cell, i) => ({ ...cell, token: token[read[i]] ?? null }));
  editor.scene = { ...editor.scene, cells };
}

/** Writes the board as the report does: eight lines of 0, 1 and 2. */
function write(read) {
  const digit = { X: "1", O: "2", "-": "0" };
  const rows = Array.from({ length: 8 }, (_, r) => read.slice(8 * r, 8 * r + 8).map((c) => digit[c]).join(" "));
  text.value = `${rows.join("\n")}\n`;
  draw(read);
}

if (editor && text && brush) {
  brush.hidden = false;
  editor.addEventListener("move", (event) => {
    const read = squares() ?? Array(64).fill("-");
    const at = editor.scene.cells.findIndex((cell) => cell.name === event.detail.text);
    const chosen = brush.querySelector("input:checked").value;
    // The same again takes it off.
    read[at] = read[at] === chosen ? "-" : chosen;
    write(read);
  });
  text.addEventListener("input", () => {
    const read = squares();
    if (read) draw(read);
  });
  brush.addEventListener("click", (event) => {
    const given = event.target.closest("[data-board]")?.dataset.board;
    if (!given) return;
    text.value = given;
    write(squares());
  });
}
