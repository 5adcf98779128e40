import { connect } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { accessKeyOf } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { expect, test } from "vitest";
import { Deployment } from "../support/deployment.ts";
import type { Runs } from "../support/host.ts";
import { ProviderHere } from "../support/provider-here.ts";
import { makeGrCluster, makeSubnet, makeVpc } from "../provider/stage/outside.ts";
import { sharedStage } from "../provider/stage/shared-stage.ts";
import { region } from "../provider/stage/stage.ts";

/** Several providers that work in one account at the same time, as those of several stacks do. */

const stage = await sharedStage();
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const clusterId = await makeGrCluster(stage, vpcId, await makeSubnet(stage, vpcId, "10.0.0.0/20"));
const users = ["100000000002", "100000000003", "100000000004"] as const;

async function grants(): Promise<readonly string[]> {
  const found = users.map(async (targetUin) => {
    const { permissions } = await stage.cloud.call(cluster.describeUserPermissions, { targetUin });
    return permissions.map(({ namespace }) => `${targetUin} ${namespace}`);
  });
  return (await Promise.all(found)).flat().toSorted();
}

test("two stacks give and take permissions of the same users on a busy platform, and none is lost, nor one that was given by hand", async () => {
  const permission = (namespace: string) => ({ clusterId, roleName: "svc:ns:dev", roleType: "namespace", namespace }) as const;
  for (const targetUin of users) await stage.cloud.call(cluster.grantUserPermissions, { targetUin, permissions: [permission("by-hand")] });
  const namespaces = (prefix: string) => Array.from({ length: 5 }, (_, index) => `${prefix}-${index}`);
  const expectGrants = async (...prefixes: readonly string[]) => {
    const all = [...prefixes.flatMap(namespaces), "by-hand"];
    expect(await grants()).toEqual(users.flatMap((uin) => all.map((one) => `${uin} ${one}`)).toSorted());
  };
  await using other = new ProviderHere(stage.world, region);
  const given = (host: Runs, prefix: string) =>
    users.flatMap((targetUin) =>
      namespaces(prefix).map((namespace) => {
        const one = new Deployment(host, "UserPermission", `${namespace}-${targetUin}`);
        return { up: () => one.up({ targetUin, ...permission(namespace) }), destroy: () => one.destroy() };
      }),
    );
  const [ours, theirs, more] = [given(stage.host, "ours"), given(other, "theirs"), given(other, "more")];
  // With a different `nth` each, so that the platform is busy now and then.
  for (let nth = 1; nth <= 6; nth++)
    stage.faults.add({ operation: cluster.grantUserPermissions, when: "before", code: "ResourceInUse", nth });
  const calls = await stage.writes(() => Promise.all([...ours, ...theirs].map(({ up }) => up())));
  expect(calls.filter((call) => call.endsWith("ResourceInUse"))).toHaveLength(6);
  await expectGrants("ours", "theirs");
  await Promise.all([...ours.map(({ destroy }) => destroy()), ...more.map(({ up }) => up())]);
  await expectGrants("theirs", "more");
  await Promise.all([...theirs, ...more].map(({ destroy }) => destroy()));
  await expectGrants();
  for (const targetUin of users) await stage.cloud.call(cluster.grantUserPermissions, { targetUin, permissions: [] });
});

test("stacks that deploy in one account share its rate limit, and all succeed", async () => {
  for (const product of ["vpc", "cluster"])
    stage.faults.add({ operation: { product }, perSecond: 10, when: "before", code: "RequestLimitExceeded" });
  const server = await serve(stage.world);
  const deploy = async (_: unknown, index: number): Promise<() => Promise<void>> => {
    const transport = await connect(server.url, { credentials: accessKeyOf(stage.world) });
    const host = new ProviderHere(stage.world, region, { transport });
    const of = (type: string) =>
      new Deployment(host, type, "main", {
        __urn: `urn:pulumi:stack-${index}::laws::pulumi-nodejs:dynamic/container-platform:${type}::main`,
      });
    const [net, part, platform] = [of("Vpc"), of("Subnet"), of("Cluster")];
    await net.up({ cidrBlock: `10.${index + 1}.0.0/16` });
    await part.up({ vpcId: net.id, cidrBlock: `10.${index + 1}.0.0/20`, zone: "eu-frankfurt-1" });
    await platform.up({ vpcId: net.id, subnetId: part.id, clusterCidr: "172.16.0.0/16" });
    return async () => {
      for (const one of [platform, part, net]) await one.destroy();
      await host.end();
      await transport.close();
    };
  };
  let undo: readonly (() => Promise<void>)[] = [];
  const calls = await stage.calls(async () => {
    undo = await Promise.all(Array.from({ length: 3 }, deploy));
  });
  expect(calls.filter(({ code }) => code === "RequestLimitExceeded").length).toBeGreaterThan(0);
  for (const action of ["CreateVpc", "CreateSubnet", "CreateCluster"])
    expect(calls.filter((call) => call.action === action && call.code === "")).toHaveLength(3);
  await Promise.all(undo.map((one) => one()));
  stage.faults.clear();
  await server.close();
});
