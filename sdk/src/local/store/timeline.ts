import { z } from "zod";

/** States that a thing passes through, each until a moment of the world's clock, and the one it ends in. Computed when looked at. */
export const timelineSchema = z.object({
  stages: z.array(z.object({ state: z.string(), until: z.number() })),
  end: z.string(),
  /** Why it ended badly, in the platform's words. */
  reason: z.string().optional(),
});
export type Timeline = z.output<typeof timelineSchema>;

export function stateAt({ stages, end }: Timeline, now: number): string {
  return stages.find(({ until }) => now < until)?.state ?? end;
}

/** The platform's words about the state it ended in; none while it is still on its way. */
export function reasonAt(timeline: Timeline, now: number): string | undefined {
  return stateAt(timeline, now) === timeline.end ? timeline.reason : undefined;
}

/** A thing that is in one state until a moment, then in another. */
export function passing(state: string, until: number, end: string, reason?: string): Timeline {
  return { stages: [{ state, until }], end, ...(reason === undefined ? {} : { reason }) };
}

export function settled(state: string): Timeline {
  return { stages: [], end: state };
}
