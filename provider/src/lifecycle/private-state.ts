import { z } from "zod";
import { pick, type Props } from "../schema/values.ts";

/** What the class of a resource tells the lifecycle besides the inputs. None of it is a change by itself. */
const hiddenInputs = z.object({
  /** The resource's URN. */
  __urn: z.string().default(""),
  /** The user's `customTimeouts`, as text. */
  __timeouts: z.object({ create: z.string().optional(), update: z.string().optional(), delete: z.string().optional() }).default({}),
  /** The id of a thing that exists already, to be taken over: `import` of the resource's options. */
  __adopt: z.string().optional(),
  /** Of such a thing, the inputs that the program keeps secret. */
  __veiled: z.array(z.string()).default([]),
  /** Only to be read: an error if it does not exist. */
  __get: z.boolean().default(false),
});

const homeSchema = z.object({ endpoint: z.string(), region: z.string(), account: z.string() });

/** Where a resource lives. With another endpoint, region or account, its id means nothing, or another resource. */
export type Home = Readonly<z.output<typeof homeSchema>>;

/** What the state remembers besides inputs and outputs. */
const hiddenOutputs = z.object({
  /** The layout of what is remembered: `layout`, or that of an older version of this library. */
  __v: z.int().optional(),
  /** Where the thing lives. */
  __home: homeSchema.optional(),
  /** Inputs that the user left to the platform. */
  __left: z.array(z.string()).default([]),
  /** Its creation is not finished: nobody has seen it ready yet. */
  __unborn: z.boolean().default(false),
  /** It ended, while being created, in a state from which it cannot recover: why. */
  __failed: z.string().optional(),
});

export type Hidden = z.output<typeof hiddenInputs> & z.output<typeof hiddenOutputs>;

const found = new WeakMap<Props, Hidden>();

/** What a state remembers is laid out so. States of all older layouts stay readable. */
export const layout = 1;

/** @throws if the state was written by a newer version of this library */
export function hiddenOf(props: Props): Hidden {
  const known = found.get(props) ?? { ...hiddenInputs.parse(props), ...outputsIn(props) };
  found.set(props, known);
  return known;
}

function outputsIn(props: Props): z.output<typeof hiddenOutputs> {
  const { __v: written } = props;
  // What a newer layout says of the rest is not known here.
  if (typeof written === "number" && written > layout)
    throw new Error(
      `the state was written by a newer version of @container-platform/pulumi (layout ${written}, this one reads up to ${layout}): install that version, or a newer one; nothing was changed`,
    );
  return hiddenOutputs.parse(props);
}

/** The hidden inputs, for outputs and for what `read` gives back. `__adopt` is asked for once, and forgotten. */
export function hiddenInputsOf(props: Props): Props {
  return pick(props, ["__urn", "__timeouts", "__get"]);
}

export function isHidden(key: string): boolean {
  return key.startsWith("__");
}
