import { z } from "zod";

export const given = z.looseObject({
  body: z.string().optional(),
  description: z.string().optional(),
  title: z.string().optional(),
  state: z.string().optional(),
  state_event: z.string().optional(),
  context: z.string().optional(),
});
type Given = z.output<typeof given>;

export interface Asked {
  readonly caller: string;
  readonly body: Given;
  /** The parts of the path that the route leaves open. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** What a forge answers. `undefined`: it refuses, or has no such thing; `gone`: it has deleted it. */
export type Route = readonly [method: string, path: RegExp, answer: (asked: Asked) => unknown];

export const gone = Symbol("gone");
