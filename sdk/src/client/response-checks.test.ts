import { expect, test } from "vitest";
import { describeClusters } from "../catalogue/cluster.ts";
import { describeNamespaces, describeRepositories } from "../catalogue/registry.ts";
import { describeRouteTables, describeSubnets } from "../catalogue/vpc.ts";
import { vpcFinder } from "../finders/vpc.ts";
import type { JsonObject } from "../operation/codec.ts";
import { PlatformError } from "../operation/errors.ts";
import type { Transport } from "../transport/transport.ts";
import { Cloud } from "./client.ts";
import { contradictionIn } from "./response-checks.ts";

const named = (name: string, namespaceId: number) => ({ name, namespaceId });
const subnet = (id: string) => ({ subnetId: id });

/** A platform that answers these bodies, one after the other, and the last one from then on. */
function answering(...bodies: readonly JsonObject[]) {
  const calls: JsonObject[] = [];
  const transport: Transport = {
    send: ({ body }) => {
      calls.push(body);
      const answer = bodies[Math.min(calls.length, bodies.length) - 1] ?? {};
      return Promise.resolve({ requestId: `request-${calls.length}`, time: 0, body: answer });
    },
    whoAmI: () => Promise.resolve({ account: "", time: 0, requestId: "" }),
    close: () => Promise.resolve(),
  };
  return { calls, cloud: new Cloud({ transport, region: "eu-frankfurt", retries: { attempts: 3, pause: 1, longest: 1 } }) };
}

const found = (asked: Promise<unknown>) => asked.then(String, (error: unknown) => (error instanceof PlatformError ? error : undefined));

test("a list with fewer items than its total is asked for again, and then refused: what it lacks is not gone", async () => {
  const { calls, cloud } = answering({ TotalCount: 1, Clusters: [] });
  expect(await found(cloud.all(describeClusters, { clusterIds: ["cls-a"] }))).toMatchObject({
    code: "InternalError",
    kind: "transient",
    requestId: "request-3",
    reason: expect.stringContaining('TotalCount is 1, but Clusters has 0; asked was {"ClusterIds":["cls-a"],"Limit":100}'),
  });
  expect(calls).toHaveLength(3);
});

test("a finder takes an answer that contradicts itself neither for gone nor for good", async () => {
  const { cloud } = answering({ TotalCount: 1, VpcSet: [] });
  expect(await found(vpcFinder.find(cloud, "vpc-1"))).toMatchObject({ kind: "transient" });
  const passing = answering({ TotalCount: 1, VpcSet: [] }, { TotalCount: 0, VpcSet: [] });
  expect(await vpcFinder.find(passing.cloud, "vpc-1")).toBeUndefined();
  expect(passing.calls).toHaveLength(2);
});

test.each([
  ["fewer than the ids", describeSubnets, { subnetIds: ["a", "b"], limit: 100 }, { totalCount: 2, subnetSet: [subnet("a")] }],
  ["an empty id", describeRouteTables, {}, { totalCount: 1, routeTableSet: [{ vpcId: "", routeTableId: "" }] }],
  ["an empty name", describeNamespaces, { registryId: "a" }, { totalCount: 1, namespaceList: [{ namespaceName: "", name: "" }] }],
  ["one name twice", describeNamespaces, { registryId: "a" }, { totalCount: 2, namespaceList: [named("a", 1), named("a", 2)] }],
  ["nothing on a page where something is", describeSubnets, { offset: "100", limit: "100" }, { totalCount: 150, subnetSet: [] }],
  ["not all, although all is asked for", describeNamespaces, { registryId: "a", all: true }, { totalCount: 2, namespaceList: [{}] }],
  ["a numbered page that is short", describeRepositories, { registryId: "a", limit: 2 }, { totalCount: 3, repositoryList: [{}] }],
  ["the same one twice, for two", describeSubnets, { subnetIds: ["a", "b"] }, { totalCount: 2, subnetSet: [subnet("a"), subnet("a")] }],
  ["the same one twice in a list", describeSubnets, {}, { totalCount: 2, subnetSet: [subnet("a"), { ...subnet("a"), vpcId: "b" }] }],
  [
    "the same namespace twice",
    describeNamespaces,
    { registryId: "a", all: true },
    { totalCount: 2, namespaceList: [{ name: "a" }, { name: "a" }] },
  ],
  ["a last page that is short", describeRepositories, { registryId: "a", offset: 2, limit: 2 }, { totalCount: 4, repositoryList: [{}] }],
])("%s: a contradiction", (_what, operation, input, answer) => {
  expect(contradictionIn(operation, input, answer)).toMatch(/This answer is not used/);
});

test.each([
  ["what is gone", describeSubnets, { subnetIds: ["a"] }, { totalCount: 0, subnetSet: [] }],
  [
    "some of the ids, others being gone",
    describeSubnets,
    { subnetIds: ["a", "b"], limit: 100 },
    { totalCount: 1, subnetSet: [subnet("b")] },
  ],
  ["a page that is smaller than asked for", describeSubnets, { limit: "100" }, { totalCount: 80, subnetSet: [subnet("a")] }],
  ["a page behind the end", describeSubnets, { offset: "100", limit: "100" }, { totalCount: 90, subnetSet: [] }],
  ["no total", describeSubnets, {}, { subnetSet: [] }],
  ["more than the total", describeSubnets, {}, { totalCount: 0, subnetSet: [subnet("a")] }],
  ["no ids", describeSubnets, { subnetIds: [] }, { totalCount: 1, subnetSet: [subnet("a")] }],
  ["the last numbered page", describeRepositories, { registryId: "a", offset: 2, limit: 2 }, { totalCount: 3, repositoryList: [{}] }],
  ["a numbered page of unknown size", describeRepositories, { registryId: "a", offset: 2 }, { totalCount: 30, repositoryList: [] }],
])("%s: no contradiction", (_what, operation, input, answer) => {
  expect(contradictionIn(operation, input, answer)).toBeUndefined();
});
