import { expect, test } from "vitest";
import { kinds } from "../../../provider/src/resources/kinds.ts";
import type { KindName } from "../../../provider/src/resources/reviews.ts";
import type { Deployment, Outcome } from "../../support/deployment.ts";
import { testedShell } from "../../support/shell.ts";
import { isProps, type Props } from "../../support/structs.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { type Stage, withoutHistory } from "../stage/stage.ts";

/** A change of the program, and what it has to do. The tables say it themselves: a mistake in a definition must not make its own test pass. */
export interface Change {
  /** The changed input, in words: a part of the test's title. */
  readonly of: string;
  /** The inputs of the program before the change; unless given, the table's `base`. */
  readonly from?: Props;
  /** The inputs that change, with their new values; `undefined` takes one out of the program. */
  readonly to: Props;
  /** What the preview plans. */
  readonly does: Exclude<Outcome, "create">;
  /** The writing calls of `up`, in order. Absent: `up` is not run, because the platform would refuse it; only the preview is tested. */
  readonly calls?: readonly string[];
  /** Inputs that `up` changes as well, because the platform refuses `to` without them. */
  readonly also?: Props;
  /** Inputs that are changed in the end, because the resource could not be deleted otherwise. */
  readonly last?: Props;
}

/** A change that a preview refuses. */
interface Refusal {
  readonly of: string;
  readonly from?: Props;
  readonly to: Props;
  /** A part of the sentence that refuses it. */
  readonly says: string;
}

/** A change to a value that a preview does not know yet, because another resource has still to be made. */
export interface Unknown {
  readonly of: string;
  readonly from?: Props;
  readonly to: Props;
  readonly does: Exclude<Outcome, "create">;
}

/** What each input of one kind does when the program changes it. */
export interface Table {
  readonly type: KindName;
  /** The names of all inputs. Each has a change or a refusal, and a change to an unknown value. */
  readonly inputs: readonly string[];
  /** A program with no more inputs than have to be given. */
  readonly base: Props;
  /** The writing calls that create a resource with the inputs of `base`. */
  readonly creates: readonly string[];
  /** A program with every input that can be given. */
  readonly full: Props;
  /** The writing calls that create a resource with the inputs of `full`. */
  readonly createsFull: readonly string[];
  /**
   * The paths that `X.get` leaves out, such as `native.password`: the platform does not return them, or the program may leave them to the
   * platform.
   */
  readonly notFound?: readonly string[];
  /** The writing calls that delete it. */
  readonly deletes: readonly string[];
  readonly changes: readonly Change[];
  readonly refusals?: readonly Refusal[];
  readonly unknowns: readonly Unknown[];
  /** Deletes the resource behind the program's back. */
  readonly vanish: (id: string) => Promise<unknown>;
}

/**
 * Tests that the kind of a table obeys the laws that hold for all kinds. The provider is in the tests' process: that each kind fares as well
 * in a process of its own, as in a real `up`, is for the suites that apply to all kinds, such as that of drifts.
 */
export async function laws(tableOf: (stage: Stage) => Promise<Table>): Promise<Stage> {
  const stage = await sharedStage();
  const table = await tableOf(stage);

  const resource = (): Deployment => stage.deployment(table.type);
  creationTests(stage, table, resource);
  for (const change of table.changes) changeTest(stage, table, resource, change);
  refusalTests(table, resource);
  deletionTests(stage, table, resource);
  unknownTests(table, resource);

  test("every input of the kind is in the table", async () => {
    const { inputs } = (await kinds[table.type]()).kind;
    expect([...table.inputs].toSorted()).toEqual(Object.keys(inputs.shape).toSorted());
  });

  test("every input has a change or a refusal in the table", () => {
    const changed = new Set([...table.changes, ...(table.refusals ?? [])].flatMap(({ to }) => Object.keys(to)));
    expect([...changed].toSorted()).toEqual([...table.inputs].toSorted());
  });
  return stage;
}

