import { z } from "zod";
import { state } from "../../operation/operation.ts";

/** The states that a resource passes through, each until a moment of the world's clock, and the state it ends in. */
export const timelineSchema = z.object({
  stages: z.array(z.object({ state: z.string(), until: z.number() })),
  end: z.string(),
  /** Why it ended in that state, if something failed. */
  reason: z.string().optional(),
});
export type Timeline = z.output<typeof timelineSchema>;

export function stateAt({ stages, end }: Timeline, now: number): string {
  return stages.find(({ until }) => now < until)?.state ?? end;
}

/** Reads the states of timelines as those of an enumeration. */
export function stateReader<const State extends string>(states: readonly State[]): (timeline: Timeline, now: number) => State {
  const schema = state(states);
  return (timeline, now) => schema.parse(stateAt(timeline, now));
}

/** The reason of the end state; `undefined` before it is reached. */
export function reasonAt(timeline: Timeline, now: number): string | undefined {
  return stateAt(timeline, now) === timeline.end ? timeline.reason : undefined;
}

/** One state until a moment, then another. */
export function passing(state: string, until: number, end: string, reason?: string): Timeline {
  return { stages: [{ state, until }], end, ...(reason === undefined ? {} : { reason }) };
}

export function settled(state: string): Timeline {
  return { stages: [], end: state };
}
