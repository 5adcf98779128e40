import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, test } from "vitest";
import { kinds } from "../../../provider/src/resources/kinds.ts";
import type { KindName } from "../../../provider/src/resources/reviews.ts";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import type { Deployment, Outcome } from "../../support/deployment.ts";
import { pluginHere } from "../../support/provider-here.ts";
import { testedShell } from "../../support/shell.ts";
import { inClear, isProps, type Props, propsOf, struct, unknown, visible } from "../../support/structs.ts";
import { region } from "../stage/stage.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { type Stage, withoutHistory } from "../stage/stage.ts";

/** A change of the program, and what it has to do. The tables say it themselves: a mistake in a definition must not make its own test pass. */
export interface Change {
  /** The changed input, in words, for the title of the test, where `to` does not say it. */
  readonly of?: string;
  /** The inputs of the program before the change; unless given, the table's `base`. */
  readonly from?: Props;
  /** The inputs that change, with their new values; `undefined` takes one out of the program. */
  readonly to: Props;
  /** What the preview plans; unless given, an update. */
  readonly does?: Exclude<Outcome, "create">;
  /** The writing calls of `up`, in order; unless given, those that the table has for what it does. */
  readonly calls?: readonly string[];
  /** Why only the preview is tested. */
  readonly onlyPlanned?: string;
  /** Inputs that are changed in the end, because the resource could not be deleted otherwise. */
  readonly last?: Props;
}

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
  /** A program with no more inputs than have to be given. */
  readonly base: Props;
  /** The writing calls that create a resource with the inputs of `base`. */
  readonly creates: readonly string[];
  /** A program with every input that can be given. */
  readonly full: Props;
  /** The writing calls that create a resource with the inputs of `full`; unless given, those of `creates`. */
  readonly createsFull?: readonly string[];
  /** The writing calls of an update; none, unless given. */
  readonly updates?: readonly string[];
  /**
   * The paths that `X.get` leaves out, such as `native.password`: the platform does not return them, or the program may leave them to the
   * platform.
   */
  readonly notFound?: readonly string[];
  readonly deletes: readonly string[];
  readonly changes: readonly Change[];
  readonly refusals?: readonly Refusal[];
  readonly unknowns: readonly Unknown[];
  /** Deletes the resource behind the program's back. */
  readonly vanish: (id: string) => Promise<unknown>;
}

/** Optional inputs, each changed from one value to another, put in, and taken out. `more`: what a change does. */
export function eachWay(
  base: Props,
  values: Readonly<Record<string, readonly [before: unknown, after: unknown]>>,
  more: Partial<Change> = {},
): Change[] {
  return Object.entries(values).flatMap(([input, [before, after]]) => [
    { from: { ...base, [input]: before }, to: { [input]: after }, ...more },
    ...inAndOut(base, { [input]: before }, more),
  ]);
}

export function inAndOut(base: Props, values: Props, more: Partial<Change> = {}): Change[] {
  return Object.entries(values).flatMap(([input, value]) => [
    { to: { [input]: value }, ...more },
    { from: { ...base, [input]: value }, to: { [input]: undefined }, ...more },
  ]);
}

/** Inputs that cannot be taken out of a program. */
export function refusedOnceSet(from: Props, ...inputs: readonly string[]): Refusal[] {
  return inputs.map((input) => {
    const says = `${input}: cannot be taken out once it is set`;
    return { of: `${input}, taken out`, from, to: { [input]: undefined }, says };
  });
}

/** Inputs whose values are not known yet, one at a time. */
export function notKnown(does: Unknown["does"], inputs: readonly string[], from?: Props): Unknown[] {
  return inputs.map((of) => ({ of, to: { [of]: unknown }, does, ...(from && { from }) }));
}

/**
 * Tests that the kind of a table obeys the laws that hold for all kinds. The provider is in the tests' process: that each kind fares as well
 * in a process of its own, as in a real `up`, is for the suites that apply to all kinds, such as that of drifts.
 */
export async function laws(tableOf: (stage: Stage) => Table | Promise<Table>): Promise<void> {
  const stage = await sharedStage();
  const table = await tableOf(stage);

  const resource = (): Deployment => stage.deployment(table.type);
  creationTests(stage, table, resource);
  for (const change of table.changes) changeTest(stage, table, resource, change);
  refusalTests(table, resource);
  deletionTests(stage, table, resource);
  unknownTests(table, resource);
  previewTest(stage, table, resource);

  test("every input has a change or a refusal in the table, and a case with an unknown value", async () => {
    const { inputs } = (await kinds[table.type]()).kind;
    const namesIn = (all: readonly { readonly to: Props }[]) => [...new Set(all.flatMap(({ to }) => Object.keys(to)))].toSorted();
    expect(namesIn([...table.changes, ...(table.refusals ?? [])])).toEqual(Object.keys(inputs.shape).toSorted());
    expect(namesIn(table.unknowns)).toEqual(Object.keys(inputs.shape).toSorted());
  });
}

