import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import { expect, onTestFinished, test } from "vitest";
import { kinds } from "../resources/kinds.ts";
import { ServiceAccount } from "../resources/registry/service-account.ts";
import {
  isOfStack,
  isOldStackTag,
  newOwnershipTags,
  noteOn,
  ownedBy,
  ownerOf,
  ownershipIn,
  ownershipOf,
  separatingOwnershipTags,
  stackKey,
  withOwnershipTags,
} from "./tags.ts";

const mark = "89abcdef";
const urnIn = (project: string, stack: string) => `urn:pulumi:${stack}::${project}::container-platform:index:ServiceAccount::ci`;
const urn = urnIn("shop", "prod");

test.each([
  ["shop", "prod", "shop/prod"],
  ["my.shop", "eu.prod", "my.shop/eu.prod"],
  ["shop", "v1.01234567", "shop/v1.01234567"],
  ["shop", "prod.", "shop/prod."],
])("the stack tag of project %s and stack %s has the name, and the mark if it is known", (project, stack, name) => {
  for (const known of [mark, undefined]) {
    const found = ownershipIn(newOwnershipTags(urnIn(project, stack), known));
    expect(found).toEqual({ owner: ownerOf(urnIn(project, stack)), stack: name, mark: known, isPending: true });
    expect(isOfStack(found.stack, urnIn(project, stack))).toBe(true);
    expect(isOfStack(found.stack, urnIn(project, "other"))).toBe(false);
  }
});

test("the stack tag of version 0.1.0 is a hash of the stack and the project", () => {
  const tag = "ed3024e39498";
  expect(ownershipIn({ [stackKey]: tag })).toMatchObject({ stack: tag, mark: undefined, isPending: false });
  expect([isOldStackTag(tag), isOfStack(tag, urn), isOfStack(tag, urnIn("shop", "test"))]).toEqual([true, true, false]);
  expect(isOldStackTag("shop/prod")).toBe(false);
});

test.each(["", "for builds", "for builds  ", " ", "by (Pulumi)", "two\nlines)", "(Pulumi 0123456789ab.01234567)"])(
  "the note behind the text %j does not change the text",
  async (description) => {
    const world = World.open(":memory:");
    onTestFinished(() => {
      world.close();
    });
    const cloud = new Cloud({ transport: new LocalPlatform(world), region: "eu-frankfurt" });
    for (const known of [mark, undefined]) {
      const live = withOwnershipTags(ServiceAccount.kind, { description }, newOwnershipTags(urn, known));
      expect(noteOn(ServiceAccount.kind, live)).toEqual({ owner: ownerOf(urn), stack: undefined, mark: known, isPending: true });
      const { read } = separatingOwnershipTags({ ...ServiceAccount.kind, read: () => Promise.resolve(live) });
      expect(await read(cloud, {})).toMatchObject({ description });
    }
  },
);

test("the note has the owner and the mark", () => {
  const { description } = withOwnershipTags(ServiceAccount.kind, { description: "for builds" }, newOwnershipTags(urn, mark));
  expect(description).toBe(`for builds (Pulumi ${ownerOf(urn)}.${mark})`);
});

test("the note of version 0.1.0 has the beginning of the owner", () => {
  const noted = (description: string) => noteOn(ServiceAccount.kind, { description });
  expect(noted("being made by Pulumi (01234567)")).toEqual({ owner: "01234567", stack: undefined, mark: undefined, isPending: true });
  expect([noted("being made by Pulumi"), noted("for builds (Pulumi)"), noted("")]).toEqual([undefined, undefined, undefined]);
});

test("a resource that gets another owner keeps its state, and its mark only in its own stack", () => {
  const live = { vpcName: "net", tags: { team: "a" }, ownershipTags: newOwnershipTags(urn, mark) };
  const other = `${urn}-2`;
  expect(ownedBy(other, live)).toMatchObject({ vpcName: "net", tags: { team: "a" } });
  const ownership = { owner: ownerOf(other), stack: "shop/prod", mark, isPending: true };
  expect(ownershipOf(ownedBy(other, live))).toEqual(ownership);
  const elsewhere = urnIn("shop", "test");
  const moved = { owner: ownerOf(elsewhere), stack: "shop/test", mark: undefined, isPending: true };
  expect(ownershipOf(ownedBy(elsewhere, live))).toEqual(moved);
});

test.each(Object.entries(kinds))("the inputs of a %s that share a step share it with the ownership tags, too", async (_, load) => {
  const { kind } = await load();
  const groups = (changes: typeof kind.changes) => {
    const steps = Object.entries(changes).map(([key, change]) => [key, typeof change === "object" ? change.step : change] as const);
    return steps.map(([, step]) => steps.filter(([, other]) => other === step).map(([key]) => key));
  };
  expect(groups(separatingOwnershipTags(kind).changes)).toEqual(groups(kind.changes));
});
