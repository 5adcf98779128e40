// What is drawn is described as a tree, and the document is changed to it where it differs: focus, scrolling and what is unfolded stay.

/**
 * @typedef {object} Drawn
 * @property {string} tag
 * @property {Readonly<Record<string, string>>} attributes
 * @property {readonly Child[]} children
 * @property {string | undefined} key by which it is the same element among its siblings, wherever it stands
 */
/** @typedef {Drawn | string} Child */
/** @typedef {Child | undefined | false} Part */
/** @typedef {Part | readonly Part[]} Given */

/**
 * @param {string} tag
 * @param {Readonly<Record<string, string | boolean | undefined>>} attributes `key` is none of the document's
 * @param {...Given} children
 * @returns {Drawn}
 */
export function h(tag, { key, ...attributes }, ...children) {
  /** @type {Record<string, string>} */
  const set = {};
  for (const [name, value] of Object.entries(attributes)) if (typeof value === "string" || value === true) set[name] = String(value);
  return { tag, attributes: set, children: flat(children), key: typeof key === "string" ? key : undefined };
}

/** @param {readonly Given[]} children @returns {Child[]} */
function flat(children) {
  return children.flat().filter((child) => child !== undefined && child !== false);
}

/** The name of each node among its siblings. @type {WeakMap<Node, string>} */
const names = new WeakMap();

/** Makes the children of an element what they are to be. @param {Element} parent @param {readonly Given[]} given */
export function draw(parent, given) {
  const children = flat(given);
  const before = new Map([...parent.childNodes].map((node) => [names.get(node) ?? "", node]));
  const counts = new Map();
  const after = children.map((child) => {
    const tag = typeof child === "string" ? "" : child.tag;
    const number = counts.get(tag) ?? 0;
    counts.set(tag, number + 1);
    const name = typeof child === "string" || child.key === undefined ? `${tag} ${number}` : `${tag}=${child.key}`;
    const node = drawn(before.get(name), child);
    names.set(node, name);
    return node;
  });
  const kept = new Set(after);
  for (const node of [...parent.childNodes]) if (!kept.has(node)) node.remove();
  after.forEach((node, index) => {
    const there = parent.childNodes[index];
    if (there !== node) parent.insertBefore(node, there ?? null);
  });
}

/** @param {ChildNode | undefined} before @param {Child} child @returns {ChildNode} */
function drawn(before, child) {
  if (typeof child === "string") {
    const text = before instanceof Text ? before : document.createTextNode("");
    if (text.data !== child) text.data = child;
    return text;
  }
  const element = before instanceof HTMLElement ? before : document.createElement(child.tag);
  for (const { name } of [...element.attributes]) if (!(name in child.attributes)) element.removeAttribute(name);
  for (const [name, value] of Object.entries(child.attributes)) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  draw(element, child.children);
  // What was chosen by hand is no attribute.
  const value = child.attributes["data-value"];
  if (element instanceof HTMLSelectElement && value !== undefined && element.value !== value) element.value = value;
  return element;
}