function creationTests(stage: Stage, table: Table, resource: () => Deployment): void {
  const forms = [
    ["with what is required", table.base, table.creates],
    ["with everything", table.full, table.createsFull ?? table.creates],
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

  test("check returns the same inputs each time, and accepts what it returned", async () => {
    for (const args of [table.base, table.full]) {
      const checked = await resource().checked(args);
      expect(await resource().checked(args)).toEqual(checked);
      expect(await resource().checked(checked)).toEqual(checked);
    }
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
    await expect(got.get(got.id)).rejects.toThrow(`${table.type} ${got.id} not found in eu-frankfurt`);
  });
}

function without(props: Props, paths: readonly string[] = [], prefix = ""): Props {
  const left = Object.entries(props).filter(([key]) => !paths.includes(prefix + key));
  return Object.fromEntries(left.map(([key, value]) => [key, isProps(value) ? without(value, paths, `${prefix}${key}.`) : value]));
}

function changeTest(stage: Stage, table: Table, resource: () => Deployment, change: Change): void {
  const { from = table.base, to, does = "update", calls = callsOf(table, does), last } = change;
  const title = `a change of ${change.of ?? describeChange(from, to)}: ${does}`;
  const desired = { ...from, ...to };
  test(title, async () => {
    await using one = resource();
    await one.up(from);
    const { id } = one;
    expect(await one.preview(desired)).toBe(does);
    if (change.onlyPlanned !== undefined) return;
    expect(await stage.writes(() => one.up(desired))).toEqual(calls);
    if (does === "update" || does === "nothing") expect(one.id).toBe(id);
    expect(await one.preview(desired)).toBe("nothing");
    await one.refresh();
    expect(await one.preview(desired)).toBe("nothing");
    if (last) await one.up({ ...desired, ...last });
  });
}

function callsOf({ creates, updates = [], deletes }: Table, does: Exclude<Outcome, "create">): readonly string[] {
  return { update: updates, replace: [...creates, ...deletes], "delete-replace": [...deletes, ...creates], nothing: [] }[does];
}

function describeChange(from: Props, to: Props): string {
  const changed = Object.entries(to).map(([input, value]) => {
    if (value === undefined) return `${input}, taken out`;
    return from[input] === undefined ? `${input}, put in` : input;
  });
  return changed.join(" and ");
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
    expect(await stage.writes(() => one.up(table.full))).toEqual(table.createsFull ?? table.creates);
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
}

/** Of the plugin alone: the engine does not ask the dynamic host for previews of creations and updates. */
function previewTest({ world }: Stage, { type, base, unknowns }: Table, resource: () => Deployment): void {
  test("a preview by the plugin keeps each unknown input, also a nested one, and knows no output that the platform chooses", async () => {
    const { kind } = await kinds[type]();
    const chosen = Object.keys(kind.outputs.shape).filter((key) => !(key in kind.inputs.shape));
    const plugin = pluginHere(world, region);
    const urn = `urn:pulumi:test::laws::${nativeToken(type)}::previewed`;
    await using one = resource();
    await one.up(base);
    for (const { of, from = base, to } of unknowns) {
      const checked = (await plugin.check(new messages.CheckRequest().setUrn(urn).setNews(struct({ ...from, ...to })))).getInputs();
      const inputs = visible(inClear(propsOf(checked)));
      const created = await plugin.create(new messages.CreateRequest().setUrn(urn).setPreview(true).setProperties(checked));
      const planned = inClear(propsOf(created.getProperties()));
      expect(planned, of).toMatchObject(inputs);
      for (const key of chosen) expect(planned[key], `${of}: ${key}`).toBe(unknown);
      const update = new messages.UpdateRequest()
        .setUrn(urn)
        .setPreview(true)
        .setId(one.id)
        .setOlds(struct({ ...one.state?.outputs }));
      // What is part of the id is known, and does not change in an update.
      const after = inClear(propsOf((await plugin.update(update.setNews(checked))).getProperties()));
      expect(after, of).toMatchObject(without(inputs, kind.id.names));
    }
  });
}
