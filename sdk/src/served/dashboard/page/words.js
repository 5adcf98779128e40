import { h } from "./tree.js";

/** @typedef {import("../dashboard.ts").State} State */

/** @param {number} time */
export function dateOf(time) {
  return new Date(time).toISOString().slice(0, 10);
}

/** @param {number} time */
export function timeOf(time) {
  return new Date(time).toISOString().slice(11, 19);
}

/** @param {number} bytes */
export function sizeOf(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

/** @param {string} digest */
export function shortDigest(digest) {
  return digest.replace(/^(\w+:\w{12}).*$/, "$1…");
}

/** @param {number} number @param {string} noun */
export function counted(number, noun) {
  return `${number} ${number === 1 ? noun : noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** How many of a list are not drawn. @param {{ more: number }} list @param {string} noun */
export function moreOf({ more }, noun) {
  return more > 0 && h("p", { class: "more" }, `and ${counted(more, `more ${noun}`)}`);
}

/** A mark whose shape tells the meaning, not its colour alone. @param {State} state */
export function mark({ meaning }) {
  return h("span", { class: "mark", "data-meaning": meaning, "aria-hidden": "true" });
}

/** A new state is a new element, which appears. @param {State} state */
export function stateOf(state) {
  return h("span", { class: "state", key: state.name, "data-meaning": state.meaning }, mark(state), state.name);
}

/**
 * The head of what has a state: what opens its facts, its kind, and why it is so.
 * @param {"h3" | "h4"} level @param {{ id: string, name: string, state: State }} of @param {string} noun @param {string} kind
 */
export function headOf(level, { id, name, state }, noun, kind) {
  const title = h(level, {}, opener(id, `${noun} ${name}, ${state.name}`, "name", name));
  return [
    h("header", {}, title, h("span", { class: "kind" }, kind), stateOf(state)),
    state.reason !== undefined && h("p", { class: "reason" }, state.reason),
  ];
}

/**
 * What opens the facts of a thing.
 * @param {string} id @param {string} label @param {string} className @param {import("./tree.js").Part[]} children
 */
export function opener(id, label, className, ...children) {
  return h("button", { type: "button", class: className, key: id, "data-does": "open", "data-id": id, "aria-label": label }, children);
}
