import { expect, test } from "vitest";
import type { Props } from "../../support/structs.ts";
import { makeNetwork, makeRegistry } from "../stage/outside.ts";
import { runsOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** What a preview looks at may be hidden from the account: then a warning says so, once, and nothing is refused. */

const stage = await sharedStage();
const { nextRun, said, warnings } = runsOf(stage);
const { vpcId, subnetId } = await makeNetwork(stage);
const registryId = await makeRegistry(stage, "acme-here");

const hidden: readonly (readonly [action: string, type: string, args: Props, says: string])[] = [
  ["DescribeVpcs", "Vpc", { cidrBlock: "10.50.0.0/16" }, "could not check whether a conflicting Vpc exists"],
  [
    "DescribeInstances",
    "Cluster",
    { vpcId, subnetId, clusterCidr: "172.16.0.0/16", existingInstances: [{ instanceIds: ["ins-00000000"] }] },
    "could not check whether machine ins-00000000 exists",
  ],
  [
    "DescribeNamespaces",
    "Repository",
    { registryId, repositoryName: "web", namespaceName: "none" },
    `namespaceName: could not check whether registry ${registryId} accepts this value`,
  ],
  [
    "DescribeZones",
    "Subnet",
    { vpcId, cidrBlock: "10.0.9.0/24", zone: "eu-frankfurt-9" },
    "zone: could not check whether the platform offers this value: DescribeZones",
  ],
];

test.each(hidden)("without permission for %s, the preview of a %s warns, and refuses nothing", async (action, type, args, says) => {
  await nextRun();
  const code = "UnauthorizedOperation.AccessMgmtNoAuth";
  stage.faults.add({ operation: { action }, when: "before", code, reason: "not you" });
  expect(await said(type, args)).toBe("create");
  await expect.poll(warnings).toEqual([expect.stringContaining(`${says}: not you (`)]);
  await nextRun();
});
