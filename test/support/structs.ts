import structs from "google-protobuf/google/protobuf/struct_pb.js";

/** Properties by name, as they travel between the engine and a provider. */
export type Props = Readonly<Record<string, unknown>>;

/** The placeholder in a request for a value that a preview does not know yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

export function isProps(value: unknown): value is Props {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

let turn = false;

/** A struct without the properties that are `undefined`. Like the engine's, its properties are in no fixed order. */
export function struct(props: Props): structs.Struct {
  turn = !turn;
  return structs.Struct.fromJavaScript(plainProps(props));
}

/** The properties of a struct, with secrets marked as such. */
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

/** Properties without those that only the provider reads. */
export function visible(props: Props = {}): Props {
  return Object.fromEntries(Object.entries(props).filter(([key]) => !key.startsWith("__")));
}

/** Properties with secrets in clear. This is how the engine passes them to a provider that takes no secrets. */
export function inClear(props: Props): Props {
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, revealed(value)]));
}

function revealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revealed);
  if (!isProps(value)) return value;
  return isSecret(value) ? revealed(value["value"]) : inClear(value);
}

/** A value as everyone may see it: whatever is marked as a secret is left out. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isProps(value)) return value;
  return isSecret(value) ? "[secret]" : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner)]));
}

/** A value as the engine passes a secret to a provider that takes secrets. */
export function asSecret(value: unknown): Props {
  return { [signature]: secretSignature, value };
}

/** A value as the engine passes it to a provider that takes outputs; without a value if that is not known. */
export function asOutput(value: unknown, dependencies: readonly string[]): Props {
  return { [signature]: outputSignature, value: value === unknown ? undefined : value, dependencies };
}

export function isSecret(value: unknown): value is Props {
  return isProps(value) && value[signature] === secretSignature;
}

/** A value inside of a value; `undefined` if there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined), value);
}
