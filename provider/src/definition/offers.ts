import type { Cloud } from "@container-platform/sdk";
import type { Flaw } from "../schema/marks.ts";
import type { Props } from "../schema/values.ts";

/** A sentence about what nobody can look up: it is a warning, and refuses nothing. */
export interface Doubt {
  readonly doubt: string;
}

/** The IDs at the path of an input. For an unknown ID: the inputs of that resource. If these are unknown too, the value is not checked. */
export type Referred = (path: string) => readonly (string | Props)[];

/** What the platform offers at the moment for an input, such as zones or versions. It is asked only where an input is new or has changed. */
export interface Offer<Inputs> {
  /** Other inputs, by path, whose change has the value looked at again. */
  readonly beside?: readonly string[];
  /** What is wrong with a value, and what is offered instead. Reading an input that is unknown leaves the value undecided. */
  readonly flaw: (cloud: Cloud, value: unknown, inputs: Inputs, referred: Referred) => Promise<Flaw | Doubt | undefined>;
}

/** One call a run for all who ask for a list of the region. */
export function listedOnce<T>(cloud: Cloud, name: string, read: (cloud: Cloud) => Promise<T>): Promise<T> {
  return cloud.readings.remember(`offer ${name}`, () => read(cloud));
}

/** An input that takes one of the names that `read` lists. `noun`: what one of them is, such as `zone`. */
export function oneOfList(noun: string, read: (cloud: Cloud) => Promise<readonly string[]>): Offer<unknown> {
  return {
    flaw: async (cloud, value) => {
      const offered = await listedOnce(cloud, noun, read);
      if (typeof value !== "string" || offered.includes(value)) return undefined;
      return `${JSON.stringify(value)} is no ${noun} that ${cloud.region} offers: it takes ${offered.join(", ")}`;
    },
  };
}
