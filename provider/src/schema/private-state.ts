import * as z from "@container-platform/sdk/zod";
import { ProviderError } from "../definition/codes.ts";
import { placeOf } from "./paths.ts";
import { pick, type Props } from "./values.ts";

const home = z.object({ endpoint: z.string(), region: z.string(), account: z.string() });

/** Where a resource lives. At another endpoint, or in another region or account, its id means nothing, or another resource. */
export type Home = Readonly<z.output<typeof home>>;

const verb = z.string().optional();
const texts = z.record(z.string(), z.string()).default({});

/** The private keys: first those that the shell passes besides a resource's inputs, then those that the state holds besides inputs and outputs. */
const privateState = z.object({
  __urn: z.string().default(""),
  /** The URN that the resource's automatic name was made of, if that was another one: an alias has moved or renamed the resource since. */
  __named: z.string().optional(),
  /** How long each operation may take, as the user wrote it. */
  __timeouts: z.object({ create: verb, update: verb, delete: verb }).default({}),
  /** The id of a resource that exists already and is to be imported. */
  __adopt: z.string().optional(),
  /** The name of a resource at the top of the stack that a component makes its own. */
  __adopts: z.string().optional(),
  /** What the arguments of a component are called that the inputs are made of, by the path of the input. */
  __from: texts,
  /** The names of the inputs that the program gives as secrets. */
  __veiled: z.array(z.string()).default([]),
  /** The resource is only read, with `get`. It is an error if it does not exist. */
  __get: z.boolean().default(false),
  /** By input: the URN of the resource that it takes its value from. */
  __of: texts,
  /** The URNs that the program names in the option `dependsOn`. */
  __after: z.array(z.string()).default([]),
  /** The option `deleteBeforeReplace`, if the program sets it. */
  __first: z.boolean().optional(),
  /** The option `retainOnDelete`, if the program sets it. */
  __kept: z.literal(true).optional(),
  /** The URN that the program names in the option `deletedWith`. */
  __with: z.string().optional(),
  /** The layout of the private state: `layout`, or that of an older version of this library. */
  __v: z.int().optional(),
  __home: home.optional(),
  /** The inputs that the user left to the platform. */
  __left: z.array(z.string()).default([]),
  /** The creation is not finished: the resource has not been ready yet. */
  __unborn: z.boolean().default(false),
  /** Why the creation ended in a state from which the resource cannot recover. */
  __failed: z.string().optional(),
  /** What the program says of inputs that were changed outside of Pulumi, and that cannot be changed back in place. */
  __said: z.record(z.string(), z.unknown()).default({}),
  /** It was imported or renamed, and its owner tag is not known to name it. */
  __unmarked: z.boolean().default(false),
  /** The outputs that are secret, as what the program gives the resource that it is in is one. */
  __hides: z.array(z.string()).default([]),
});

type PrivateState = z.output<typeof privateState>;

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
    throw new ProviderError(
      "InvalidState",
      `the state was written by a newer version of @container-platform/pulumi or its plugin (layout ${written}, this one reads up to ${layout}): install that version, or a newer one; nothing was changed`,
    );
  const { data, error } = privateState.safeParse(props);
  if (!data)
    throw new ProviderError(
      "InvalidState",
      `invalid state: ${placeOf(error.issues[0]?.path ?? [])} has an unexpected value, so the state may have been edited by hand. Restore it from a backup. Nothing was changed`,
    );
  parsed.set(props, data);
  return data;
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
