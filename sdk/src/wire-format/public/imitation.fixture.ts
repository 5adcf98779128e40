import { isList, isObject, type Json } from "../../operation/codec.ts";
import type { Models } from "./models.fixture.ts";

/** What the vendor's own clients leave out as well, although its models require it. */
export const leftOut = /\.(DesiredPodNumber|GPUArgs|PreStartUserScript|Taints|DiskPartition)$/;

/** The fields of a value that its published model does not have, and those that the model requires and the value lacks. */
export interface Misfits {
  readonly unknown: readonly string[];
  readonly missing: readonly string[];
}

const types: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
};

/** Holds a request or an answer against the model of this name, as strictly as the model says. A value of another type is unknown, too. */
export function misfitsOf(models: Models, type: string, value: Json, path = ""): Misfits {
  if (type.startsWith("list of ")) {
    if (!isList(value)) return { unknown: [`${path} is no list`], missing: [] };
    return together(value.map((item) => misfitsOf(models, type.slice("list of ".length), item, `${path}[]`)));
  }
  const members = models.get(type);
  if (!members) return { unknown: types[type]?.(value) === false ? [`${path} is no ${type}`] : [], missing: [] };
  if (!isObject(value)) return { unknown: [`${path} is no object`], missing: [] };
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const missing = [...members.values()].filter(({ name, required }) => required && value[name] === undefined).map(({ name }) => at(name));
  const inner = Object.entries(value).map(([name, each]): Misfits => {
    const member = members.get(name);
    return member ? misfitsOf(models, member.type, each, at(name)) : { unknown: [at(name)], missing: [] };
  });
  return together([{ unknown: [], missing }, ...inner]);
}

function together(all: readonly Misfits[]): Misfits {
  return { unknown: all.flatMap(({ unknown }) => unknown), missing: all.flatMap(({ missing }) => missing) };
}
