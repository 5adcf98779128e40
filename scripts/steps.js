import { progress } from "./command.js";

// What the set-up says of its steps, some of which are taken at the same time: what has ended and how long it took, and what begins or
// goes on.

/**
 * A step of the set-up.
 * @typedef {object} Step
 * @property {string} doing such as `building the packages`
 * @property {string} takes such as `about a minute`
 * @property {string} done such as `packages built`
 */

/** @type {Set<Step>} in the order of their beginnings */
const taken = new Set();

/** @type {string[]} what has ended, and is not yet said */
const ended = [];

/**
 * Takes a step, and says when it begins and ends.
 * @template T
 * @param {Step} step
 * @param {() => Promise<T>} work which fails if the step does
 * @returns {Promise<T>}
 */
export async function taking(step, work) {
  const meanwhile = [...taken].map(({ doing }) => `, while ${doing}`).join("");
  say(`${describe(step)}${meanwhile}`);
  taken.add(step);
  const begun = performance.now();
  try {
    const result = await work();
    ended.push(`${step.done} (${duration(performance.now() - begun)})`);
    return result;
  } finally {
    taken.delete(step);
    // The step that follows says both in one line.
    setImmediate(sayEnded);
  }
}

function sayEnded() {
  if (ended.length > 0) say(...[...taken].map((step) => `still ${describe(step)}`));
}

/** @param {string[]} what */
function say(...what) {
  progress([...ended.splice(0), ...what].join("; "));
}

/** @param {Step} step */
function describe({ doing, takes }) {
  return `${doing} (${takes})`;
}

/** @param {number} milliseconds */
function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
