import { type IncomingHttpHeaders } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { describeClusters } from "../catalogue/cluster.ts";
import { permissionsOf } from "../finders/cluster.ts";
import { describeSecurityGroups, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { connect, credentialsFor, refuseEndpoint } from "./connect.ts";
import { listening } from "./listening.fixture.ts";

const region = "eu-frankfurt";
const credentials = { secretId: "AKID1", secretKey: "secret" };
const single = { attempts: 1, pause: 0, longest: 0 };

async function cloudAt(endpoint: string, given = credentials) {
  const transport = await connect(endpoint, { credentials: given, environment: {} });
  onTestFinished(() => transport.close());
  return new Cloud({ transport, region, retries: single });
}

/** A platform that answers so in the public API's form. */
async function cloudAnswering(answer: (headers: IncomingHttpHeaders) => object | undefined) {
  const url = await listening((request, response) => {
    response.end(JSON.stringify({ Response: { ...answer(request.headers), RequestId: "r" } }));
  });
  return cloudAt(`public:${url}`);
}

test("each product has its host in the domain", async () => {
  const cloud = await cloudAt("public:cloud.invalid");
  await expect(cloud.call(describeVpcs, {})).rejects.toMatchObject({
    code: "HostNotFound",
    kind: "unsent",
    reason: "the name of vpc.cloud.invalid is not known",
  });
  await expect(cloud.call(describeClusters, {})).rejects.toThrow("the name of tke.cloud.invalid is not known");
  await expect(cloud.account()).rejects.toThrow("the name of sts.cloud.invalid is not known");
});

test("a call has the headers of the public API, and answers and codes are read in the catalogue's names", async () => {
  const heard: Record<string, unknown>[] = [];
  const answers = [
    { SecurityGroupSet: [{ SecurityGroupId: "sg-1", SecurityGroupName: "a", SecurityGroupDesc: "b" }], TotalCount: 1 },
    { Error: { Code: "UnauthorizedOperation.CamNoAuth", Message: "no" } },
  ];
  const cloud = await cloudAnswering((headers) => {
    heard.push(headers);
    return answers[heard.length - 1];
  });
  const { securityGroupSet } = await cloud.call(describeSecurityGroups, {});
  expect(securityGroupSet).toMatchObject([{ securityGroupId: "sg-1", groupName: "a", groupDescription: "b" }]);
  expect(heard[0]).toMatchObject({
    "x-tc-action": "DescribeSecurityGroups",
    "x-tc-version": "2017-03-12",
    "x-tc-region": region,
    "x-tc-language": "en-US",
    authorization: expect.stringMatching(/^TC3-HMAC-SHA256 Credential=AKID1\/\d{4}-\d\d-\d\d\/vpc\/tc3_request, /),
  });
  await expect(cloud.call(describeSecurityGroups, {})).rejects.toMatchObject({ code: "UnauthorizedOperation.AccessMgmtNoAuth" });
});

test("permissions that are absent are not taken for none: they are written back as a whole", async () => {
  const cloud = await cloudAnswering(() => ({ TargetUin: "100000000002" }));
  await expect(permissionsOf(cloud, "100000000002")).rejects.toThrow("DescribeUserPermissions answers: Permissions");
});

test("permissions that are null are none: the public API's pages say that they may be", async () => {
  const cloud = await cloudAnswering(() => ({ TargetUin: "100000000002", Permissions: null }));
  expect(await permissionsOf(cloud, "100000000002")).toMatchObject([]);
});

test.each([
  ["public", "the environment (TENCENTCLOUD_…)"],
  ["public:internal.tencentcloudapi.com", "the environment (TENCENTCLOUD_…)"],
  ["public:TENCENTCLOUDAPI.COM", "the environment (TENCENTCLOUD_…)"],
  ["public:cloud.example", undefined],
  ["public:nottencentcloudapi.com", undefined],
  ["public:https://vpc.tencentcloudapi.com.example", undefined],
  ["public:https://tencentcloudapi.com", undefined],
  ["https://tencentcloudapi.com", undefined],
])("keys of the public API's clients sign for its own hosts alone: %s", async (endpoint, place) => {
  const environment = { TENCENTCLOUD_SECRET_ID: "AKID1", TENCENTCLOUD_SECRET_KEY: "hush" };
  const search = await credentialsFor(endpoint, { environment });
  expect(search?.taken?.place).toBe(place);
  if (place === undefined) await expect(connect(endpoint, { environment })).rejects.toThrow("no credentials are configured for");
});

test.each(["public:", "public:cloud", "public:https://", "public:https://a:b@cloud.example", "public:ftp://cloud.example", "public:a b.c"])(
  "%j is no endpoint",
  (endpoint) => {
    expect(() => refuseEndpoint(endpoint)).toThrow(/endpoint/);
  },
);

test.each(["public", "public:internal.cloud.example", "public:http://127.0.0.1:4600"])("%j is an endpoint", refuseEndpoint);
