import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import { unknown } from "../../support/structs.ts";
import { makeInstance, makeSubnet, makeVpc } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** A resource that lets another one go, which is to be deleted before it is made anew, and then is not. */

const stage = await sharedStage();
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const zone = "eu-frankfurt-1";

test("if the deletion fails, the state stays true: what was detached is attached again", async () => {
  const subnet = await stage.deployed("Subnet", { vpcId, cidrBlock: "10.0.1.0/24", zone }, "links", { __timeouts: { delete: "1s" } });
  const images = stage.deployment("RegistryInstance", "images");
  const args = (subnetId: unknown) => ({ registryName: "acme-images", deleteBucket: true, internalAccess: [{ vpcId, subnetId }] });
  await images.up(args(subnet.id));
  const instanceId = await makeInstance(stage, vpcId, subnet.id);
  await stage.host.restart("SIGINT");
  // As the engine asks when the subnet goes before its replacement is made.
  expect(await images.preview(args(unknown))).toBe("update");
  const writes = await stage.writes(async () => {
    await expect(subnet.destroy()).rejects.toThrow(instanceId);
  });
  expect(writes.filter((action) => action.startsWith("ManageInternalEndpoint"))).toHaveLength(2);
  const { accessVpcSet } = await stage.cloud.call(registry.describeInternalEndpoints, { registryId: images.id });
  expect(accessVpcSet).toMatchObject([{ vpcId, subnetId: subnet.id }]);
  await stage.host.restart("SIGINT");
  await images.refresh();
  expect(await images.preview(args(subnet.id))).toBe("nothing");
  await images.destroy();
  await stage.undoLast(1);
  await subnet.destroy();
});

test("what had not to let go is left as it is, however somebody else has changed it", async () => {
  const links = await stage.deployed("Subnet", { vpcId, cidrBlock: "10.0.1.0/24", zone }, "links");
  const other = await stage.deployed("Subnet", { vpcId, cidrBlock: "10.0.2.0/24", zone }, "other", { __timeouts: { delete: "1s" } });
  const args = (subnetId: unknown) => ({ registryName: "acme-kept", deleteBucket: true, internalAccess: [{ vpcId, subnetId }] });
  const images = await stage.deployed("RegistryInstance", args(links.id), "images");
  const farVpc = await makeVpc(stage, "10.1.0.0/16");
  const farSubnet = await makeSubnet(stage, farVpc, "10.1.0.0/24");
  const access = { registryId: images.id, operation: "Create", vpcId: farVpc, subnetId: farSubnet } as const;
  await stage.cloud.call(registry.manageInternalEndpoint, access);
  await makeInstance(stage, vpcId, other.id);
  await stage.host.restart("SIGINT");
  expect(await images.preview(args(unknown))).toBe("update");
  const writes = await stage.writes(async () => {
    await expect(other.destroy()).rejects.toThrow(other.id);
  });
  expect(writes.filter((action) => !action.startsWith("DeleteSubnet"))).toEqual([]);
  await stage.host.restart("SIGINT");
  await images.destroy();
  await stage.undoLast(3);
  await other.destroy();
  await links.destroy();
});
