import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import { severities } from "../support/host.ts";
import type { Props } from "../support/structs.ts";
import { sharedStage } from "./shared-stage.ts";

/** The whitelist of a registry's public endpoint: the fewest calls, and nobody is kept out or let in by mistake. */

const stage = await sharedStage();

interface Entry {
  readonly cidrBlock: string;
  readonly description: string;
}

const twenty: readonly Entry[] = Array.from({ length: 20 }, (_, index) => ({
  cidrBlock: `203.0.113.${index}/32`,
  description: `site ${index}`,
}));
const args = (whitelist: readonly Partial<Entry>[]): Props => ({
  registryName: "laws-images",
  deleteBucket: true,
  publicAccess: { whitelist },
});

async function letIn(registryId: string): Promise<string[]> {
  const { securityPolicySet } = await stage.cloud.call(registry.describeSecurityPolicies, { registryId });
  return inWords(securityPolicySet);
}

function inWords(entries: readonly Entry[]): string[] {
  return entries.map(({ cidrBlock, description }) => `${cidrBlock} ${description}`).toSorted();
}

/** The calls about single entries and about the whitelist, in order, with the code where one was refused. */
async function policyCalls(work: () => Promise<unknown>): Promise<readonly string[]> {
  const calls = await stage.calls(work);
  return calls
    .filter(({ action }) => /SecurityPolic(y|ies)$/.test(action))
    .map(({ action, code }) => (code === "" ? action : `${action}: ${code}`));
}

test("one range of twenty changed: one entry comes, then one goes", async () => {
  await using one = stage.deployment("RegistryInstance");
  await one.up(args(twenty));
  const wished = twenty.with(7, { cidrBlock: "198.51.100.7/32", description: "site 7" });
  expect(await one.preview(args(wished))).toBe("update");
  expect(await stage.writes(() => one.up(args(wished)))).toEqual(["CreateSecurityPolicy", "DeleteSecurityPolicy"]);
  expect(await letIn(one.id)).toEqual(inWords(wished));
  expect(await one.preview(args(wished))).toBe("nothing");
});

test("one description of twenty changed: one entry is modified", async () => {
  await using one = stage.deployment("RegistryInstance");
  await one.up(args(twenty));
  const wished = twenty.with(11, { cidrBlock: "203.0.113.11/32", description: "moved" });
  expect(await one.preview(args(wished))).toBe("update");
  expect(await stage.writes(() => one.up(args(wished)))).toEqual(["ModifySecurityPolicy"]);
  expect(await letIn(one.id)).toEqual(inWords(wished));
});

test("another order: no call", async () => {
  await using one = stage.deployment("RegistryInstance");
  await one.up(args(twenty));
  const wished = args(twenty.toReversed());
  expect(await one.preview(wished)).toBe("nothing");
  expect(await stage.calls(() => one.up(wished))).toEqual([]);
  await one.refresh();
  expect(await one.preview(wished)).toBe("nothing");
});

test("several entries go: the whitelist is read again before each", async () => {
  await using one = stage.deployment("RegistryInstance");
  await one.up(args(twenty));
  const wished = twenty.filter((_, index) => ![2, 3, 17].includes(index));
  const calls = await policyCalls(() => one.up(args(wished)));
  const removals = calls.flatMap((action, at) => (action === "DeleteSecurityPolicy" ? [at] : []));
  expect(removals).toHaveLength(3);
  expect(removals.map((at) => calls[at - 1])).toEqual(Array.from({ length: 3 }, () => "DescribeSecurityPolicies"));
  expect(await letIn(one.id)).toEqual(inWords(wished));
});

test("somebody else was quicker: the whitelist is read again, and only what was to go is gone", async () => {
  await using one = stage.deployment("RegistryInstance");
  await one.up(args(twenty));
  for (let times = 0; times < 2; times++)
    stage.faults.add({ operation: registry.deleteSecurityPolicy, when: "before", code: "UnsupportedOperation.VersionMismatch" });
  const wished = twenty.slice(2);
  const refused = "DeleteSecurityPolicy: UnsupportedOperation.VersionMismatch";
  const calls = await policyCalls(() => one.up(args(wished)));
  expect(calls.slice(calls.indexOf(refused), calls.lastIndexOf("DeleteSecurityPolicy") + 1)).toEqual([
    refused,
    "DescribeSecurityPolicies",
    refused,
    "DescribeSecurityPolicies",
    "DeleteSecurityPolicy",
    "DescribeSecurityPolicies",
    "DeleteSecurityPolicy",
  ]);
  expect(await letIn(one.id)).toEqual(inWords(wished));
});

test("changed by hand since it was last seen: what is wished is there afterwards, and nothing else", async () => {
  await using one = stage.deployment("RegistryInstance");
  await one.up(args(twenty));
  // With the first one gone, every other one has another place than it had.
  await stage.cloud.call(registry.deleteSecurityPolicy, { registryId: one.id, cidrBlock: "203.0.113.0/32" });
  await stage.cloud.call(registry.createSecurityPolicy, { registryId: one.id, cidrBlock: "192.0.2.1/32", description: "guest" });
  await stage.host.restart();
  const wished = twenty
    .with(5, { cidrBlock: "203.0.113.5/32", description: "moved" })
    .with(19, { cidrBlock: "198.51.100.19/32", description: "site 19" });
  expect((await stage.writes(() => one.up(args(wished)))).toSorted()).toEqual([
    "CreateSecurityPolicy",
    "CreateSecurityPolicy",
    "DeleteSecurityPolicy",
    "DeleteSecurityPolicy",
    "ModifySecurityPolicy",
  ]);
  expect(await letIn(one.id)).toEqual(inWords(wished));
});

test("a range wider than a site is a warning, a site is none", async () => {
  const one = stage.deployment("RegistryInstance");
  for (const cidrBlock of ["203.0.113.0/24", "203.0.113.7", "2001:db8::/48"]) await one.preview(args([{ cidrBlock }]));
  await one.preview(args([{ cidrBlock: "203.0.112.0/23" }, { cidrBlock: "203.0.113.7" }]));
  await one.preview(args([{ cidrBlock: "2001:db8::/47" }]));
  const advice = "lets in more than a /24 (IPv6: a /48): name the ranges that need it, best single addresses";
  await expect
    .poll(() => stage.host.lines.filter(({ severity }) => severity === severities.warning).map(({ message }) => message))
    .toEqual([`publicAccess.whitelist: 203.0.112.0/23 ${advice}`, `publicAccess.whitelist: 2001:db8::/47 ${advice}`]);
});

test.each(["0.0.0.0/0", "::/0", "0:0::/0"])("everyone is refused: %s", async (cidrBlock) => {
  await expect(stage.deployment("RegistryInstance").preview(args([{ cidrBlock: "203.0.113.7" }, { cidrBlock }]))).rejects.toThrow(
    `publicAccess.whitelist[1].cidrBlock: ${cidrBlock} lets everyone in: name the ranges that need it, best single addresses such as 203.0.113.7/32`,
  );
});

test.each([
  ["203.0.113.7", "203.0.113.7/32"],
  ["2001:db8::/64", "2001:0DB8::/64"],
])("a range twice is refused, however it is spelt: %s and %s", async (first, second) => {
  const whitelist = [{ cidrBlock: first }, { cidrBlock: "192.0.2.1" }, { cidrBlock: second }];
  await expect(stage.deployment("RegistryInstance").preview(args(whitelist))).rejects.toThrow(
    /^publicAccess\.whitelist: (203\.0\.113\.7\/32|2001:db8::\/64) is in it twice: name each range once$/,
  );
});
