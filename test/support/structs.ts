import structs from "google-protobuf/google/protobuf/struct_pb.js";

/** Properties by name, as they travel between the engine and a provider. */
export type Props = Readonly<Record<string, unknown>>;

/** What stands in a request for a value that a preview does not know yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

export function isProps(value: unknown): value is Props {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

let turn = false;

/** A value as a struct can hold it: what is `undefined` is not there. Like the engine's, it has no order of properties that one could rely on. */
export function struct(props: Props): structs.Struct {
  turn = !turn;
  return structs.Struct.fromJavaScript(plainProps(props));
}

/** A struct as it is, marks of secrets included. */
export function propsOf(value: structs.Struct | undefined): Props {
  return value?.toJavaScript() ?? {};
}

function plain(value: unknown): NonNullable<unknown> | null {
  if (Array.isArray(value)) return value.map(plain);
  return isProps(value) ? plainProps(value) : (value ?? null);
}

function plainProps(props: Props): Record<string, NonNullable<unknown> | null> {
  const there = Object.entries(props).flatMap(([key, value]) => (value === undefined ? [] : [[key, plain(value)] as const]));
  return Object.fromEntries(turn ? there : there.toReversed());
}

/** Properties in clear: so the engine hands them back to a provider that takes no secrets. */
export function inClear(props: Props): Props {
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, revealed(value)]));
}

function revealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revealed);
  if (!isProps(value)) return value;
  return isSecret(value) ? revealed(value["value"]) : inClear(value);
}

/** What of a value is told to everyone: whatever is marked as secret is left out. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isProps(value)) return value;
  return isSecret(value) ? "[secret]" : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner)]));
}

export function isSecret(value: unknown): value is Props {
  return isProps(value) && value[signature] === secretSignature;
}
