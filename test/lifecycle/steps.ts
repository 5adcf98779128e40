import type { Cloud } from "@container-platform/sdk";
import fc from "fast-check";
import { isKind } from "../../provider/src/resources/kinds.ts";
import { kinds } from "../../provider/src/resources/reviews.ts";
import { casesOf } from "../provider/kinds/all.ts";
import { isExempt } from "../provider/kinds/kind-cases.ts";
import { testedShell } from "../support/shell.ts";
import type { RandomProgram, RandomResource } from "./random-program.ts";
import { called } from "./program.ts";
import type { EntrySummary } from "./resettable-stack.ts";
import type { TemplateName } from "./template.ts";
import { templateNames, templateOf } from "./templates.ts";

const edits = ["add", "remove", "rename", "change", "replace", "halve", "protect", "import"] as const;
/** Edits of options that only the real engine has. */
const engineEdits = ["contain", "replace with"] as const;

/** One edit of a program, and what else happens during the run that follows it, or before it. */
export interface Step {
  readonly edit: (typeof edits)[number] | (typeof engineEdits)[number];
  readonly template: TemplateName;
  readonly pick: number;
  /** The call that fails in the run, before its effect or after it; `lost`: without an answer. */
  readonly fault: { readonly nth: number; readonly when: "before" | "after"; readonly lost: boolean } | null;
  /** What is killed in the run, and at which of its calls. */
  readonly kill: { readonly victim: "engine" | "provider"; readonly nth: number } | null;
  /** What somebody does by hand before the run. */
  readonly byHand: "rename" | "delete" | null;
  /** A command before the run that does a part of its work, or does it in another way: only the real engine has it. */
  readonly partly: Part | null;
}

export interface Part {
  readonly command: "up" | "refresh" | "destroy";
  readonly only: { readonly flag: "--target" | "--exclude"; readonly picks: readonly number[]; readonly hasDependents: boolean } | null;
  readonly more: readonly ("--continue-on-error" | "--refresh" | "--run-program")[];
}

const weighted = ["add", "add", "add", ...edits, "change", "replace"] as const;

const part = fc.record<Part>({
  command: fc.constantFrom("up", "up", "up", "refresh", "destroy"),
  only: fc.option(
    fc.record({
      flag: fc.constantFrom("--target", "--exclude"),
      picks: fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }),
      hasDependents: fc.boolean(),
    }),
    { freq: 4 },
  ),
  more: fc.subarray(["--continue-on-error", "--refresh", "--run-program"]),
});

const step = fc.record<Step>({
  edit: fc.constantFrom(...weighted),
  template: fc.constantFrom(...templateNames),
  pick: fc.nat(99),
  fault: fc.option(fc.record({ nth: fc.integer({ min: 1, max: 40 }), when: fc.constantFrom("before", "after"), lost: fc.boolean() }), {
    freq: 2,
  }),
  kill: fc.option(fc.record({ victim: fc.constantFrom("engine", "provider"), nth: fc.integer({ min: 1, max: 20 }) }), { freq: 3 }),
  byHand: fc.constantFrom(null, null, "rename", "delete"),
  partly: fc.constant(null),
});

const engineStep = fc
  .tuple(step, fc.constantFrom(null, null, null, ...engineEdits), fc.option(part, { freq: 3 }))
  .map(([one, edit, partly]): Step => ({ ...one, ...(edit && { edit }), partly }));

/** So many steps, some of them with a fault, a kill or something done by hand. */
export function steps(least: number, most: number): fc.Arbitrary<readonly Step[]> {
  return fc.array(step, { minLength: least, maxLength: most });
}

/** The same with what only the real engine has. With `deletedWith`, it loses resources after a failure: then there is none. */
export function engineSteps(least: number, most: number): fc.Arbitrary<readonly Step[]> {
  const all = fc.array(engineStep, { minLength: least, maxLength: most });
  return fc
    .tuple(all, fc.boolean())
    .map(([some, fails]) =>
      some.map((one) => (fails ? { ...one, edit: one.edit === "contain" ? "change" : one.edit } : { ...one, fault: null, kill: null })),
    );
}

/** Edits the program. A resource that it is to import is made by hand first. */
export async function edited(random: RandomProgram, { edit, template, pick }: Step, cloud: Cloud): Promise<void> {
  const some = random.resources.filter((resource) => edit !== "halve" || templateOf(resource.template).halves === true);
  const resource = some[pick % Math.max(1, some.length)];
  // Pulumi itself imports native resources, and only those that are as in the program.
  if (edit === "import" && testedShell !== "native") await imported(random, pick, cloud);
  else if (edit === "add" || edit === "import" || !resource) random.add(template, pick);
  else if (edit === "remove") random.remove(resource);
  else if (edit === "contain") random.editAll({ isContained: pick % 4 > 0 });
  else if (edit === "replace with") random.edit(resource, { replacedWith: sourceOf(random, resource, pick) });
  else random.edit(resource, changeOf(edit, random, resource));
}

function changeOf(
  edit: Exclude<Step["edit"], "add" | "remove" | "import" | (typeof engineEdits)[number]>,
  random: RandomProgram,
  resource: RandomResource,
): Partial<RandomResource> {
  const { settings, template } = resource;
  if (edit === "rename") return { name: `${template.toLowerCase()}-${random.next()}`, alias: resource.name };
  if (edit === "protect") return { protect: !resource.protect };
  if (edit === "halve") return { settings: { ...settings, half: !settings.half } };
  if (edit === "replace" && templateOf(template).replaces) return { settings: { ...settings, place: random.next() } };
  return { settings: { ...settings, version: settings.version + 1 } };
}

/** A resource that is declared before this one. */
function sourceOf({ resources }: RandomProgram, resource: RandomResource, pick: number): RandomResource["replacedWith"] {
  const earlier = resources.slice(0, resources.indexOf(resource));
  const source = earlier[pick % Math.max(1, earlier.length)];
  return source && { key: source.key, first: pick % 2 === 0 };
}

/** Adds a resource that somebody has made by hand. It differs from the program in what can be changed. */
async function imported(random: RandomProgram, pick: number, cloud: Cloud): Promise<void> {
  const makers = kinds.flatMap((kind) => {
    const make = casesOf[kind].random.imported;
    return isExempt(make) ? [] : [{ kind, make }];
  });
  const maker = makers[pick % makers.length];
  if (!maker) throw new Error("nothing can be imported");
  const resource = random.add(maker.kind, pick);
  random.edit(resource, { imported: await maker.make(cloud, resource.settings) });
}

/** Somebody renames or deletes a resource by hand. What was done, if there was such a resource. */
export async function byHand({ byHand: what, pick }: Step, cloud: Cloud, state: readonly EntrySummary[]): Promise<string | undefined> {
  if (what === null) return undefined;
  const some = state.flatMap((entry) => {
    const { type, status } = entry;
    const change = isKind(type) && status === "live" ? casesOf[type].random[what === "rename" ? "renamed" : "deleted"] : undefined;
    return change === undefined || isExempt(change) ? [] : [{ entry, change }];
  });
  const one = some[pick % Math.max(1, some.length)];
  if (!one) return undefined;
  await one.change(cloud, one.entry);
  return `${what} ${called(one.entry)}`;
}
