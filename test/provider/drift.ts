import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Deployment, Outcome } from "../support/deployment.ts";
import type { Props } from "../support/structs.ts";
import type { Stage } from "./stage.ts";

/** Something that happens to one input of a thing behind our back, what a refresh shows of it, and how `up` repairs it. */
export interface Drift {
  /** The input, or the part of one, such as `native.replicas`. */
  readonly input: string;
  /** How, where an input has more than one case. */
  readonly how?: string;
  /** What is deployed before. */
  readonly from: Props;
  /** Absent: nothing happens. However it was written, what was made reads as it was written. */
  readonly byHand?: (id: string) => Promise<unknown>;
  /** The inputs that a refresh shows changed, as they are then. None given: it is of no account. */
  readonly shows?: Props | "gone";
  /** The outputs that are told anew all the same. */
  readonly tells?: readonly string[];
  /** What `up` does about it: `update` unless given, if something shows. */
  readonly plan?: Outcome;
  /** The calls that repair it. */
  readonly repairs?: readonly string[];
  /** Why it cannot be repaired. */
  readonly refuses?: string;
}

/** The inputs of one resource, changed behind our back. */
export interface Drifts {
  readonly type: string;
  /** Inputs that cannot be read back, and why. */
  readonly unread: Readonly<Record<string, string>>;
  readonly cases: readonly Drift[];
}

interface Case extends Drift {
  readonly type: string;
  readonly title: string;
}

/**
 * Changed by hand: a refresh shows exactly that, and `up` repairs it with only the calls that it needs. `atOnce` things stand side
 * by side, and are looked at by one new process.
 */
export function lawOfDrift(stage: Stage, all: readonly Drifts[], atOnce = 40): void {
  const cases = all.flatMap(({ type, cases: ofType }) =>
    ofType.map((drift): Case => ({ ...drift, type, title: [`${type}.${drift.input}`, drift.how].filter(Boolean).join(", ") })),
  );
  for (let first = 0; first < cases.length; first += atOnce) {
    const round = cases.slice(first, first + atOnce);
    const types = [...new Set(round.map(({ type }) => type))];
    test(`${types.join(", ")}: ${round.length} cases from ${round[0]?.title}`, async () => {
      const { made } = stage;
      const laid = round.map((drift, index) => ({ drift, one: stage.deployment(drift.type, `thing-${index}`) }));
      for (const { drift, one } of laid) expect(await one.up(drift.from), drift.title).toBe("create");
      // As the engine ends it, once all is saved.
      await stage.host.restart("SIGINT");
      for (const { drift, one } of laid) await drift.byHand?.(one.id);
      const found: [string, Course][] = [];
      for (const { drift, one } of laid) found.push([drift.title, await followed(stage, drift, one)]);
      expect(Object.fromEntries(found)).toStrictEqual(Object.fromEntries(round.map((drift) => [drift.title, expected(drift)])));
      for (const { one } of laid) await one.destroy();
      await stage.undoLast(stage.made - made);
    });
  }
}

interface Course {
  readonly shows: Props | "gone";
  readonly tells: readonly string[];
  readonly plan: string;
  readonly repairs: readonly string[];
  /** What shows afterwards, and is left to do. */
  readonly after: { readonly shows: Props; readonly plan: string };
}

function expected({ shows = {}, tells = [], plan, repairs = [], refuses }: Drift): Course {
  const usual = shows === "gone" ? "create" : Object.keys(shows).length > 0 ? "update" : "nothing";
  const after = refuses === undefined ? { shows: {}, plan: "nothing" } : { shows: shows === "gone" ? {} : shows, plan: refuses };
  return { shows, tells: tells.toSorted(), plan: refuses ?? plan ?? usual, repairs, after };
}

async function followed(stage: Stage, { from }: Drift, one: Deployment): Promise<Course> {
  const before = partsOf(one);
  const isThere = await one.refresh();
  const seen = isThere ? partsOf(one) : before;
  const plan = await planned(one, from);
  const repairs = await stage.writes(() => one.up(from).catch(() => undefined));
  await one.refresh();
  return {
    shows: isThere ? changed(before.inputs, seen.inputs) : "gone",
    tells: Object.keys(changed(before.outputs, seen.outputs)).sort(),
    plan,
    repairs,
    after: { shows: changed(before.inputs, partsOf(one).inputs), plan: await planned(one, from) },
  };
}

/** What `up` would do, or why it refuses to. */
async function planned(one: Deployment, args: Props): Promise<string> {
  try {
    return await one.preview(args);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The state; outputs without the inputs that they repeat. */
function partsOf(one: Deployment): { readonly inputs: Props; readonly outputs: Props } {
  const { inputs = {}, outputs = {} } = one.state ?? {};
  return { inputs, outputs: Object.fromEntries(Object.entries(outputs).filter(([key, value]) => !isDeepStrictEqual(inputs[key], value))) };
}

/** What is no longer as it was, as it is now. */
function changed(before: Props, after: Props): Props {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...keys].filter((key) => !isDeepStrictEqual(before[key], after[key])).map((key) => [key, after[key]]));
}
