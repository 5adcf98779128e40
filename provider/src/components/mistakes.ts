import { nearest } from "@container-platform/sdk";
import { type ComponentResource, Output, ResourceError } from "@pulumi/pulumi";
import { asItIs } from "../functions/uncaught.ts";
import { asCalled } from "./names.ts";
import { inWords } from "../pulumi/in-words.ts";
import { isProps } from "../schema/values.ts";

/** Ends the preview with what is wrong with the arguments of a component, one sentence each, if anything is. */
export function refuse(component: ComponentResource, mistakes: readonly string[]): void {
  if (mistakes.length === 0) return;
  const said = mistakes.map((mistake) => asCalled(component, mistake)).join("\n");
  // The stack of our own constructor would not help anybody.
  throw asItIs(new ResourceError(said, component, true));
}

/** The keys of arguments that do not exist. `known`: those that do, each of them, or it does not compile. */
export function unknownKeys<Args extends object>(args: Args, known: Readonly<Record<keyof Args, true>>, path = ""): string[] {
  const names = Object.keys(known);
  return Object.keys(args)
    .filter((key) => !names.includes(key))
    .map((key) => {
      const [likely] = nearest(key, names);
      const hint = likely === undefined ? `it has ${names.join(", ")}` : `maybe you meant ${likely}`;
      return `${path === "" ? "" : `${path}.`}${key}: there is no such property; ${hint}`;
    });
}

/** The names of roles, pools and the like that children cannot be called by. A number would also change the order of the others. */
export function wrongNames(property: string, names: readonly string[]): string[] {
  return names
    .filter((name) => !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    .map(
      (name) =>
        `${property}: "${name}" is no name: it takes lower-case letters, digits and single - between them, and begins with a letter`,
    );
}

/** Arguments that take a list of texts, and are none. `such`: what is in it. */
export function notLists(given: Readonly<Record<string, unknown>>, such: string): string[] {
  return Object.entries(given).flatMap(([property, value]) => {
    if (value === undefined) return [];
    if (!Array.isArray(value))
      return [`${property}: takes a list that is known in the preview, such as ["${such}"], not ${inWords(value)}`];
    return value.flatMap((item: unknown, index) =>
      typeof item === "string"
        ? []
        : [`${property}[${index}]: takes text that is known in the preview, such as "${such}", not ${inWords(item)}`],
    );
  });
}

/** Arguments that take an object, and are something else. `such`: what it has. */
export function notObjects(given: Readonly<Record<string, unknown>>, such = ""): string[] {
  return Object.entries(given).flatMap(([property, value]) =>
    value === undefined || isObject(value) ? [] : [`${property}: takes an object${such}, not ${inWords(value)}`],
  );
}

/** A record of objects in which something else is. */
export function notAllObjects(property: string, given: Readonly<Record<string, unknown>>, such: string): string[] {
  return Object.entries(given).flatMap(([key, one]) =>
    isObject(one) ? [] : [`${property}.${key}: takes an object${such}, not ${inWords(one)}`],
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isProps(value) && !Output.isInstance(value) && !(value instanceof Promise);
}

/** What is wrong with the wishes for children of a component: a function each, and the names of resources. */
export function wrongWishes({ transform, childAliases }: { readonly transform?: unknown; readonly childAliases?: unknown }): string[] {
  const wrong = notObjects({ transform, childAliases });
  if (wrong.length > 0) return wrong;
  const isName = (value: unknown): boolean =>
    typeof value === "string" || (isObject(value) && Object.values(value).every((one) => typeof one === "string"));
  const entriesOf = (value: unknown) => (isObject(value) ? Object.entries(value) : []).filter(([, one]) => one !== undefined);
  return [
    ...entriesOf(transform)
      .filter(([, change]) => typeof change !== "function")
      .map(([child, change]) => `transform.${child}: takes a function, not ${inWords(change)}`),
    ...entriesOf(childAliases)
      .filter(([, name]) => !isName(name))
      .map(([child, name]) => `childAliases.${child}: takes the name of a resource, or names by that of the child, not ${inWords(name)}`),
  ];
}

/** Arguments that take true or false, and are something else. */
export function notFlags(given: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(given).flatMap(([property, value]) =>
    value === undefined || typeof value === "boolean" ? [] : [`${property}: takes true or false, not ${inWords(value)}`],
  );
}

/** An argument that takes one of some words, and is none of them. */
export function notAmong(property: string, value: unknown, words: readonly string[]): string[] {
  return value === undefined || words.some((word) => word === value)
    ? []
    : [`${property}: ${inWords(value)} is not one of ${words.join(", ")}`];
}

/** A number and its noun: `1 zone`, `3 zones`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
