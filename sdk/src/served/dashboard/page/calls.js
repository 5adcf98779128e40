import { h } from "./tree.js";
import { timeOf } from "./words.js";

/** @typedef {import("../dashboard.ts").ShownCall} ShownCall */

/** Which calls are drawn. @type {Readonly<Record<string, (call: ShownCall) => boolean>>} */
const choices = {
  "Writes and refusals": ({ isWrite, code }) => isWrite || code !== "",
  Refusals: ({ code }) => code !== "",
  "All calls": () => true,
};

export const firstChoice = "Writes and refusals";

/** Names that are drawn of a call: those of resources are the last ones. */
const mostNames = 3;

/** @param {readonly ShownCall[]} calls @param {string} choice */
export function drawCalls(calls, choice) {
  const chosen = calls.filter((call) => choices[choice]?.(call));
  return h(
    "section",
    { class: "calls", "aria-labelledby": "calls" },
    h(
      "header",
      {},
      h("h2", { id: "calls" }, "Last calls"),
      h(
        "select",
        { "data-does": "choose", "data-value": choice, "aria-label": "which calls" },
        Object.keys(choices).map((name) => h("option", { value: name }, name)),
      ),
    ),
    chosen.length === 0 && h("p", { class: "more" }, calls.length === 0 ? "no calls yet" : "none of these"),
    h(
      "ol",
      { tabindex: "0", "aria-labelledby": "calls" },
      chosen.map((call) => drawCall(call)),
    ),
  );
}

/** @param {ShownCall} call */
function drawCall({ number, time, user, region, product, action, names, code }) {
  const meaning = code === "" ? "ready" : "failed";
  return h(
    "li",
    { key: String(number), "data-meaning": meaning },
    h("time", { datetime: new Date(time).toISOString() }, timeOf(time)),
    h("span", { class: "action" }, h("b", {}, action), h("span", { class: "kind" }, product)),
    h("span", { class: "outcome" }, h("span", { class: "mark", "data-meaning": meaning, "aria-hidden": "true" }), code || "done"),
    h("span", { class: "about" }, [...names.slice(0, mostNames), names.length > mostNames && "…"].filter(Boolean).join(", ")),
    h("span", { class: "who" }, [user, region].filter(Boolean).join(" in ")),
  );
}
