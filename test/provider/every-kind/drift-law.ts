import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Deployment, Outcome } from "../../support/deployment.ts";
import type { Props } from "../../support/structs.ts";
import type { Stage } from "../stage/stage.ts";

/** A change that is made to one input of a resource by hand, what a refresh shows of it, and how `up` repairs it. */
export interface Drift {
  /** The input, or the part of one, such as `native.replicas`. */
  readonly input: string;
  /** The kind of change, where an input has more than one case. */
  readonly how?: string;
  /** What is deployed before. */
  readonly from: Props;
  /** The change. Absent: nothing is changed, and the resource reads as the program wrote it, whatever spelling the program used. */
  readonly byHand?: (id: string) => Promise<unknown>;
  /** The inputs that a refresh shows as changed, with their new values. Absent: it shows none, because the change does not matter. */
  readonly shows?: Props | "gone";
  /** The outputs that are read anew all the same. */
  readonly tells?: readonly string[];
  /** What `up` does. Unless given, `update` if a refresh shows something. */
  readonly plan?: Outcome;
  /** The writing calls that repair it. */
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
 * Tests that a refresh shows exactly what was changed by hand, and that `up` repairs it with only the calls that it needs. So many
 * resources exist at once (`atOnce`), and one new process reads them all.
 */
export function lawOfDrift(stage: Stage, all: readonly Drifts[], atOnce = 40): void {
  const cases = all.flatMap(({ type, cases: ofType }) =>
    ofType.map((drift): Case => ({ ...drift, type, title: [`${type}.${drift.input}`, drift.how].filter(Boolean).join(", ") })),
  );
  for (let first = 0; first < cases.length; first += atOnce) {
    const round = cases.slice(first, first + atOnce);
    const types = [...new Set(round.map(({ type }) => type))];
    test(`what is changed by hand is shown and repaired: ${types.join(", ")}, ${round.length} cases from ${round[0]?.title}`, async () => {
      const { made } = stage;
      const deployed = round.map((drift, index) => ({ drift, one: stage.deployment(drift.type, `example-${index}`) }));
      for (const { drift, one } of deployed) expect(await one.up(drift.from), drift.title).toBe("create");
      // That is how the engine ends it, once all is saved.
      await stage.host.restart("SIGINT");
      for (const { drift, one } of deployed) await drift.byHand?.(one.id);
      const found: [string, Course][] = [];
      for (const { drift, one } of deployed) found.push([drift.title, await followed(stage, drift, one)]);
      expect(Object.fromEntries(found)).toStrictEqual(Object.fromEntries(round.map((drift) => [drift.title, expected(drift)])));
      for (const { one } of deployed) await one.destroy();
      await stage.undoLast(stage.made - made);
    });
  }
}

interface Course {
  readonly shows: Props | "gone";
  readonly tells: readonly string[];
  readonly plan: string;
  readonly repairs: readonly string[];
  /** What a refresh shows afterwards, and what is left to do. */
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

/** What `up` would do, or why it refuses. */
async function planned(one: Deployment, args: Props): Promise<string> {
  try {
    return await one.preview(args);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The inputs and outputs in the state. Outputs that repeat an input are left out. */
function partsOf(one: Deployment): { readonly inputs: Props; readonly outputs: Props } {
  const { inputs = {}, outputs = {} } = one.state ?? {};
  return { inputs, outputs: Object.fromEntries(Object.entries(outputs).filter(([key, value]) => !isDeepStrictEqual(inputs[key], value))) };
}

/** The properties that have changed, with their new values. */
function changed(before: Props, after: Props): Props {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...keys].filter((key) => !isDeepStrictEqual(before[key], after[key])).map((key) => [key, after[key]]));
}
