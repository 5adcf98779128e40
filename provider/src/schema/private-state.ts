import { isProps, pick, type Props } from "./values.ts";

/** Where a resource lives. At another endpoint, or in another region or account, its id means nothing, or another resource. */
export interface Home {
  readonly endpoint: string;
  readonly region: string;
  readonly account: string;
}

type Texts = Readonly<Record<string, string>>;

const isText = (value: unknown): value is string => typeof value === "string";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isTrue = (value: unknown): value is true => value === true;
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isListOfTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const isTexts = (value: unknown): value is Texts => isProps(value) && Object.values(value).every(isText);
const isHome = (value: unknown): value is Home =>
  isProps(value) && isText(value["endpoint"]) && isText(value["region"]) && isText(value["account"]);

type Is<T> = (value: unknown) => value is T;
type Read<T> = (value: unknown, key: string) => T;

/** Reads the value of a key: `otherwise` without a value. */
function held<T>(is: Is<T>): Read<T | undefined>;
function held<T>(is: Is<T>, otherwise: NoInfer<T>): Read<T>;
function held<T>(is: Is<T>, otherwise?: T): Read<T | undefined> {
  return (value, key) => {
    if (value === undefined) return otherwise;
    if (is(value)) return value;
    throw new Error(
      `the state of this resource was changed by hand: its ${key} is not as @container-platform/pulumi writes it: restore the state from a backup; nothing was changed`,
    );
  };
}

interface Timeouts {
  readonly create?: string | undefined;
  readonly update?: string | undefined;
  readonly delete?: string | undefined;
}

function timeouts(value: unknown, key: string): Timeouts {
  const given = held(isProps, {})(value, key);
  const [create, update, remove] = ["create", "update", "delete"].map((verb) => held(isText)(given[verb], `${key}.${verb}`));
  return { create, update, delete: remove };
}

/** The private keys: first those that the shell passes besides a resource's inputs, then those that the state holds besides inputs and outputs. */
const keys = {
  /** The resource's URN. */
  __urn: held(isText, ""),
  /** The URN that the resource's automatic name was made of, if that was another one: an alias has moved or renamed the resource since. */
  __named: held(isText),
  /** How long each operation may take, as the user wrote it. */
  __timeouts: timeouts,
  /** The id of a resource that exists already and is to be imported. */
  __adopt: held(isText),
  /** The name of a resource at the top of the stack that a component makes its own. */
  __adopts: held(isText),
  /** What the arguments of a component are called that the inputs are made of, by the path of the input. */
  __from: held(isTexts, {}),
  /** The names of the inputs that the program gives as secrets. */
  __veiled: held(isListOfTexts, []),
  /** The resource is only read, with `get`. It is an error if it does not exist. */
  __get: held(isFlag, false),
  /** By input: the URN of the resource that it takes its value from. */
  __of: held(isTexts, {}),
  /** The URNs that the program names in the option `dependsOn`. */
  __after: held(isListOfTexts, []),
  /** The option `deleteBeforeReplace`, if the program sets it. */
  __first: held(isFlag),
  /** The option `retainOnDelete`, if the program sets it. */
  __kept: held(isTrue),
  /** The URN that the program names in the option `deletedWith`. */
  __with: held(isText),
  /** The layout of the private state: `layout`, or that of an older version of this library. */
  __v: held(isWhole),
  __home: held(isHome),
  /** The inputs that the user left to the platform. */
  __left: held(isListOfTexts, []),
  /** The creation is not finished: the resource has not been ready yet. */
  __unborn: held(isFlag, false),
  /** Why the creation ended in a state from which the resource cannot recover. */
  __failed: held(isText),
  /** What the program says of inputs that were changed outside of Pulumi, and that cannot be changed back in place. */
  __said: held(isProps, {}),
  /** It was imported or renamed, and its owner tag is not known to name it. */
  __unmarked: held(isFlag, false),
  /** The outputs that are secret, as what the program gives the resource that it is in is one. */
  __hides: held(isListOfTexts, []),
};

type PrivateState = { readonly [Key in keyof typeof keys]: ReturnType<(typeof keys)[Key]> };

/** What only `check` needs: neither the state nor a later call has it. */
export const checkedOnly: readonly string[] = ["__of", "__after", "__first", "__kept", "__with", "__adopts", "__from"];

// A cache: each value follows from its key.
const parsed = new WeakMap<Props, PrivateState>();

/** The layout in which this version writes private state. All older layouts stay readable. */
export const layout = 1;

/** @throws if the state was written by a newer version of this library, or is none that a version has written */
export function privateStateOf(props: Props): PrivateState {
  const known = parsed.get(props);
  if (known) return known;
  const { __v: written } = props;
  // This version does not know what the other keys mean in a newer layout.
  if (typeof written === "number" && written > layout)
    throw new Error(
      `the state was written by a newer version of @container-platform/pulumi or its plugin (layout ${written}, this one reads up to ${layout}): install that version, or a newer one; nothing was changed`,
    );
  const state = Object.fromEntries(Object.entries(keys).map(([key, read]) => [key, read(props[key], key)])) as PrivateState;
  parsed.set(props, state);
  return state;
}

/** The private inputs that stay in the state. Those of an import are needed once only. */
export function keptPrivateInputs(props: Props): Props {
  return pick(props, ["__urn", "__named", "__timeouts", "__get", "__veiled"]);
}

/** Whether a property is private state: no input or output of a resource. */
export function isPrivate(key: string): boolean {
  return key.startsWith("__");
}

/** The inputs that are left to the platform, as private state. */
export function leftToPlatform(inputs: readonly string[]): Props {
  return inputs.length === 0 ? {} : { __left: inputs };
}

/** What the state notes of a resource that is not as desired, for the next run. */
export function unfinishedState({ fresh, failed, isMarked }: Unfinishing): Props {
  return {
    ...(fresh ? { __unborn: true } : {}),
    ...(failed === undefined ? {} : { __failed: failed }),
    ...(isMarked ? {} : { __unmarked: true }),
  };
}

interface Unfinishing {
  readonly fresh: boolean;
  readonly failed: string | undefined;
  readonly isMarked: boolean;
}
