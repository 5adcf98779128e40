import { describe, expect, test } from "vitest";
import { kinds } from "../resources/kinds.ts";
import { type Props, unknown } from "../schema/values.ts";
import { inputsLeftToPlatform } from "./resource.ts";
import { plan, planOfRefresh } from "./plan.ts";

/** The plan of an update, by what the state and the program have. */

const vpcs = (await kinds.Vpc()).kind;
const clusters = (await kinds.Cluster()).kind;
const tokens = (await kinds.Token()).kind;

const vpcId = "vpc-3f8a0c1e";
const vpc = { cidrBlock: "10.0.0.0/16", vpcName: "net", dnsServers: ["10.0.0.2"] };
const cluster = {
  ...{ clusterName: "prod", vpcId, subnetId: "subnet-3f8a0c1e", networkType: "VPC-CNI", isDualStack: false, clusterVersion: "1.32.2" },
  deletionProtection: false,
};
/** What the platform has chosen. */
const left = { __left: inputsLeftToPlatform(clusters, cluster) };
const now = Date.parse("2026-01-01T00:00:00Z");
const ofVpc = (olds: Props, news: Props) => plan(vpcs, vpcId, { ...vpc, ...olds }, { ...vpc, ...news }, now);
const ofCluster = (olds: Props, news: Props) =>
  plan(clusters, "cls-3f8a0c1e", { ...cluster, ...left, ...olds }, { ...cluster, ...news }, now);

describe("a resource whose creation failed", () => {
  test("is replaced, and deleted first, although no input differs", () => {
    const note = "replacing it, because its creation failed: it is Failed";
    expect(ofVpc({ __failed: "it is Failed" }, {})).toEqual({ changes: true, replaces: ["failed"], deleteBeforeReplace: true, note });
    expect(ofVpc({ __failed: "x" }, { cidrBlock: "10.8.0.0/16" })).toMatchObject({ replaces: ["cidrBlock", "failed"] });
    expect(ofVpc({ __failed: "x" }, { cidrBlock: "10.8.0.0/16" })).not.toHaveProperty("changes");
  });

  test("is not replaced while the program protects it, whatever the state has", () => {
    const says = "the creation of Cluster cls-3f8a0c1e failed, and it must be replaced, but deletionProtection is on. Set";
    expect(() => ofCluster({ __failed: "x" }, { deletionProtection: true })).toThrow(says);
    expect(ofCluster({ __failed: "x", deletionProtection: true }, {})).toMatchObject({ replaces: ["failed"] });
  });
});

test("a resource that the state has as protected is not replaced, whatever the program has", () => {
  const says = "changing isDualStack replaces Cluster cls-3f8a0c1e, but deletionProtection is on. Set deletionProtection to false";
  expect(() => ofCluster({ deletionProtection: true }, { isDualStack: true })).toThrow(says);
  expect(ofCluster({}, { isDualStack: true, deletionProtection: true })).toMatchObject({ replaces: ["isDualStack"] });
});

test("a replacement that cannot coexist with the old resource deletes it first", () => {
  expect(ofVpc({}, { cidrBlock: "10.8.0.0/16" })).toMatchObject({ replaces: ["cidrBlock"], deleteBeforeReplace: false });
  expect(ofVpc({}, { cidrBlock: "10.0.0.0/12" })).toMatchObject({ replaces: ["cidrBlock"], deleteBeforeReplace: true });
  expect(ofVpc({}, { cidrBlock: unknown })).toMatchObject({ replaces: ["cidrBlock"], deleteBeforeReplace: true });
});

test("an update says whether its replacement would delete first, for the option replaceOnChanges", () => {
  expect(ofVpc({}, { vpcName: "other" })).toMatchObject({ deleteBeforeReplace: true });
  expect(ofCluster({}, { clusterName: "other" })).not.toHaveProperty("deleteBeforeReplace");
});

test("the option import may stay if it names the resource, but neither with another ID nor with a replacement", () => {
  expect(ofVpc({}, { __adopt: vpcId })).toMatchObject({ changes: false });
  expect(() => ofVpc({}, { __adopt: "vpc-5d20b7c4" })).toThrow("import: this Vpc is already vpc-3f8a0c1e, and cannot become vpc-5d20b7c4");
  expect(() => ofVpc({}, { __adopt: vpcId, cidrBlock: "10.8.0.0/16" })).toThrow("but its options still have import. Remove `import` first");
});

test("a change that the platform never makes is refused, unless the value is unknown", () => {
  expect(() => ofCluster({}, { clusterVersion: "1.20.0" })).toThrow("clusterVersion: a cluster is never downgraded");
  expect(ofCluster({}, { clusterVersion: unknown })).not.toHaveProperty("replaces");
});

test("an input that is taken out, or left to the platform now, is a change", () => {
  expect(ofVpc({}, {})).toMatchObject({ changes: false });
  expect(ofVpc({}, { dnsServers: undefined })).not.toHaveProperty("changes");
  expect(ofVpc({ __left: ["dnsServers"] }, { dnsServers: undefined })).toMatchObject({ changes: false });
  expect(ofVpc({ __left: ["dnsServers"] }, {})).not.toHaveProperty("changes");
});

test("what was changed outside of Pulumi is no change, and is forgotten once the program has the live value", () => {
  const drifted = { isDualStack: true, clusterVersion: "1.34.1", __said: { isDualStack: false, clusterVersion: "1.32.2" } };
  const kept = ofCluster(drifted, {});
  expect(kept).toMatchObject({ changes: false, note: expect.stringContaining("was changed outside of Pulumi") as string });
  expect(ofCluster(drifted, { isDualStack: true })).toMatchObject({ changes: true });
  expect(() => ofCluster(drifted, { clusterVersion: "1.33.0" })).toThrow("clusterVersion: ");
});

test("a token that expires is replaced although no input differs, and says why", () => {
  const state = { registryId: "tcr-3f8a0c1e", tokenType: "temp", expTime: "2026-01-01T00:00:00Z" };
  expect(plan(tokens, "tcr-3f8a0c1e/t", state, state, now)).toEqual({
    ...{ changes: true, replaces: ["expTime"], deleteBeforeReplace: false },
    note: "the token ended at 2026-01-01T00:00:00Z, and `up` makes a new one",
  });
  expect(plan(tokens, "tcr-3f8a0c1e/t", state, state, now - 86_400_000)).toMatchObject({ changes: false });
});

test("a refresh plans nothing for a resource with workloads that leaves the same, and an update otherwise", () => {
  expect(planOfRefresh(clusters, { ...cluster, ...left }, cluster)).toEqual({ changes: false });
  expect(planOfRefresh(clusters, { ...cluster, ...left }, { ...cluster, clusterName: "other" })).toEqual({});
  for (const [olds, news] of [
    [{ ...cluster, ...left, __failed: "x" }, cluster],
    [
      { ...cluster, ...left },
      { ...cluster, vpcId: unknown },
    ],
  ] as const)
    expect(planOfRefresh(clusters, olds, news)).toBeUndefined();
  expect(planOfRefresh(tokens, {}, {})).toBeUndefined();
});
