import { createInstance, createNamespace, describeImages, describeInstances, describeInstanceStatus } from "../../catalogue/registry.ts";
import { createSubnet, createVpc } from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import type { TimeScale } from "../time.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "../store/world.ts";
import { putImage } from "./out-of-band.ts";

/** A world for tests of the registry service, with a stopped clock. */
export function stage({ timeScale = "fast" }: { timeScale?: TimeScale } = {}) {
  const world = World.open(":memory:", { timeScale, seed: "registry" });
  world.freeze(Date.UTC(2026, 0, 31, 12));
  const platform = new LocalPlatform(world);
  const region = "eu-frankfurt";
  const cloudIn = (place: string) => new Cloud({ transport: platform, region: place, retries: { attempts: 1, pause: 0, longest: 0 } });
  const cloud = cloudIn(region);
  return { world, platform, region, cloud, cloudIn, ...makersOf(cloud, world), ...readersOf(cloud) };
}

function makersOf(cloud: Cloud, world: World) {
  const create = async (registryName = "acme-images", at = cloud, registryType: "basic" | "premium" = "basic") =>
    (await at.call(createInstance, { registryName, registryType })).registryId;
  const running = async (...given: Parameters<typeof create>) => {
    const registryId = await create(...given);
    world.advance(2000);
    return registryId;
  };
  const withNamespace = async (namespaceName = "team") => {
    const registryId = await running();
    await cloud.call(createNamespace, { registryId, namespaceName, isPublic: false });
    return registryId;
  };
  const push = (
    registryId: string,
    version: string,
    given: { namespace?: string; repository?: string; pushedAt?: number; digest?: string } = {},
  ) => putImage(world, { region: cloud.region, registryId, namespace: "team", repository: "web", version, ...given });
  const network = async () => {
    const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
    const asked = { vpcId, subnetName: "s", cidrBlock: "10.0.0.0/24", zone: `${cloud.region}-1` };
    return { vpcId, subnetId: (await cloud.call(createSubnet, asked)).subnet.subnetId };
  };
  return { create, running, withNamespace, push, network };
}

function readersOf(cloud: Cloud) {
  const statusOf = async (registryId: string) =>
    (await cloud.call(describeInstanceStatus, { registryIds: [registryId] })).registryStatusSet[0];
  const recordOf = async (registryId: string) => (await cloud.call(describeInstances, { registryIds: [registryId] })).registries[0];
  const versionsOf = async (registryId: string, { namespaceName = "team", repositoryName = "web", at = cloud } = {}) =>
    (await at.call(describeImages, { registryId, namespaceName, repositoryName, limit: 100 })).imageInfoList.map(
      ({ imageVersion }) => imageVersion,
    );
  return { statusOf, recordOf, versionsOf };
}
