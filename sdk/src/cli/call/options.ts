import type { Options } from "../command/arguments.ts";
import { sharedOptions } from "../command/options.ts";

/** The options of every call. Parameters of actions begin with a capital letter; these do not. */
export const callOptions = {
  ...sharedOptions,
  version: { value: "DATE", summary: "Version of the action; 2018-05-25, or the action's newest one, unless given." },
  "cli-unfold-argument": { summary: "Takes parameters in parts: --Parent.Child, --Labels.0.Name." },
  "cli-input-json": { value: "FILE", summary: "Takes parameters from a file: file://<path>, or file://- for the standard input." },
  "generate-cli-skeleton": { summary: "Prints what --cli-input-json takes, and calls nothing." },
  waiter: { value: "OBJECT", summary: `Calls again until --waiter '{"expr": "<filter>", "to": "<value>"}' holds of the answer.` },
  all: { summary: "Asks for all pages of a list, and prints them as one." },
  detail: { summary: "With help: tells types, values, limits and errors." },
  help: { summary: "Tells what there is; as the word help does." },
} as const satisfies Options;
