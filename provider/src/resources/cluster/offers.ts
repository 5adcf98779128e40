import * as cluster from "@container-platform/sdk/cluster";
import { type Offer, oneOfList } from "../../definition/offers.ts";

/** A Kubernetes version; for an upgrade, a newer one than the cluster has, which another rule says. */
export const version = oneOfList("Kubernetes version", async (cloud) =>
  (await cloud.call(cluster.describeVersions, {})).versionInstanceSet.map((one) => one.version),
);

export const level = oneOfList("level", async (cloud) => {
  const { items } = await cloud.call(cluster.describeClusterLevelAttribute, {});
  return items.flatMap(({ name, enable }) => (enable ? [name] : []));
});

const publicImage = oneOfList("operating system", async (cloud) => {
  const { osImageSeriesSet: images } = await cloud.call(cluster.describeOsImages, {});
  return images.flatMap(({ osName, status }) => (status === "online" ? [osName] : []));
});

export const operatingSystem: Offer<unknown> = {
  ...publicImage,
  flaw: async (cloud, value, ...rest) => (String(value).startsWith("img-") ? undefined : publicImage.flaw(cloud, value, ...rest)),
};

/** Grants are for sub-accounts (specification, Authentication 7). */
export const subAccount: Offer<unknown> = {
  flaw: async (cloud, value) => {
    const account = await cloud.readings.remember("account", () => cloud.account());
    return value === account ? `${account} is the main account: it takes the id of a sub-account` : undefined;
  },
};

/** No operation tells which roles a cluster has (specification, Authentication 6). */
export const role: Offer<unknown> = {
  flaw: (_cloud, value) => {
    const name = String(value);
    const doubt = `${name} is no preset role: the grant fails unless a Role or ClusterRole of this name is in the cluster`;
    return Promise.resolve(Object.hasOwn(cluster.presetRoles, name) ? undefined : { doubt });
  },
};
