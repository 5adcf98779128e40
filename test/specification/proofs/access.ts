import { request } from "node:http";
import * as audit from "@container-platform/sdk/audit";
import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { Cloud, connect, type GivenCredentials } from "@container-platform/sdk";
import { accessKeyOf, type NewSubAccount, putSubAccount, setAccessKey, setPermissions } from "@container-platform/sdk/local";
import { catalogue } from "@container-platform/sdk/reference";
import { serve } from "@container-platform/sdk/server";
import { expect } from "vitest";
import { inSection, type Proof } from "../proof.ts";
import { clusterIn, codeOf, networkIn, openRegistry, refuses, type Stage } from "../proof-stage.ts";

const authentication = inSection("Authentication");
const errors = inSection("Errors");
const registryRules = inSection("Endpoints / Registry service operations (registry)");

const lacking = "UnauthorizedOperation.AccessMgmtNoAuth";
const denied = "AuthFailure.UnauthorizedOperation";

async function subAccount(stage: Stage, given: Omit<NewSubAccount, "name">) {
  const uin = await putSubAccount(stage.world, { name: "user", ...given });
  return { uin, cloud: await stage.cloudOf(uin) };
}

/** A call with these credentials over HTTP, as far as it comes. */
async function codeWith(stage: Stage, url: string, credentials: GivenCredentials): Promise<string> {
  const transport = await connect(url, { credentials });
  const cloud = new Cloud({ transport, region: stage.region, retries: { attempts: 1, pause: 0, longest: 0 } });
  try {
    return await codeOf(cloud.call(vpc.describeVpcs, {}));
  } finally {
    await transport.close();
  }
}

interface Visit {
  /** A log-in, as `<user name>:<password>`. */
  readonly login?: string;
  /** The client's own address. */
  readonly from?: string;
}

/** The status that an HTTP GET of `/v2/` returns at a domain that leads to this server; `timeout` where no answer comes. */
function frontDoor(url: string, domain: string, { login, from = "127.0.0.1" }: Visit = {}): Promise<number | "timeout" | undefined> {
  const authorization = login === undefined ? {} : { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
  const asked = request(`${url}/v2/`, { headers: { host: domain, ...authorization }, localAddress: from, agent: false });
  return new Promise((resolve) => {
    asked.once("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.once("error", () => {
      resolve("timeout");
    });
    asked.end();
  });
}

