import { Output, Resource } from "@pulumi/pulumi";

/** A value that a program has given, as a part of a sentence. What may be long, refer to itself or hold a secret is named, not shown. */
export function describeValue(value: unknown): string {
  if (Output.isInstance(value)) return "an output or a secret";
  if (value instanceof Promise) return "a promise, which has to be awaited";
  if (Resource.isInstance(value)) return "a resource";
  if (isShort(value) || (Array.isArray(value) && value.every(isShort))) return JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  if (typeof value === "object") return "an object";
  return typeof value === "bigint" || typeof value === "symbol" ? value.toString() : "undefined";
}

function isShort(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
