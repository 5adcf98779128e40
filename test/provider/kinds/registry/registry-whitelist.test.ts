import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import type { Props } from "../../../support/structs.ts";
import { runsOf } from "../../stage/runs.ts";
import { sharedStage } from "../../stage/shared-stage.ts";

/** The whitelist of a registry's public endpoint changes with the fewest calls, and nobody is shut out or let in by mistake. */

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

/** The calls that read or change the whitelist, in order, with the code where one was refused. */
async function policyCalls(work: () => Promise<unknown>): Promise<readonly string[]> {
  const calls = await stage.calls(work);
  return calls
    .filter(({ action }) => /SecurityPolic(y|ies)$/.test(action))
    .map(({ action, code }) => (code === "" ? action : `${action}: ${code}`));
}

test("the whitelist is read again before each entry that is removed", async () => {
  await using one = await stage.deployed("RegistryInstance", args(twenty));
  const desired = twenty.filter((_, index) => ![2, 3, 17].includes(index));
  const calls = await policyCalls(() => one.up(args(desired)));
  const removals = calls.flatMap((action, at) => (action === "DeleteSecurityPolicy" ? [at] : []));
  expect(removals).toHaveLength(3);
  expect(removals.map((at) => calls[at - 1])).toEqual(Array.from({ length: 3 }, () => "DescribeSecurityPolicies"));
  expect(await letIn(one.id)).toEqual(inWords(desired));
});

test("when somebody else was quicker, the whitelist is read again, and only the right entries are removed", async () => {
  await using one = await stage.deployed("RegistryInstance", args(twenty));
  for (let times = 0; times < 2; times++)
    stage.faults.add({ operation: registry.deleteSecurityPolicy, when: "before", code: "UnsupportedOperation.VersionMismatch" });
  const desired = twenty.slice(2);
  const refused = "DeleteSecurityPolicy: UnsupportedOperation.VersionMismatch";
  const calls = await policyCalls(() => one.up(args(desired)));
  expect(calls.slice(calls.indexOf(refused), calls.lastIndexOf("DeleteSecurityPolicy") + 1)).toEqual([
    refused,
    "DescribeSecurityPolicies",
    refused,
    "DescribeSecurityPolicies",
    "DeleteSecurityPolicy",
    "DescribeSecurityPolicies",
    "DeleteSecurityPolicy",
  ]);
  expect(await letIn(one.id)).toEqual(inWords(desired));
});

test("a whitelist that was changed by hand has exactly the desired entries afterwards", async () => {
  await using one = await stage.deployed("RegistryInstance", args(twenty));
  // Without the first entry, all others have moved up by one.
  await stage.cloud.call(registry.deleteSecurityPolicy, { registryId: one.id, cidrBlock: "203.0.113.0/32" });
  await stage.cloud.call(registry.createSecurityPolicy, { registryId: one.id, cidrBlock: "192.0.2.1/32", description: "guest" });
  await stage.host.restart();
  const desired = twenty
    .with(5, { cidrBlock: "203.0.113.5/32", description: "moved" })
    .with(19, { cidrBlock: "198.51.100.19/32", description: "site 19" });
  const twice = ["Create", "Delete"].flatMap((does) => [`${does}SecurityPolicy`, `${does}SecurityPolicy`]);
  expect((await stage.writes(() => one.up(args(desired)))).toSorted()).toEqual([...twice, "ModifySecurityPolicy"]);
  expect(await letIn(one.id)).toEqual(inWords(desired));
});

test("a range wider than a site is warned of, and a site is not", async () => {
  const one = stage.deployment("RegistryInstance");
  for (const cidrBlock of ["203.0.113.0/24", "203.0.113.7", "2001:db8::/48"]) await one.preview(args([{ cidrBlock }]));
  await one.preview(args([{ cidrBlock: "203.0.112.0/23" }, { cidrBlock: "203.0.113.7" }]));
  await one.preview(args([{ cidrBlock: "2001:db8::/47" }]));
  const advice = "lets in more than a /24 (IPv6: a /48): name the ranges that need it, best single addresses";
  await expect
    .poll(runsOf(stage).warnings)
    .toEqual([`publicAccess.whitelist: 203.0.112.0/23 ${advice}`, `publicAccess.whitelist: 2001:db8::/47 ${advice}`]);
});
