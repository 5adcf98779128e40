import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { severities } from "../../support/host.ts";
import { type Props, unknown } from "../../support/structs.ts";
import { makeSubnet, makeVpc } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** What there has to be enough of, for all resources of a program together. */

const stage = await sharedStage();
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const small = await makeSubnet(stage, vpcId, "10.0.0.0/28");
const large = await makeSubnet(stage, vpcId, "10.0.16.0/20");
const urnOf = (type: string, name: string) => `urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:${type}::${name}`;
const preview = (type: string, name: string, args: Props, of: Props = {}) => stage.deployment(type, name, { __of: of }).preview(args);
const gr = (subnetId: string, index: number) => ({ vpcId, subnetId, clusterCidr: `172.${index + 16}.0.0/20` });

test("the third cluster of one small subnet is refused, whether that is there or still to be made", async () => {
  await stage.host.restart("SIGINT");
  expect(await preview("Cluster", "a", gr(small, 1))).toBe("create");
  expect(await preview("Cluster", "b", gr(small, 2))).toBe("create");
  expect(await preview("Cluster", "elsewhere", gr(large, 3))).toBe("create");
  await expect(preview("Cluster", "c", gr(small, 4))).rejects.toThrow(
    `subnetId: ${small} has 13 free addresses, and "a" and "b" of this program, made beside it, take 4: a Cluster needs 10 or more. Take another subnet, or a larger one`,
  );
  await stage.host.restart("SIGINT");
  const of = { subnetId: urnOf("Subnet", "new") };
  await preview("Subnet", "new", { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.1.0/28" });
  for (const [index, name] of ["a", "b"].entries()) await preview("Cluster", name, { ...gr(small, index), subnetId: unknown }, of);
  await expect(preview("Cluster", "c", { ...gr(small, 4), subnetId: unknown }, of)).rejects.toThrow(
    'subnetId: "new" has 13 free addresses',
  );
});

test("what is made already counts once, and what is there takes no more", async () => {
  await stage.host.restart("SIGINT");
  await using a = stage.deployment("Cluster", "a");
  await using b = stage.deployment("Cluster", "b");
  await a.up(gr(small, 1));
  await b.up(gr(small, 2));
  await expect(preview("Cluster", "c", gr(small, 3))).rejects.toThrow(`${small} has 9 free addresses: a cluster needs 10 or more`);
  await stage.host.restart("SIGINT");
  expect(await a.preview(gr(small, 1))).toBe("nothing");
  expect(await b.preview({ ...gr(small, 2), clusterDescription: "other" })).toBe("update");
});

test("more clusters than a region takes by default are warned of, because no operation tells an account's quota", async () => {
  await stage.host.restart("SIGINT");
  stage.host.lines.splice(0);
  for (let index = 0; index < 19; index++)
    await stage.before(
      async () =>
        (
          await stage.cloud.call(cluster.createCluster, {
            vpcId,
            subnetId: large,
            clusterCidrSettings: { clusterCidr: `172.${index + 5}.0.0/20`, ignoreClusterCidrConflict: true },
          })
        ).clusterId,
      (clusterId) => stage.cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode: "terminate" }),
    );
  const warnings = () => stage.host.lines.filter(({ severity }) => severity === severities.warning).map(({ message }) => message);
  expect(await preview("Cluster", "a", { ...gr(large, 1), clusterCidr: "192.168.0.0/20" })).toBe("create");
  expect(warnings()).toEqual([]);
  expect(await preview("Cluster", "b", { ...gr(large, 1), clusterCidr: "192.168.16.0/20" })).toBe("create");
  await expect
    .poll(warnings)
    .toEqual([
      "eu-frankfurt takes 20 Clusters by default, and with this program it has more: unless the account has a higher quota, the platform refuses the last (LimitExceeded). Delete what nobody needs, or ask for more first",
    ]);
  await stage.undoLast(19);
});
