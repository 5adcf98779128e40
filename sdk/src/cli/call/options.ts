import { type Options, sharedOptions } from "../command/arguments.ts";

/** The options of every call. Parameters of actions begin with a capital letter; these do not. */
export const callOptions = {
  ...sharedOptions,
  version: { value: "DATE", summary: "Version of the action. Default: 2018-05-25, or else the newest version of the action." },
  "cli-unfold-argument": { summary: "Takes parameters in parts: --Parent.Child, --Labels.0.Name." },
  "cli-input-json": { value: "FILE", summary: "Takes parameters from a file: file://<path>, or file://- for the standard input." },
  "generate-cli-skeleton": { summary: "Prints a template for --cli-input-json, and calls nothing." },
  waiter: { value: "OBJECT", summary: `Repeats the call until --waiter '{"expr": "<filter>", "to": "<value>"}' is true of the response.` },
  all: { summary: "Requests all pages of a list, and prints them as one response." },
  detail: { summary: "With help: prints types, values, limits and errors." },
  help: { summary: "Prints the help, as the word help does." },
} as const satisfies Options;
