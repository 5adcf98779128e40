import { h } from "./tree.js";
import { dateOf, timeOf } from "./words.js";

const minute = 60_000;

/** How far the clock is moved by a press, in milliseconds. @type {readonly (readonly [label: string, in_words: string, by: number])[]} */
const steps = [
  ["+1 min", "one minute", minute],
  ["+10 min", "ten minutes", 10 * minute],
  ["+1 h", "one hour", 60 * minute],
  ["+1 day", "one day", 24 * 60 * minute],
];

const timeScales = ["realistic", "fast", "instant"];

/** The world's clock, and what moves it. @param {import("../dashboard.ts").Shown["clock"]} clock */
export function drawClock({ time, isFrozen, timeScale }) {
  return h(
    "section",
    { class: "clock", "aria-label": "the world's clock" },
    h("time", { datetime: new Date(time).toISOString() }, h("span", {}, dateOf(time)), h("b", {}, timeOf(time)), h("span", {}, "UTC")),
    h(
      "div",
      { class: "controls", role: "group", "aria-label": "control of the clock" },
      h("button", { type: "button", "data-does": isFrozen ? "unfreeze" : "freeze" }, isFrozen ? "Let it run" : "Stop it"),
      steps.map(([label, words, by]) =>
        h(
          "button",
          {
            type: "button",
            key: label,
            "data-does": "advance",
            "data-by": String(by),
            "aria-label": `${label}: move the clock by ${words}`,
          },
          label,
        ),
      ),
      h(
        "label",
        {},
        h("span", {}, "Time scale"),
        h(
          "select",
          { "data-does": "setTimeScale", "data-value": timeScale },
          timeScales.map((name) => h("option", { value: name }, name)),
        ),
      ),
    ),
  );
}
