import { type ResourceOptions, RunError } from "@pulumi/pulumi";
import { render } from "../definition/codes.ts";
import { flawsInTimeouts } from "../definition/duration.ts";

/**
 * The same options, of which Pulumi does not refuse anything later, and in its own words.
 *
 * @param called the resource, such as `Vpc demo`
 * @throws RunError for times that are none
 */
export function withTimes<Options extends ResourceOptions | undefined>(called: string, options: Options): Options {
  const flaws = flawsInTimeouts(options?.customTimeouts ?? {});
  if (flaws.length > 0) throw new RunError(flaws.map((flaw) => render({ ...flaw, message: `${called}: ${flaw.message}` })).join("\n"));
  return options;
}

/** The error of a constructor whose arguments or options JavaScript lets pass. Pulumi shows it without a stack trace. */
export const misuse = (called: string, sentence: string): RunError =>
  new RunError(render({ code: "InvalidInput", message: `${called}: ${sentence}` }));