function creationTests(stage: Stage, table: Table, resource: () => Deployment): void {
  const forms = [
    ["with what is required", table.base, table.creates],
    ["with everything", table.full, table.createsFull],
  ] as const;
  test.each(forms)("%s: it is read as the program wrote it, and nothing is left to change", async (_, args, creates) => {
    const before = await stage.contents();
    await using one = resource();
    expect(await stage.writes(() => one.up(args))).toEqual(creates);
    const made = one.state;
    expect(await one.preview(args)).toBe("nothing");
    expect(await stage.writes(() => one.refresh())).toEqual([]);
    expect(one.state).toEqual(made);
    expect(await one.preview(args)).toBe("nothing");
    expect(await stage.writes(() => one.up(args))).toEqual([]);
    expect(await stage.writes(() => one.destroy())).toEqual(table.deletes);
    expect(withoutHistory(await stage.contents())).toEqual(withoutHistory(before));
  });

  test("get reads it by its id alone", async () => {
    await using one = resource();
    await one.up(table.full);
    const got = stage.deployment(table.type, "got", { __get: true });
    await got.get(one.id);
    const { state } = one;
    for (const path of table.notFound ?? []) expect(state?.outputs).toHaveProperty(path);
    // The plugin also tells what the program may leave to the platform.
    const told = testedShell === "native" ? without(visible(got.state?.outputs), table.notFound) : visible(got.state?.outputs);
    expect(told).toEqual(without(visible(state?.outputs), table.notFound));
    // What a run reads, it does not delete.
    await stage.host.restart();
    await one.destroy();
    await stage.host.restart();
    await expect(got.get(got.id)).rejects.toThrow(`there is no ${table.type} ${got.id} in eu-frankfurt`);
  });
}

function visible(props: Props = {}): Props {
  return Object.fromEntries(Object.entries(props).filter(([key]) => !key.startsWith("__")));
}

/** Properties without those at some paths. */
function without(props: Props, paths: readonly string[] = [], prefix = ""): Props {
  const left = Object.entries(props).filter(([key]) => !paths.includes(prefix + key));
  return Object.fromEntries(left.map(([key, value]) => [key, isProps(value) ? without(value, paths, `${prefix}${key}.`) : value]));
}

function changeTest(stage: Stage, table: Table, resource: () => Deployment, change: Change): void {
  const { of, from = table.base, to, does, calls, also = {}, last } = change;
  test(`a change of ${of}: ${does}`, async () => {
    await using one = resource();
    await one.up(from);
    const { id } = one;
    const desired = { ...from, ...to };
    expect(await one.preview(desired)).toBe(does);
    if (calls === undefined) return;
    expect(await stage.writes(() => one.up({ ...desired, ...also }))).toEqual(calls);
    if (does === "update" || does === "nothing") expect(one.id).toBe(id);
    expect(await one.preview({ ...desired, ...also })).toBe("nothing");
    await one.refresh();
    expect(await one.preview({ ...desired, ...also })).toBe("nothing");
    if (last) await one.up({ ...desired, ...also, ...last });
  });
}

function refusalTests(table: Table, resource: () => Deployment): void {
  for (const { of, from = table.base, to, says } of table.refusals ?? [])
    test(`is refused: ${of}`, async () => {
      await using one = resource();
      await one.up(from);
      await expect(one.preview({ ...from, ...to })).rejects.toThrow(says);
    });
}

function deletionTests(stage: Stage, table: Table, resource: () => Deployment): void {
  test("deleted outside of Pulumi: refresh notices it, and up makes it again", async () => {
    await using one = resource();
    await one.up(table.full);
    await table.vanish(one.id);
    await stage.host.restart();
    expect(await one.refresh()).toBe(false);
    expect(await one.preview(table.full)).toBe("create");
    expect(await stage.writes(() => one.up(table.full))).toEqual(table.createsFull);
  });
  test("deleted outside of Pulumi: destroy succeeds, and deletes nothing", async () => {
    await using one = resource();
    await one.up(table.base);
    await table.vanish(one.id);
    await stage.host.restart();
    const writes = await stage.writes(() => one.destroy());
    expect(writes.filter((call) => !/: ResourceNotFound(?:\.|$)/.test(call))).toEqual([]);
  });
}

function unknownTests(table: Table, resource: () => Deployment): void {
  const forms = new Map<Props, Unknown[]>();
  for (const one of table.unknowns) forms.set(one.from ?? table.base, [...(forms.get(one.from ?? table.base) ?? []), one]);
  for (const [from, unknowns] of forms)
    test(`a preview with unknown values: ${unknowns.map(({ of }) => of).join(", ")}`, async () => {
      await using one = resource();
      const plans: Record<string, string> = {};
      await one.up(from);
      for (const { of, to } of unknowns) {
        // A creation with the same unknown value is previewed, too.
        await expect(resource().preview({ ...from, ...to })).resolves.toBe("create");
        plans[of] = await one.preview({ ...from, ...to });
      }
      expect(plans).toEqual(Object.fromEntries(unknowns.map(({ of, does }) => [of, does])));
    });
  test("every input has a case with an unknown value", () => {
    expect([...new Set(table.unknowns.flatMap(({ to }) => Object.keys(to)))].toSorted()).toEqual([...table.inputs].toSorted());
  });
}
