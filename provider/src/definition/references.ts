import type { Kind } from "./definition.ts";
import { namesIds } from "../schema/ids.ts";
import { schemaOf } from "../schema/property.ts";

/** The inputs that refer to other resources of the program, or are part of the ID: their values may be unknown in a preview. */
export function referringInputs(kind: Kind): readonly string[] {
  const keys = Object.keys(kind.inputs.shape);
  return kind.needsByName ? keys : keys.filter((key) => kind.id.names.includes(key) || namesIds(schemaOf(kind, key)));
}
