import { isProps, pick, type Props } from "./values.ts";

type Texts = Readonly<Record<string, string>>;

/** What the shell passes to the lifecycle besides a resource's inputs. A difference in it is no change. */
interface PrivateInputs {
  /** The resource's URN. */
  readonly __urn: string;
  /** The URN that the resource's automatic name was made of, if that was another one: an alias has moved or renamed the resource since. */
  readonly __named: string | undefined;
  /** How long each operation may take, as the user wrote it. */
  readonly __timeouts: Timeouts;
  /** The id of a resource that exists already and is to be imported. */
  readonly __adopt: string | undefined;
  /** The name of a resource at the top of the stack that a component makes its own. */
  readonly __adopts: string | undefined;
  /** What the arguments of a component are called that the inputs are made of, by the path of the input. */
  readonly __from: Texts;
  /** The names of the inputs that the program gives as secrets. */
  readonly __veiled: readonly string[];
  /** The resource is only read, with `get`. It is an error if it does not exist. */
  readonly __get: boolean;
  /** By input: the URN of the resource that it takes its value from. */
  readonly __of: Texts;
  /** The URNs that the program names in the option `dependsOn`. */
  readonly __after: readonly string[];
  /** The option `deleteBeforeReplace`, if the program sets it. */
  readonly __first: boolean | undefined;
  /** The option `retainOnDelete`, if the program sets it. */
  readonly __kept: true | undefined;
  /** The URN that the program names in the option `deletedWith`. */
  readonly __with: string | undefined;
}

interface Timeouts {
  readonly create?: string | undefined;
  readonly update?: string | undefined;
  readonly delete?: string | undefined;
}

/** What only `check` needs: neither the state nor a later call has it. */
export const checkedOnly: readonly string[] = ["__of", "__after", "__first", "__kept", "__with", "__adopts", "__from"];

/** Where a resource lives. At another endpoint, or in another region or account, its id means nothing, or another resource. */
export interface Home {
  readonly endpoint: string;
  readonly region: string;
  readonly account: string;
}

/** What the state holds besides inputs and outputs. */
interface PrivateOutputs {
  /** The layout of the private state: `layout`, or that of an older version of this library. */
  readonly __v: number | undefined;
  readonly __home: Home | undefined;
  /** The inputs that the user left to the platform. */
  readonly __left: readonly string[];
  /** The creation is not finished: the resource has not been ready yet. */
  readonly __unborn: boolean;
  /** Why the creation ended in a state from which the resource cannot recover. */
  readonly __failed: string | undefined;
  /** What the program says of inputs that were changed outside of Pulumi, and that cannot be changed back in place. */
  readonly __said: Props;
  /** It was imported or renamed, and its owner tag is not known to name it. */
  readonly __unmarked: boolean;
  /** The outputs that are secret, as what the program gives the resource that it is in is one. */
  readonly __hides: readonly string[];
}

type PrivateState = PrivateInputs & PrivateOutputs;

// A cache: each value follows from its key.
const parsed = new WeakMap<Props, PrivateState>();

/** The layout in which this version writes private state. All older layouts stay readable. */
export const layout = 1;

/** @throws if the state was written by a newer version of this library, or is none that a version has written */
export function privateStateOf(props: Props): PrivateState {
  const known = parsed.get(props);
  if (known) return known;
  const state = { ...inputsIn(props), ...outputsIn(props) };
  parsed.set(props, state);
  return state;
}

// By hand: each call reads the state of one resource or two, and a schema takes four times as long.
function inputsIn(props: Props): PrivateInputs {
  return {
    __urn: held(props, "__urn", isText) ?? "",
    __named: held(props, "__named", isText),
    __timeouts: timeoutsIn(props),
    __adopt: held(props, "__adopt", isText),
    __adopts: held(props, "__adopts", isText),
    __from: held(props, "__from", isTexts) ?? {},
    __veiled: held(props, "__veiled", isListOfTexts) ?? [],
    __get: held(props, "__get", isFlag) ?? false,
    __of: held(props, "__of", isTexts) ?? {},
    __after: held(props, "__after", isListOfTexts) ?? [],
    __first: held(props, "__first", isFlag),
    __kept: held(props, "__kept", isTrue),
    __with: held(props, "__with", isText),
  };
}

function outputsIn(props: Props): PrivateOutputs {
  const { __v: written } = props;
  // This version does not know what the other keys mean in a newer layout.
  if (typeof written === "number" && written > layout)
    throw new Error(
      `the state was written by a newer version of @container-platform/pulumi or its plugin (layout ${written}, this one reads up to ${layout}): install that version, or a newer one; nothing was changed`,
    );
  return {
    __v: held(props, "__v", isWhole),
    __home: held(props, "__home", isHome),
    __left: held(props, "__left", isListOfTexts) ?? [],
    __unborn: held(props, "__unborn", isFlag) ?? false,
    __failed: held(props, "__failed", isText),
    __said: held(props, "__said", isProps) ?? {},
    __unmarked: held(props, "__unmarked", isFlag) ?? false,
    __hides: held(props, "__hides", isListOfTexts) ?? [],
  };
}

function timeoutsIn(props: Props): Timeouts {
  const given = held(props, "__timeouts", isProps);
  if (!given) return {};
  const [create, update, remove] = ["create", "update", "delete"].map((verb) => held(given, verb, isText, "__timeouts."));
  return { create, update, delete: remove };
}

/** The value of a key; `undefined` if there is none. */
function held<T>(props: Props, key: string, is: (value: unknown) => value is T, before = ""): T | undefined {
  const value = props[key];
  if (value === undefined || is(value)) return value;
  throw new Error(
    `the state of this resource was changed by hand: its ${before}${key} is not as @container-platform/pulumi writes it: restore the state from a backup; nothing was changed`,
  );
}

const isText = (value: unknown): value is string => typeof value === "string";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isTrue = (value: unknown): value is true => value === true;
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isListOfTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const isTexts = (value: unknown): value is Texts => isProps(value) && Object.values(value).every(isText);
const isHome = (value: unknown): value is Home =>
  isProps(value) && isText(value["endpoint"]) && isText(value["region"]) && isText(value["account"]);

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
