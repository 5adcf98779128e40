import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import { type Offer, oneOfList } from "../../definition/offers.ts";

export const region = oneOfList({
  noun: "region",
  from: "DescribeRegions",
  read: async (cloud) => (await cloud.call(cluster.describeRegions, {})).regionInstanceSet.map(({ regionName }) => regionName),
});

/** How `CheckInstanceName` says that a name is reserved. */
const reserved = 2;

export const unreservedName: Offer<unknown> = {
  takes: "a name that the platform has not reserved",
  reads: ["<value> is reserved by the platform: take another name"],
  from: "CheckInstanceName",
  flaw: async (cloud, value) => {
    const registryName = String(value);
    const { detailCode } = await cloud.call(registry.checkInstanceName, { registryName });
    return detailCode === reserved ? `${JSON.stringify(registryName)} is reserved by the platform: take another name` : undefined;
  },
};

export const future: Offer<unknown> = {
  takes: "a moment in the future",
  reads: ["takes a moment in the future, not <value>: it is <time> now"],
  from: "the platform's time",
  flaw: (cloud, value) => {
    const isPast = Date.parse(String(value)) <= cloud.now();
    const now = new Date(cloud.now()).toISOString();
    return Promise.resolve(isPast ? `takes a moment in the future, not ${String(value)}: it is ${now} now` : undefined);
  },
};
