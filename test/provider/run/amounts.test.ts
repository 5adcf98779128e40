import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { type Props, unknown } from "../../support/structs.ts";
import { makeSubnet, makeVpc } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** What there has to be enough of, for all resources of a program together. */

const stage = await sharedStage();
const { nextRun, said, warnings } = runsOf(stage);
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const small = await makeSubnet(stage, vpcId, "10.0.0.0/28");
const large = await makeSubnet(stage, vpcId, "10.0.16.0/20");
const gr = (subnetId: string, index: number) => ({ vpcId, subnetId, clusterCidr: `172.${index + 16}.0.0/20` });

test("the third cluster of one small subnet is refused, whether that is there or still to be made", async () => {
  await nextRun();
  const preview = (name: string, args: Props, of: Props = {}) => said("Cluster", args, { __of: of }, name);
  expect(await preview("a", gr(small, 1))).toBe("create");
  expect(await preview("b", gr(small, 2))).toBe("create");
  expect(await preview("elsewhere", gr(large, 3))).toBe("create");
  expect(await preview("c", gr(small, 4))).toBe(
    `subnetId: ${small} has 13 free IP addresses. "a" and "b" of this program use 4, and a Cluster needs at least 10. Use another or a larger subnet`,
  );
  await nextRun();
  const of = { subnetId: urnOf("Subnet", "new") };
  await said("Subnet", { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.1.0/28" }, {}, "new");
  for (const [index, name] of ["a", "b"].entries()) await preview(name, { ...gr(small, index), subnetId: unknown }, of);
  expect(await preview("c", { ...gr(small, 4), subnetId: unknown }, of)).toContain('subnetId: "new" has 13 free IP addresses');
});

test("what is made already counts once, and what is there takes no more", async () => {
  await nextRun();
  await using a = await stage.deployed("Cluster", gr(small, 1), "a");
  await using b = await stage.deployed("Cluster", gr(small, 2), "b");
  expect(await said("Cluster", gr(small, 3), {}, "c")).toContain(`${small} has 9 free IP addresses, and a Cluster needs at least 10`);
  await nextRun();
  expect(await a.preview(gr(small, 1))).toBe("nothing");
  expect(await b.preview({ ...gr(small, 2), clusterDescription: "other" })).toBe("update");
});

test("more clusters than a region takes by default are warned of, because no operation tells an account's quota", async () => {
  await nextRun();
  const make = async (clusterCidr: string) =>
    (
      await stage.cloud.call(cluster.createCluster, {
        vpcId,
        subnetId: large,
        clusterCidrSettings: { clusterCidr, ignoreClusterCidrConflict: true },
      })
    ).clusterId;
  for (let index = 0; index < 19; index++)
    await stage.before(
      () => make(`172.${index + 5}.0.0/20`),
      (clusterId) => stage.cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode: "terminate" }),
    );
  expect(await said("Cluster", { ...gr(large, 1), clusterCidr: "192.168.0.0/20" }, {}, "a")).toBe("create");
  expect(warnings()).toEqual([]);
  expect(await said("Cluster", { ...gr(large, 1), clusterCidr: "192.168.16.0/20" }, {}, "b")).toBe("create");
  await expect
    .poll(warnings)
    .toEqual([
      "with this program, eu-frankfurt would have more than 20 Clusters, the default quota. Unless your account has a higher one, the API rejects the last with LimitExceeded. Delete unused Clusters, or request a higher quota",
    ]);
  await stage.undoLast(19);
});