export const accessProofs: readonly Proof[] = [
  {
    title: "calls require a SecretId and its SecretKey, configured before the first call",
    shows: authentication("rule 1"),
    run: async (stage) => {
      await using server = await serve(stage.world);
      const { secretId, secretKey } = accessKeyOf(stage.world);
      const code = (credentials: GivenCredentials) => codeWith(stage, server.url, credentials);
      expect(await code({ secretId, secretKey })).toBe("none");
      expect(await code({ secretId, secretKey: "other" })).toBe("AuthFailure.SignatureFailure");
      expect(await code({ secretId: "AKID0", secretKey })).toBe("AuthFailure.SecretIdNotFound");
      for (const half of [{ secretId }, { secretKey }]) await expect(code(half)).rejects.toThrow("calls are signed with both");
      await setAccessKey(stage.world, secretId, { disabled: true });
      expect(await code({ secretId, secretKey })).toBe("AuthFailure.SecretIdNotFound");
    },
  },
  {
    title: "a sub-account requires the permission for each operation; all network operations share one permission",
    shows: [...authentication("rule 2"), ...errors(lacking)],
    run: async (stage) => {
      const { uin, cloud } = await subAccount(stage, {});
      for (const operation of catalogue.filter(({ source }) => source === "specification")) {
        const { product, action } = operation;
        const ask = async (...allow: string[]) => {
          await setPermissions(stage.world, uin, { allow });
          // An empty input gets as far as permissions go: it is looked at after them.
          return codeOf(cloud.transport.send({ ...operation, region: stage.region, body: {} }));
        };
        const prefix = product === "registry" ? "reg" : product;
        const needed = product === "vpc" ? "vpc:*" : `${prefix}:${action}`;
        const other = product === "vpc" ? "cluster:*" : "vpc:*";
        expect([action, await ask(), await ask(other)]).toEqual([action, lacking, lacking]);
        for (const enough of [needed, `${prefix}:*`]) expect([action, await ask(enough)]).not.toEqual([action, lacking]);
      }
      await expect(setPermissions(stage.world, uin, { allow: ["vpc:CreateVpc"] })).rejects.toThrow("one permission for all of them");
    },
  },
  {
    title: "a rejected call of a sub-account has no effect, and its event records the caller",
    shows: authentication("rule 2"),
    run: async (stage) => {
      const { uin, cloud } = await subAccount(stage, { allow: ["cluster:*"] });
      await refuses(cloud.call(vpc.createVpc, { vpcName: "net", cidrBlock: "10.0.0.0/16" }), lacking);
      expect((await stage.cloud.call(vpc.describeVpcs, {})).totalCount).toBe(0);
      const now = Math.floor(stage.world.now() / 1000);
      const { events } = await stage.cloud.call(audit.lookUpEvents, { startTime: now - 1, endTime: now });
      const refused = events.find(({ eventName }) => eventName === "CreateVpc");
      expect(refused).toMatchObject({ username: "user", apiErrorCode: lacking });
      expect(JSON.parse(refused?.cloudAuditEvent ?? "")).toMatchObject({ Uin: uin });
    },
  },
  {
    title: "a policy denies writes to resources with a tag; it allows reads and resources with another value",
    shows: [...authentication("rule 2"), ...errors(denied)],
    run: async (stage) => {
      const { clusterId } = await clusterIn(stage);
      const tag = (value: string) => stage.cloud.call(cluster.modifyClusterTags, { clusterId, tags: [{ key: "stage", value }] });
      await tag("live");
      const deny = [{ permissions: ["cluster:*"], tag: { key: "stage", value: "live" } }];
      const { cloud } = await subAccount(stage, { allow: ["*"], deny });
      const rename = () => cloud.call(cluster.modifyClusterAttribute, { clusterId, clusterName: "two" });
      await refuses(rename(), denied);
      expect((await cloud.call(cluster.describeClusters, { clusterIds: [clusterId] })).clusters).toMatchObject([{ clusterName: "one" }]);
      await tag("trial");
      await rename();
    },
  },
  {
    title: "a kubeconfig and a registry token belong to the sub-account that requests them",
    shows: authentication("rule 2", "rule 8"),
    run: async (stage) => {
      const { clusterId } = await clusterIn(stage);
      const { registryId } = await openRegistry(stage);
      const { uin, cloud } = await subAccount(stage, { allow: ["cluster:DescribeClusterKubeconfig", "reg:CreateInstanceToken"] });
      expect((await cloud.call(cluster.describeClusterKubeconfig, { clusterId })).kubeconfig).toContain(uin);
      expect((await cloud.call(registry.createInstanceToken, { registryId })).username).toBe(uin);
      await refuses(cloud.call(registry.describeInstanceToken, { registryId }), lacking);
    },
  },
  {
    title: "GET /v2/ returns 401 without a login, 403 outside of the whitelist, and no response from a registry that is not ready",
    shows: [...registryRules("rule 2", "rule 3"), ...errors("HTTP 401 on {registry_domain}/v2/", "container client unauthorized")],
    run: async (stage) => {
      const { cloud } = stage;
      const { registryId, server: domain } = await openRegistry(stage);
      await using server = await serve(stage.world);
      const visit = (asked: Visit = {}) => frontDoor(server.url, domain, asked);
      expect(await visit()).toBe(403);
      await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "127.0.0.1/32", description: "here" });
      expect([await visit(), await visit({ from: "127.0.0.2" })]).toEqual([401, 403]);
      const { username, token, tokenId } = await cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm" });
      const login = `${username}:${token}`;
      expect([await visit({ login }), await visit({ login: `${username}:wrong` })]).toEqual([200, 401]);
      await cloud.call(registry.modifyInstanceToken, { registryId, tokenId, enable: false });
      expect(await visit({ login })).toBe(401);
      expect(await frontDoor(server.url, domain.replace("acme-", "other-"))).toBe("timeout");
      await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Delete" });
      stage.pass(0.5);
      expect(await visit()).toBe("timeout");
    },
  },
  {
    title: "a call without a version uses 2018-05-25 in the cluster service or else the newest, and the only version in other services",
    shows: inSection("Versioning")("rule 1", "rule 4"),
    run: async (stage) => {
      const { subnetId, vpcId } = await networkIn(stage);
      const codes = async (product: (typeof catalogue)[number]["product"], action: string, body = {}) =>
        codeOf(stage.send(product, action, body, ""));
      // Only the older version has the parameter.
      expect(await codes("cluster", "DescribeClusterInstances", { ClusterId: "cls-00000000", InstanceRole: "WORKER" })).toBe(
        "ResourceNotFound",
      );
      expect(await codes("cluster", "CreateNodePool")).toBe("MissingParameter");
      expect(await codes("registry", "DescribeInstances")).toBe("none");
      expect(await codes("vpc", "DescribeVpcs", { VpcIds: [vpcId] })).toBe("none");
      expect(await codes("vpc", "DeleteSubnet", { SubnetId: subnetId })).toBe("none");
      expect(await codes("compute", "DescribeZones")).toBe("none");
      expect(await codes("audit", "LookUpEvents", { StartTime: 0, EndTime: 1 })).toBe("none");
      expect(await codes("cluster", "CreateVpc")).toBe("InvalidAction");
    },
  },
];
