/**
 * The words that scripts write, in the language of the page: the server puts them into the block
 * `#words`, from the keys of its book that begin with `js-`, and what people call the machines.
 * @module
 */

const lang = document.documentElement.lang || "en";
const block = document.getElementById("words");
const texts = block ? JSON.parse(block.textContent) : {};
const rules = new Intl.PluralRules(lang);

/** The forms of a counted word in the order in which the book has them: one, few, many, broken. */
const FORMS = {
  en: { one: 0, other: 1 },
  pl: { one: 0, few: 1, many: 2, other: 3 },
  cs: { one: 0, few: 1, other: 2, many: 3 },
};

function form(value, forms) {
  const number = Number(String(value).replace(/[\s,_]/gu, ""));
  const which = Number.isNaN(number) ? Infinity : ((FORMS[lang] ?? FORMS.en)[rules.select(number)] ?? Infinity);
  return forms[Math.min(which, forms.length - 1)];
}

/**
 * A text with its arguments: `{name}` becomes the argument of that name, `{name:game|games}` the form
 * that goes with it.
 * @param {string} text
 * @param {Record<string, string | number>} args
 */
export function fill(text, args) {
  return text.replace(/\{([^{}:]+)(?::([^{}]*))?\}/gu, (gap, name, forms) => {
    if (!Object.hasOwn(args, name)) return gap;
    return forms === undefined ? String(args[name]) : form(args[name], forms.split("|"));
  });
}

/**
 * A text of the book. A key that the page does not have is shown as it is.
 * @param {string} key without the `js-` in front
 * @param {Record<string, string | number>} [args]
 */
export function word(key, args = {}) {
  return fill(texts[key] ?? key, args);
}

/** Whether the page has a text for a key. */
export function known(key) {
  return Object.hasOwn(texts, key);
}
