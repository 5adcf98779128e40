import { formats } from "../../provider/src/review/render/formats.ts";
import { many } from "../review/many.ts";
import { preview, type Step } from "../review/previews.ts";
import { reviewOfTexts } from "../review/reviewed.ts";
import type { Figure } from "./figure.ts";
import { there, thereOf, workOfNothing } from "./yardstick.ts";

const rounds = 5;

export function review(): Figure[] {
  const measured = (work: () => number) => Array.from({ length: rounds }, work);
  const missed =
    "Two fifths of the processor time are those of Node's other threads, which compile the code and collect garbage. Of the rest, judging is a third, reading previews and states a third, the fingerprint of the approved changes a fifth.";
  return [
    {
      name: `review of 1,000 changes and its comment: processor time ${there}`,
      atMost: 150,
      missed,
      measured: measured(() => workFor(many)),
    },
    {
      name: `review of 10,000 changes and its comment: processor time ${there}`,
      atMost: 500,
      missed,
      measured: measured(() => workFor(tenfold())),
    },
  ];
}

/** Ten times as many changes, each with names of its own. */
function tenfold(): Step[] {
  const renamed = (called: string, round: number) => `${called}-${round}`;
  return Array.from({ length: 10 }, (_, round) =>
    many.map(({ name, from = {}, ...step }): Step => ({
      ...step,
      name: renamed(name, round),
      from: Object.fromEntries(Object.entries(from).map(([property, called]) => [property, called.map((one) => renamed(one, round))])),
    })),
  ).flat();
}

/** Milliseconds of work, on the machine of the goals, for a review and a comment on it, which has to be cut: the form that takes longest. */
function workFor(steps: readonly Step[]): number {
  const text = preview(steps);
  const nothing = workOfNothing();
  const start = process.cpuUsage();
  const report = reviewOfTexts([text]);
  formats.github(report, "");
  const { user, system } = process.cpuUsage(start);
  return thereOf((user + system) / 1000, nothing);
}
