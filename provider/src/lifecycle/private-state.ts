import * as z from "@container-platform/sdk/zod";
import { pick, type Props } from "../schema/values.ts";

/** What the shell tells the lifecycle besides a resource's inputs. None of it is a change by itself. */
const privateInputs = z.object({
  /** The resource's URN. */
  __urn: z.string().default(""),
  /** How long the user lets each verb take, as text. */
  __timeouts: z.object({ create: z.string().optional(), update: z.string().optional(), delete: z.string().optional() }).default({}),
  /** The id of a resource that exists already and is to be imported. */
  __adopt: z.string().optional(),
  /** For an import: the inputs that the program gives as secrets. */
  __veiled: z.array(z.string()).default([]),
  /** The resource is only read. It is an error if it does not exist. */
  __get: z.boolean().default(false),
});

const homeSchema = z.object({ endpoint: z.string(), region: z.string(), account: z.string() });

/** Where a resource lives. With another endpoint, region or account, its id means nothing, or another resource. */
export type Home = Readonly<z.output<typeof homeSchema>>;

/** What the state remembers besides inputs and outputs. */
const privateOutputs = z.object({
  /** The layout of what is remembered: `layout`, or that of an older version of this library. */
  __v: z.int().optional(),
  __home: homeSchema.optional(),
  /** The inputs that the user left to the platform. */
  __left: z.array(z.string()).default([]),
  /** The creation is not finished: nobody has seen the resource ready yet. */
  __unborn: z.boolean().default(false),
  /** The creation has ended in a state from which the resource cannot recover: why. */
  __failed: z.string().optional(),
});

type PrivateState = z.output<typeof privateInputs> & z.output<typeof privateOutputs>;

// A cache: what it holds follows from its key.
const parsed = new WeakMap<Props, PrivateState>();

/** The layout in which this version writes private state. All older layouts stay readable. */
export const layout = 1;

/** @throws if the state was written by a newer version of this library */
export function privateStateOf(props: Props): PrivateState {
  const known = parsed.get(props) ?? { ...privateInputs.parse(props), ...outputsIn(props) };
  parsed.set(props, known);
  return known;
}

function outputsIn(props: Props): z.output<typeof privateOutputs> {
  const { __v: written } = props;
  // What the rest means in a newer layout is not known here.
  if (typeof written === "number" && written > layout)
    throw new Error(
      `the state was written by a newer version of @container-platform/pulumi (layout ${written}, this one reads up to ${layout}): install that version, or a newer one; nothing was changed`,
    );
  return privateOutputs.parse(props);
}

/** The private inputs that stay in the state. That a resource is imported matters once, and is then forgotten. */
export function keptPrivateInputs(props: Props): Props {
  return pick(props, ["__urn", "__timeouts", "__get"]);
}

/** Whether a property is private state: no input or output of a resource. */
export function isPrivate(key: string): boolean {
  return key.startsWith("__");
}
