import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { KindName } from "../../../provider/src/resources/reviews.ts";
import type { Deployment, Outcome } from "../../support/deployment.ts";
import type { Props } from "../../support/structs.ts";
import { alter } from "../stage/outside.ts";
import type { Stage } from "../stage/stage.ts";

/** One input that somebody changes on the platform by hand: what a refresh then shows, and what `up` does about it. */
export interface Drift {
  /** The input, or the part of one, such as `native.replicas`. */
  readonly input: string;
  /** In words, for the title of the test, where an input has more than one case. */
  readonly how?: string;
  /** The inputs of the program, which are deployed first and not changed. */
  readonly from: Props;
  /** The change by hand, given the resource's id. Absent: there is none, and the test is that the program's own spelling is no change. */
  readonly byHand?: (id: string) => Promise<unknown>;
  /** The inputs that a refresh shows as changed, with their new values. Absent: the change does not matter, and a refresh shows none. */
  readonly shows?: Props | "gone";
  /** The outputs that a refresh shows as changed. */
  readonly tells?: readonly string[];
  /** What `up` plans. Absent: `update` if a refresh shows a changed input, `create` if the resource is gone, otherwise nothing. */
  readonly plan?: Outcome;
  /** The writing calls with which `up` repairs it, in order. */
  readonly repairs?: readonly string[];
  /** It cannot be changed back, and what holds workloads is not replaced for it: `up` leaves it as it is but for `repairs`, and says so. */
  readonly stays?: boolean;
}

/** Somebody gives an input another value. `more`: in what a case differs, such as a call that names the input otherwise. */
type SetByHand = (from: Props, shows: Props, more?: Partial<Drift>) => Drift;

/** How somebody sets inputs with one call, and the writing calls that set them back. */
export function setByHand(call: (change: object) => NonNullable<Drift["byHand"]>, repairs: readonly string[]): SetByHand {
  return (from, shows, more) => ({ input: Object.keys(shows).join(), from, byHand: call(shows), shows, repairs, ...more });
}

/** A change that no operation makes, and `up` cannot make, either: `parts` are the new values by their paths in the row of the world. */
export function altered(stage: Stage, table: string): (from: Props, shows: Props, parts?: Props, more?: Partial<Drift>) => Drift {
  return (from, shows, parts = shows, more = {}) => {
    const byHand = (id: string) => alter(stage, table, id.split("/").at(-1) ?? "", parts);
    return { input: Object.keys(shows).join(), from, byHand, shows, stays: true, ...more };
  };
}

/** A change that does not matter, or without one, the program's own spelling of what is there: a refresh shows none. */
export function unnoticed(input: string, how: string, from: Props, byHand?: Drift["byHand"]): Drift {
  return { input, how, from, ...(byHand && { byHand }) };
}

/** The drifts of one kind: every input is in `unread` or in a case. */
export interface Drifts {
  /** How many of the cases fit into a region at once; unless given, any number. */
  readonly atOnce?: number;
  /** Inputs that no refresh can read from the platform, and why. */
  readonly unread: Readonly<Record<string, string>>;
  readonly cases: readonly Drift[];
}

export interface DriftsOfKind extends Drifts {
  readonly kind: KindName;
}

interface Case extends Drift {
  readonly type: string;
  readonly title: string;
}

/**
 * Tests that a refresh shows exactly what was changed by hand, and that `up` repairs it with no more calls than are needed. The cases
 * run in rounds of `atOnce`: a round deploys its resources, changes all of them by hand, and reads them in a new process.
 */
export function lawOfDrift(stage: Stage, all: readonly DriftsOfKind[], atOnce = 40): void {
  const cases = all.flatMap(({ kind: type, cases: ofType }) =>
    ofType.map((drift): Case => ({ ...drift, type, title: [`${type}.${drift.input}`, drift.how].filter(Boolean).join(", ") })),
  );
  for (let first = 0; first < cases.length; first += atOnce) {
    const round = cases.slice(first, first + atOnce);
    const types = [...new Set(round.map(({ type }) => type))];
    test(`what is changed by hand is shown and repaired: ${types.join(", ")}, ${round.length} cases from ${round[0]?.title}`, async () => {
      const { made } = stage;
      const deployed = round.map((drift, index) => ({ drift, one: stage.deployment(drift.type, `example-${index}`) }));
      for (const { drift, one } of deployed) expect(await one.up(drift.from), drift.title).toBe("create");
      // The engine ends a provider in this way, once it has saved all of them.
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
  /** Whether `up` says that it leaves it as it is. */
  readonly stays: boolean;
  /** What a refresh shows afterwards, and what is left to do. */
  readonly after: { readonly shows: Props; readonly plan: string };
}

function expected({ shows = {}, tells = [], plan, repairs = [], stays = false }: Drift): Course {
  const usual = shows === "gone" ? "create" : Object.keys(shows).length > 0 && !stays ? "update" : "nothing";
  const after = { shows: stays && repairs.length === 0 && shows !== "gone" ? shows : {}, plan: "nothing" };
  // The state remembers what the program says.
  return { shows, tells: [...tells, ...(stays ? ["__said"] : [])].toSorted(), plan: plan ?? usual, repairs, stays, after };
}

async function followed(stage: Stage, { from, stays = false }: Drift, one: Deployment): Promise<Course> {
  const before = partsOf(one);
  const said = stage.host.lines.length;
  const isThere = await one.refresh();
  const seen = isThere ? partsOf(one) : before;
  const plan = await planned(one, from);
  const repairs = await stage.writes(() => one.up(from).catch(() => undefined));
  const isLeft = () => stage.host.lines.slice(said).some(({ message }) => message.includes("so it is kept"));
  if (stays) await expect.poll(isLeft).toBe(true);
  await one.refresh();
  return {
    shows: isThere ? changed(before.inputs, seen.inputs) : "gone",
    tells: Object.keys(changed(before.outputs, seen.outputs)).sort(),
    plan,
    repairs,
    stays: isLeft(),
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

/** The inputs in the state, and the outputs that do not just repeat an input. */
function partsOf(one: Deployment): { readonly inputs: Props; readonly outputs: Props } {
  const { inputs = {}, outputs = {} } = one.state ?? {};
  return { inputs, outputs: Object.fromEntries(Object.entries(outputs).filter(([key, value]) => !isDeepStrictEqual(inputs[key], value))) };
}

function changed(before: Props, after: Props): Props {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...keys].filter((key) => !isDeepStrictEqual(before[key], after[key])).map((key) => [key, after[key]]));
}
