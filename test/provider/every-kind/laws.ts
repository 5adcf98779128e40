import { expect, test } from "vitest";
import { isKind, kinds } from "../../../provider/src/resources/kinds.ts";
import type { Deployment, Outcome } from "../../support/deployment.ts";
import { isProps, type Props } from "../../support/structs.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { type Stage, withoutHistory } from "../stage/stage.ts";

/** A change of the program, and what it does. Written by hand: not read back from the definition. */
export interface Change {
  /** In words, for the title of the test. */
  readonly of: string;
  /** The inputs before the change; the table's `base` unless given. */
  readonly from?: Props;
  /** The inputs that change. `undefined` removes one from the program. */
  readonly to: Props;
  readonly does: Exclude<Outcome, "create">;
  /** The writing calls, in order. Absent: the platform refuses the change on its own, and only the plan is tested. */
  readonly calls?: readonly string[];
  /** Further changes, without which the platform would refuse it. */
  readonly also?: Props;
  /** What has to be changed before the resource can be deleted. */
  readonly last?: Props;
}

/** A change that is refused, and with which words. */
interface Refusal {
  readonly of: string;
  readonly from?: Props;
  readonly to: Props;
  readonly says: string;
}

/** What a preview says about a change to a value that it does not know yet. */
export interface Unknown {
  readonly of: string;
  readonly from?: Props;
  readonly to: Props;
  readonly does: Exclude<Outcome, "create">;
}

/** One resource: what each of its inputs does. */
export interface Table {
  readonly type: string;
  /** All inputs. Each has a change below. */
  readonly inputs: readonly string[];
  readonly base: Props;
  readonly creates: readonly string[];
  /** With every input that can be given. */
  readonly full: Props;
  /** The paths that `X.get` does not read, such as `native.password`: the platform does not answer them, or they may be left to the platform. */
  readonly notFound?: readonly string[];
  readonly createsFull: readonly string[];
  readonly deletes: readonly string[];
  readonly changes: readonly Change[];
  readonly refusals?: readonly Refusal[];
  readonly unknowns: readonly Unknown[];
  /** Deletes it outside of Pulumi. */
  readonly vanish: (id: string) => Promise<unknown>;
}

/** Tests that one resource obeys the laws that hold for every resource, with the real process of the dynamic host. */
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
    expect(isKind(table.type)).toBe(true);
    const inputs = isKind(table.type) ? Object.keys((await kinds[table.type]()).kind.inputs.shape) : [];
    expect([...table.inputs].toSorted()).toEqual(inputs.toSorted());
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
    expect(visible(got.state?.outputs)).toEqual(without(visible(state?.outputs), table.notFound));
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
        // Nor does it disturb a creation.
        await expect(resource().preview({ ...from, ...to })).resolves.toBe("create");
        plans[of] = await one.preview({ ...from, ...to });
      }
      expect(plans).toEqual(Object.fromEntries(unknowns.map(({ of, does }) => [of, does])));
    });
  test("every input has a case with an unknown value", () => {
    expect([...new Set(table.unknowns.flatMap(({ to }) => Object.keys(to)))].toSorted()).toEqual([...table.inputs].toSorted());
  });
}
