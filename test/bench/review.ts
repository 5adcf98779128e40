import { formats } from "../../provider/src/review/render/formats.ts";
import { many } from "../review/many.ts";
import { preview, type Step } from "../review/previews.ts";
import { reviewOfTexts } from "../review/reviewed.ts";
import type { Figure } from "./figure.ts";

const rounds = 5;

/** The reviewer. */
export function review(): Figure[] {
  const measured = (work: () => number) => Array.from({ length: rounds }, work);
  return [
    { name: "review of 1,000 changes and its comment, in ms of work", atMost: 88, measured: measured(reviewOfMany) },
    { name: "review of 10,000 changes and its comment, in ms of work", atMost: 1000, measured: measured(reviewOfTenTimesAsMany) },
  ];
}

/** Milliseconds of work for the review of 1,000 changes and a comment on them, which has to be cut: the form that takes longest. */
function reviewOfMany(): number {
  return workFor(preview(many));
}

/** The same for 10,000 changes. */
function reviewOfTenTimesAsMany(): number {
  const renamed = (called: string, round: number) => `${called}-${round}`;
  const steps = Array.from({ length: 10 }, (_, round) =>
    many.map(({ name, from = {}, ...step }): Step => ({
      ...step,
      name: renamed(name, round),
      from: Object.fromEntries(Object.entries(from).map(([property, called]) => [property, called.map((one) => renamed(one, round))])),
    })),
  );
  return workFor(preview(steps.flat()));
}

function workFor(text: string): number {
  const start = process.cpuUsage();
  const report = reviewOfTexts([text]);
  formats.github(report, "");
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
