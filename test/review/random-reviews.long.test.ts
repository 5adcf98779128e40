import fc from "fast-check";
import { expect, test } from "vitest";
import { kinds } from "../../provider/src/resources/reviews.ts";
import { inRounds } from "../../sdk/src/rounds.fixture.ts";
import { unknown } from "../support/structs.ts";
import { preview, type Step } from "./previews.ts";
import { recorded, reviewOfTexts } from "./reviewed.ts";

/** Whatever a preview says: nothing that ends a resource, opens access or is not understood is ever called safe. */

/** Types of other providers, and one whose steps say how others are reached. */
const foreignTypes = ["random:index/randomPet:RandomPet", "aws:ec2/securityGroup:SecurityGroup", "kubernetes:apps/v1:Deployment"];
const ops = ["create", "update", "replace", "create-replacement", "delete-replaced", "delete", "same"] as const;

const rule = fc.record({
  action: fc.constantFrom("ACCEPT", "DROP"),
  cidrBlock: fc.constantFrom("0.0.0.0/1", "128.0.0.0/1"),
  protocol: fc.constant("ALL"),
});
const value = fc.oneof(
  ...[fc.constant(unknown), fc.constant("[secret]"), fc.constant(null), fc.boolean(), fc.integer({ max: 9, min: 0 })],
  fc.constantFrom("10.0.0.0/16", "0.0.0.0/0", "::/0", "svc:admin", "svc:ro", "vpc-1", ""),
  fc.array(rule, { maxLength: 2 }),
);
const keys = [
  ...["cidrBlock", "vpcId", "isPublic", "isExtranet", "ingress", "roleName"],
  ...["clusterVersion", "deletionProtection", "native", "tags", "brandNew"],
];
const inputs = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 });

interface Random {
  readonly step: Step;
  readonly type: string | undefined;
}

const random: fc.Arbitrary<Random> = fc.record({
  step: fc.record({
    kind: fc.constantFrom(...kinds),
    name: fc.constantFrom("a", "b", "c", "d", "e"),
    op: fc.constantFrom(...ops),
    old: inputs,
    now: inputs,
    because: fc.subarray(keys, { maxLength: 2 }),
    paths: fc.subarray(keys, { maxLength: 2 }),
    from: fc.dictionary(fc.constantFrom(...keys), fc.subarray(["Vpc a", "Subnet b", "Cluster c"]), { maxKeys: 2 }),
    protect: fc.boolean(),
    protectAfter: fc.boolean(),
  }),
  type: fc.option(fc.constantFrom(...foreignTypes), { nil: undefined }),
});

/** The preview's text, with the steps of other providers and those whose operation is not known. */
function textOf(all: readonly Random[], odd: string | undefined): string {
  const parsed: { steps: { op: string; urn: string }[] } = JSON.parse(preview(all.map(({ step }) => step)));
  const steps = parsed.steps.map((step, index) => {
    const { type, step: made } = all[index] ?? {};
    const text = JSON.stringify({ ...step, op: index === 0 && odd !== undefined ? odd : step.op });
    return type === undefined || made === undefined ? text : text.replaceAll(`pulumi-nodejs:dynamic/container-platform:${made.kind}`, type);
  });
  return `${JSON.stringify({ ...parsed, steps: undefined }).slice(0, -1)},"steps":[${steps.join(",")}]}`;
}

const isEnding = (op: string): boolean => /delete|replace/.test(op);
const odd = fc.option(fc.constantFrom("teleport", "purge", "UPDATE"), { nil: undefined });

test("no deletion, replacement or unknown operation is safe, and no new way in", { timeout: 600_000 }, () => {
  const isGrave = fc.property(fc.array(random, { minLength: 1, maxLength: 6 }), odd, (all, op) => {
    const text = textOf(all, op);
    const { verdict, changes } = reviewOfTexts([text]);
    if (op !== undefined) expect(verdict, text).toBe("blocked");
    if (all.slice(op === undefined ? 0 : 1).some(({ step }) => isEnding(step.op)))
      expect(["needs-approval", "blocked"], text).toContain(verdict);
    if (all.some(({ step, type }) => type === undefined && opens(step))) expect(["needs-approval", "blocked"], text).toContain(verdict);
    for (const change of changes)
      if (change.operation === "delete" || change.operation === "replace") expect(change.verdict, text).not.toBe("safe");
  });
  return inRounds("100 random reviews", { whole: 200, seconds: 12 }, (seed) => {
    fc.assert(isGrave, { seed, numRuns: 100 });
    return Promise.resolve();
  });
});

/** Whether a made-up resource lets somebody in who was not let in before. */
function opens({ kind, op, now = {}, old = {} }: Step): boolean {
  const was = op === "create" ? {} : old;
  const isMade = op !== "same" && !op.startsWith("delete");
  if (kind === "Namespace") return isMade && now["isPublic"] === true && was["isPublic"] !== true;
  if (kind === "ClusterEndpoint") return op === "create" && now["isExtranet"] === true;
  return kind === "UserPermission" && op === "create" && now["roleName"] === "svc:admin";
}

const damage = fc.record({ at: fc.nat(30), what: fc.constantFrom("type", "dependencies", "old", "reasons", "custom") });
const names = fc.constantFrom("cidr", "registryDeleted", "endpointClosed", "tokenType", "permissionWidened", "cidrOverlapping");

test("a real preview stays as grave as it is, however its steps are damaged", { timeout: 600_000 }, () => {
  const staysGrave = fc.property(names, fc.array(damage, { minLength: 1, maxLength: 4 }), (name, all) => {
    const [text = "{}"] = recorded(name);
    const parsed: { steps: Record<string, unknown>[] } = JSON.parse(text);
    for (const { at, what } of all) {
      const step = parsed.steps[at % parsed.steps.length];
      if (step) damaged(step, what);
    }
    const ends = parsed.steps.some(({ op, urn }) => isEnding(String(op)) && !String(urn).includes("pulumi:pulumi:"));
    const { verdict } = reviewOfTexts([JSON.stringify(parsed)]);
    if (ends) expect(["needs-approval", "blocked"], JSON.stringify([name, all])).toContain(verdict);
  });
  return inRounds("25 reviews of damaged previews", { whole: 200, seconds: 8 }, (seed) => {
    fc.assert(staysGrave, { seed, numRuns: 25 });
    return Promise.resolve();
  });
});

function damaged(step: Record<string, unknown>, what: string): void {
  const states = [step["oldState"], step["newState"]].filter((state) => typeof state === "object" && state !== null);
  if (what === "type") step["urn"] = String(step["urn"]).replace("pulumi-nodejs:dynamic/container-platform:", "else:index:");
  if (what === "old") delete step["oldState"];
  if (what === "reasons") for (const key of ["replaceReasons", "diffReasons", "detailedDiff"]) Reflect.deleteProperty(step, key);
  for (const state of states) {
    if (what === "dependencies") for (const key of ["dependencies", "propertyDependencies"]) Reflect.deleteProperty(state, key);
    if (what === "custom") Reflect.deleteProperty(state, "custom");
  }
}
