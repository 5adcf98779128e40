import { expect, test } from "vitest";
import type { Deployment, Outcome } from "../support/deployment.ts";
import { isProps, type Props } from "../support/structs.ts";
import { sharedStage } from "./shared-stage.ts";
import { type Stage, withoutHistory } from "./stage.ts";

/** What RESOURCES.md says of one change of a program. */
export interface Change {
  /** In words, for the name of the test. */
  readonly of: string;
  /** What is deployed before; the table's base unless given. */
  readonly from?: Props;
  /** What is changed of it; `undefined` is taken out. */
  readonly to: Props;
  readonly does: Exclude<Outcome, "create">;
  /** The calls that change something, in order. None given: the platform cannot carry it out alone, and only the plan is looked at. */
  readonly calls?: readonly string[];
  /** Without these changes, the platform could not carry it out. */
  readonly also?: Props;
  /** What has to be changed before the thing can be deleted. */
  readonly last?: Props;
}

/** What a change gets that cannot be. */
interface Refusal {
  readonly of: string;
  readonly from?: Props;
  readonly to: Props;
  readonly says: string;
}

/** What a value does that the preview does not know yet. */
export interface Unknown {
  readonly of: string;
  readonly from?: Props;
  readonly to: Props;
  readonly does: Exclude<Outcome, "create">;
}

/** One resource, as RESOURCES.md tells it. */
export interface Table {
  readonly type: string;
  /** The inputs of the table, hidden ones apart: each has a change below. */
  readonly inputs: readonly string[];
  readonly base: Props;
  readonly creates: readonly string[];
  /** With every input that can be given. */
  readonly full: Props;
  /** What `X.get` does not find of it, such as `native.password`: the platform does not tell it, or a program may leave it to the platform. */
  readonly notFound?: readonly string[];
  readonly createsFull: readonly string[];
  readonly deletes: readonly string[];
  readonly changes: readonly Change[];
  readonly refusals?: readonly Refusal[];
  readonly unknowns: readonly Unknown[];
  /** Deletes it behind our back. */
  readonly vanish: (id: string) => Promise<unknown>;
}

/** The laws of DESIGN.md, for one resource, through the real process of the dynamic host. */
export async function laws(tableOf: (stage: Stage) => Promise<Table>): Promise<Stage> {
  const stage = await sharedStage();
  const table = await tableOf(stage);

  const thing = (): Deployment => stage.deployment(table.type);
  lawOne(stage, table, thing);
  for (const change of table.changes) lawTwo(stage, table, thing, change);
  refusals(table, thing);
  lawThree(stage, table, thing);
  lawSeven(table, thing);

  test("every input is in the table", () => {
    const changed = new Set([...table.changes, ...(table.refusals ?? [])].flatMap(({ to }) => Object.keys(to)));
    expect([...changed].toSorted()).toEqual([...table.inputs].toSorted());
  });
  return stage;
}

function lawOne(stage: Stage, table: Table, thing: () => Deployment): void {
  const forms = [
    ["with what is required", table.base, table.creates],
    ["with everything", table.full, table.createsFull],
  ] as const;
  test.each(forms)("%s: what is made reads as it was written, and nothing changes", async (_, args, creates) => {
    const before = await stage.contents();
    await using one = thing();
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

  test("is found by its id alone", async () => {
    await using one = thing();
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

function lawTwo(stage: Stage, table: Table, thing: () => Deployment, change: Change): void {
  const { of, from = table.base, to, does, calls, also = {}, last } = change;
  test(`changed: ${of}: ${does}`, async () => {
    await using one = thing();
    await one.up(from);
    const { id } = one;
    const wish = { ...from, ...to };
    expect(await one.preview(wish)).toBe(does);
    if (calls === undefined) return;
    expect(await stage.writes(() => one.up({ ...wish, ...also }))).toEqual(calls);
    if (does === "update" || does === "nothing") expect(one.id).toBe(id);
    expect(await one.preview({ ...wish, ...also })).toBe("nothing");
    await one.refresh();
    expect(await one.preview({ ...wish, ...also })).toBe("nothing");
    if (last) await one.up({ ...wish, ...also, ...last });
  });
}

function refusals(table: Table, thing: () => Deployment): void {
  for (const { of, from = table.base, to, says } of table.refusals ?? [])
    test(`refused: ${of}`, async () => {
      await using one = thing();
      await one.up(from);
      await expect(one.preview({ ...from, ...to })).rejects.toThrow(says);
    });
}

function lawThree(stage: Stage, table: Table, thing: () => Deployment): void {
  test("deleted behind our back: a refresh sees it, and up makes exactly that again", async () => {
    await using one = thing();
    await one.up(table.full);
    await table.vanish(one.id);
    await stage.host.restart();
    expect(await one.refresh()).toBe(false);
    expect(await one.preview(table.full)).toBe("create");
    expect(await stage.writes(() => one.up(table.full))).toEqual(table.createsFull);
  });
  test("deleted behind our back: destroy does not fail, and deletes nothing", async () => {
    await using one = thing();
    await one.up(table.base);
    await table.vanish(one.id);
    await stage.host.restart();
    const writes = await stage.writes(() => one.destroy());
    expect(writes.filter((call) => !/: ResourceNotFound(?:\.|$)/.test(call))).toEqual([]);
  });
}

function lawSeven(table: Table, thing: () => Deployment): void {
  const forms = new Map<Props, Unknown[]>();
  for (const one of table.unknowns) forms.set(one.from ?? table.base, [...(forms.get(one.from ?? table.base) ?? []), one]);
  for (const [from, unknowns] of forms)
    test(`unknown: ${unknowns.map(({ of }) => of).join(", ")}`, async () => {
      await using one = thing();
      const plans: Record<string, string> = {};
      await one.up(from);
      for (const { of, to } of unknowns) {
        // To a new thing it is no trouble either.
        await expect(thing().preview({ ...from, ...to })).resolves.toBe("create");
        plans[of] = await one.preview({ ...from, ...to });
      }
      expect(plans).toEqual(Object.fromEntries(unknowns.map(({ of, does }) => [of, does])));
    });
  test("every input is unknown once", () => {
    expect([...new Set(table.unknowns.flatMap(({ to }) => Object.keys(to)))].toSorted()).toEqual([...table.inputs].toSorted());
  });
}
