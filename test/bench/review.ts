import { formats } from "../../provider/src/review/render/formats.ts";
import { many } from "../review/many.ts";
import { preview } from "../review/previews.ts";
import { reviewOfTexts } from "../review/reviewed.ts";

/** Milliseconds of work for the review of 1,000 changes and a comment on them, which has to be cut: the form that takes longest. */
export function reviewOfMany(): number {
  const text = preview(many);
  const start = process.cpuUsage();
  const report = reviewOfTexts([text]);
  formats.github(report, "");
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
