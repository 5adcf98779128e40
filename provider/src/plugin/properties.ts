import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import structs from "google-protobuf/google/protobuf/struct_pb.js";
import { inputError, refusal } from "../definition/codes.ts";
import { isComponent } from "../runtime/tokens.ts";
import { asSecret, isMarkedSecret } from "../schema/secrets.ts";
import { cleanProps, isProps, type Props, unknown } from "../schema/values.ts";

/** How the engine marks values that are more than their JSON: this key, and one of these values. */
const signature = "4dabf18193072939515e22adb298388d";
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const resourceSignature = "5cf8f73096256a8f31e491e813e4eb8e";

/** The placeholders for values that are not known yet: of texts, truth values, numbers, lists, assets, archives and objects. */
const unknowns: readonly unknown[] = [
  unknown,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];

/** Properties as they have come from the engine. */
export interface Received {
  /** In clear, each unknown value as the one placeholder. */
  readonly props: Props;
  /** The names of the properties in which something is secret. */
  readonly secrets: readonly string[];
  /** By path, such as `native.subnetIds.0`: the one resource that a value is of. */
  readonly sources: Readonly<Record<string, string>>;
  /** As they came. */
  readonly marked: Props;
}

export function received(struct: Struct | undefined): Received {
  const given: unknown = struct?.toJavaScript();
  const marked = isProps(given) ? given : {};
  const sources: Record<string, string> = {};
  const props = Object.fromEntries(Object.entries(marked).map(([key, value]) => [key, inClear(value, key, sources)]));
  return { props, secrets: Object.keys(marked).filter((key) => holdsSecret(marked[key])), sources, marked };
}

/** Properties in clear. */
export function propsOf(struct: Struct | undefined): Props {
  return received(struct).props;
}

function inClear(value: unknown, path: string, sources: Record<string, string>): unknown {
  if (unknowns.includes(value)) return unknown;
  if (Array.isArray(value)) return value.map((item, index) => inClear(item, `${path}.${index}`, sources));
  if (!isProps(value)) return value;
  if (isMarkedSecret(value)) return inClear(value["value"], path, sources);
  switch (value[signature]) {
    case undefined:
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inClear(inner, `${path}.${key}`, sources)]));
    case outputSignature: {
      const { value: known = unknown, dependencies = [] } = value;
      // What a component tells is of it and of the child that has it.
      const of = Array.isArray(dependencies) ? dependencies.map(String).filter((urn) => !isComponent(urn)) : [];
      if (of.length === 1 && of[0] !== undefined) sources[path] = of[0];
      return inClear(known, path, sources);
    }
    case resourceSignature:
      // A resource that is given where an id is asked for stands for its id; a component has none, and is refused by its URN.
      return value["id"] === "" ? unknown : (value["id"] ?? value["urn"]);
    default:
      throw refusal([inputError(path, "takes no assets and no archives")]);
  }
}

function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret);
  if (!isProps(value)) return false;
  const isSecretOutput = value["secret"] === true && value[signature] === outputSignature;
  return isSecretOutput || isMarkedSecret(value) || Object.values(value).some(holdsSecret);
}

/**
 * Properties to return, in which what was given as a secret is one again. What is in a list makes the whole list secret: its items may come
 * back in another order.
 */
export function withSecretsOf(given: Props, props: Props): Props {
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, secretLike(given[key], value)]));
}

function secretLike(given: unknown, value: unknown): unknown {
  const isMarked = (one: unknown) => isProps(one) && one[signature] !== undefined;
  if (value === undefined || isMarked(value) || !holdsSecret(given)) return value;
  return !isProps(given) || isMarked(given) || !isProps(value) ? asSecret(value) : withSecretsOf(given, value);
}

/** Properties as they travel. What is `undefined` is not there. */
export function struct(props: Props): Struct {
  const present = Object.entries(cleanProps(props)).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return structs.Struct.fromJavaScript(Object.fromEntries(present));
}
