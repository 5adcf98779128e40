import * as registry from "@container-platform/sdk/registry";
import { loginComplaintOf, putImage, setImageSigning, transferComplaintOf } from "@container-platform/sdk/local";
import { expect } from "vitest";
import { z } from "zod";
import { inSection, type Proof } from "../proof.ts";
import { type Body, networkIn, openRegistry, refusalOf, refuses, registryIn, type Stage } from "../proof-stage.ts";

const service = inSection("What the service does");
const resources = inSection("Resources and their fields / Registry resources");
const states = inSection("States and transitions / State values");
const transitions = inSection("States and transitions / Transitions");
const operations = inSection("Endpoints / Registry service operations (registry)");
const authentication = inSection("Authentication");
const events = inSection("Events");
const errors = inSection("Errors");
const limits = inSection("Limits");

const manyOperations =
  "ModifyNamespace, CreateServiceAccount, ModifyServiceAccount, ManageReplication, CreateTagRetentionRule, ModifyTagRetentionRule";

const hour = 3600;

async function statusOf({ cloud }: Stage, registryId: string) {
  return (await cloud.call(registry.describeInstanceStatus, { registryIds: [registryId] })).registryStatusSet[0];
}

async function recordOf({ cloud }: Stage, registryId: string) {
  return (await cloud.call(registry.describeInstances, { registryIds: [registryId] })).registries[0];
}

/** An image of the repository `web` of the namespace `team`, as a push puts it there. */
function push({ world, region }: Stage, registryId: string, version: string, given: Partial<Parameters<typeof putImage>[1]> = {}) {
  return putImage(world, { region, registryId, namespace: "team", repository: "web", version, ...given });
}

async function versionsIn({ cloud }: Stage, registryId: string, namespaceName = "team"): Promise<string[]> {
  const { imageInfoList } = await cloud.call(registry.describeImages, { registryId, namespaceName, repositoryName: "web" });
  return imageInfoList.map(({ imageVersion }) => imageVersion);
}

async function namespaceOf({ cloud }: Stage, registryId: string, namespaceName = "team") {
  return (await cloud.call(registry.describeNamespaces, { registryId, namespaceName })).namespaceList[0];
}

const severities = ["low", "medium", "high"] as const;
const severe = { cveId: "CVE-2026-12345", severity: "high" as const };

export const registryProofs: readonly Proof[] = [
  {
    title: "a registry has an ID, a status, a public domain, and an internal address after a VPC is connected",
    shows: [...resources("Registry instance"), ...operations("DescribeInstances", "DescribeInternalEndpoints"), ...service("rule 2")],
    run: async (stage) => {
      const { cloud } = stage;
      const network = await networkIn(stage);
      const registryId = await registryIn(stage);
      const other = await registryIn(stage, "acme-charts");
      const read = () => stage.send("registry", "DescribeInstances", { Registryids: [registryId] });
      expect(await stage.send("registry", "DescribeInstances", { Registryids: [registryId, other] })).toMatchObject({
        TotalCount: 2,
        Registries: [{ RegistryId: registryId }, { RegistryId: other }],
      });
      expect(await read()).toMatchObject({
        TotalCount: 1,
        Registries: [
          { RegistryId: registryId, Status: "Running", PublicDomain: expect.stringMatching(/^acme-images\./), InternalEndpoint: "" },
        ],
      });
      await refuses(stage.send("registry", "DescribeInstances", { RegistryIds: [registryId] }), "InvalidParameter");
      await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Create", ...network });
      expect(await stage.send("registry", "DescribeInternalEndpoints", { RegistryId: registryId })).toMatchObject({ TotalCount: 0 });
      stage.pass(0.8);
      const { InternalEndpoint, TotalCount } = await stage.send("registry", "DescribeInternalEndpoints", { RegistryId: registryId });
      expect({ InternalEndpoint, TotalCount }).toEqual({ InternalEndpoint: [expect.stringMatching(/^10\.0\.0\./)], TotalCount: 1 });
      expect(await read()).toMatchObject({ Registries: [{ InternalEndpoint: expect.stringMatching(/^10\.0\.0\./) }] });
      expect(await stage.send("registry", "DescribeInternalEndpoints", { RegistryId: other })).toMatchObject({ TotalCount: 0 });
    },
  },
  {
    title: "a registry is Pending, Deploying, then Running within 3 to 5 minutes, and Deleting during its deletion; never Creating",
    shows: [
      ...states("Registry instance, Status"),
      ...inSection("States and transitions / Transitions")("paragraph 1"),
      ...operations("DescribeInstanceStatus"),
      ...service("rule 2"),
      ...limits("registry instance transient wait"),
    ],
    run: async (stage) => {
      const { cloud, world } = stage;
      world.setTimeScale("realistic");
      const { registryId } = await cloud.call(registry.createInstance, { registryName: "acme-images", registryType: "basic" });
      const seen: [number, string | undefined][] = [];
      for (const minute of [0, 1, 2, 3, 5]) {
        seen.push([minute, (await statusOf(stage, registryId))?.status]);
        stage.pass(minute === 3 ? 120 : 60);
      }
      expect(seen).toEqual([
        [0, "Pending"],
        [1, "Deploying"],
        [2, "Deploying"],
        [3, "Deploying"],
        [5, "Running"],
      ]);
      expect(await statusOf(stage, registryId)).toMatchObject({ conditions: [{ type: "Create", status: "Succeeded", reason: "" }] });
      expect(registry.registryStatuses).not.toContain("Creating");
      await cloud.call(registry.deleteInstance, { registryId });
      expect(await statusOf(stage, registryId)).toMatchObject({ status: "Deleting", conditions: [{ reason: expect.stringMatching(/./) }] });
      stage.pass(60);
      expect(await statusOf(stage, registryId)).toBeUndefined();
    },
  },
  {
    title: "a registry that is Deploying for over an hour has its state and start time",
    shows: limits("registry instance transient wait"),
    run: async (stage) => {
      stage.faults.add({ resourceType: "registry", endState: "Deploying", reason: "the storage does not come" });
      const since = stage.world.now();
      const { registryId } = await stage.cloud.call(registry.createInstance, { registryName: "acme-images", registryType: "basic" });
      stage.pass(hour + 1);
      expect(await statusOf(stage, registryId)).toMatchObject({
        status: "Deploying",
        conditions: [{ type: "Create", status: "Processing", reason: expect.stringMatching(/./) }],
      });
      const [record] = (await stage.cloud.call(registry.describeInstances, {})).registries;
      expect(Date.parse(record?.createdAt ?? "")).toBe(Math.floor(since / 1000) * 1000);
    },
  },
  {
    title: "a new token is returned with user, secret, expiry and ID; a list of tokens has IDs and enabled states",
    shows: [...resources("Token"), ...operations("CreateInstanceToken", "DescribeInstanceToken"), ...states("Registry token, Enabled")],
    run: async (stage) => {
      const registryId = await registryIn(stage);
      const create = (TokenType: string) =>
        stage.send("registry", "CreateInstanceToken", { RegistryId: registryId, TokenType, Desc: "pipeline" });
      const [temporary, lasting] = [await create("temp"), await create("longterm")];
      for (const told of [temporary, lasting]) {
        expect(told).toMatchObject({ Username: expect.stringMatching(/^\d+$/), Token: expect.stringMatching(/.{20}/) });
        const until = z.int().parse(told["ExpTime"]);
        expect(until).toBeGreaterThan(stage.world.now());
      }
      expect(temporary["Token"]).not.toBe(lasting["Token"]);
      const { TokenId, ExpTime } = lasting;
      expect([temporary["TokenId"], TokenId]).toEqual(["", expect.stringMatching(/^token-/)]);
      const list = await stage.send("registry", "DescribeInstanceToken", { RegistryId: registryId });
      expect(list).toMatchObject({ TotalCount: 1, Tokens: [{ Id: TokenId, Enabled: true, Desc: "pipeline", ExpiredAt: ExpTime }] });
      expect(list).not.toHaveProperty("Tokens.0.Token");
      await refuses(create("forever"), "InvalidParameter");
    },
  },
  {
    title: "a temporary token is valid for an hour; then the container client gets unauthorized",
    shows: [
      ...limits("temporary registry token lifetime"),
      ...authentication("rule 8"),
      ...errors("container client unauthorized"),
      ...operations("rule 1"),
    ],
    run: async (stage) => {
      const { registryId, server, from } = await openRegistry(stage);
      const {
        username,
        token: password,
        expTime,
      } = await stage.cloud.call(registry.createInstanceToken, { registryId, tokenType: "temp" });
      expect(expTime - stage.world.now()).toBe(hour * 1000);
      const login = (given: object = {}) => loginComplaintOf(stage.world, { server, from, username, password, ...given });
      expect(login()).toBeUndefined();
      expect(login({ password: "wrong" })).toBe("unauthorized");
      expect(login({ username: "nobody" })).toBe("unauthorized");
      await push(stage, registryId, "1.0.0");
      const image = { namespace: "team", repository: "web", version: "1.0.0", doing: "pull" as const };
      const pull = (user?: { username: string; password: string }) =>
        transferComplaintOf(stage.world, { server, from, ...image, ...(user && { user }) });
      expect([pull({ username, password }), pull()]).toEqual([undefined, "unauthorized"]);
      stage.pass(hour - 1);
      expect(login()).toBeUndefined();
      stage.pass(1);
      expect([login(), pull({ username, password })]).toEqual(["unauthorized", "unauthorized"]);
    },
  },
  {
    title: "a long-term token can be disabled, enabled and deleted; a temporary token cannot",
    shows: [
      ...operations("ModifyInstanceToken", "DeleteInstanceToken"),
      ...transitions("token Enabled=false, ModifyInstanceToken with Enable=true"),
      ...errors("container client unauthorized"),
      ...states("Registry token, Enabled"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const { registryId, server, from } = await openRegistry(stage);
      const { username, token: password, tokenId } = await cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm" });
      const login = () => loginComplaintOf(stage.world, { server, from, username, password });
      const enable = (wish: boolean) => cloud.call(registry.modifyInstanceToken, { registryId, tokenId, enable: wish });
      const enabled = async () => (await cloud.call(registry.describeInstanceToken, { registryId })).tokens.map((token) => token.enabled);
      expect(login()).toBeUndefined();
      await enable(false);
      expect([login(), await enabled()]).toEqual(["unauthorized", [false]]);
      await enable(true);
      expect([login(), await enabled()]).toEqual([undefined, [true]]);
      await cloud.call(registry.deleteInstanceToken, { registryId, tokenId });
      expect([login(), await enabled()]).toEqual(["unauthorized", []]);
      await cloud.call(registry.createInstanceToken, { registryId, tokenType: "temp" });
      for (const call of [
        cloud.call(registry.modifyInstanceToken, { registryId, tokenId: "", enable: false }),
        cloud.call(registry.deleteInstanceToken, { registryId, tokenId: "" }),
      ])
        await refuses(call, "ResourceNotFound.TcrResourceNotFound");
    },
  },
  {
    title: "the public endpoint opens and closes; its whitelist exists only while the endpoint is Opened",
    shows: [
      ...transitions(
        "public endpoint Closed, ManageExternalEndpoint with Operation=Create",
        "public endpoint Opened, ManageExternalEndpoint with Operation=Delete",
      ),
      ...states("Registry public endpoint, Status"),
      ...operations("DescribeExternalEndpointStatus", "ManageExternalEndpoint", "DescribeSecurityPolicies"),
      ...errors("ResourceNotFound"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const registryId = await registryIn(stage);
      const status = async () => (await cloud.call(registry.describeExternalEndpointStatus, { registryId })).status;
      const manage = (operation: "Create" | "Delete", of = registryId) =>
        cloud.call(registry.manageExternalEndpoint, { registryId: of, operation });
      const list = () => cloud.call(registry.describeSecurityPolicies, { registryId });
      const closed = { code: "ResourceNotFound", reason: expect.stringContaining("failed to get security group id") };
      expect(await status()).toBe("Closed");
      expect(await refusalOf(list())).toMatchObject(closed);
      for (let time = 0; time < 2; time++) await manage("Create");
      expect(await status()).toBe("Opening");
      await refuses(manage("Delete"), "InternalError.ErrorConflict");
      stage.pass(0.8);
      expect(await status()).toBe("Opened");
      expect((await list()).securityPolicySet).toEqual([]);
      const office = { cidrBlock: "203.0.113.7/32", description: "office" };
      await cloud.call(registry.createSecurityPolicy, { registryId, ...office });
      expect((await list()).securityPolicySet).toMatchObject([{ policyIndex: 0, ...office }]);
      for (let time = 0; time < 2; time++) await manage("Delete");
      expect(await status()).toBe("Deleting");
      await refuses(manage("Create"), "InternalError.ErrorConflict");
      stage.pass(0.5);
      expect(await status()).toBe("Closed");
      expect(await refusalOf(list())).toMatchObject(closed);
      await manage("Create");
      stage.pass(0.8);
      expect((await list()).securityPolicySet).toEqual([]);
      const { registryId: late } = await cloud.call(registry.createInstance, { registryName: "acme-late", registryType: "basic" });
      await refuses(manage("Create", late), "ResourceInsufficient.ErrorInstanceNotRunning");
      await refuses(stage.send("registry", "ManageExternalEndpoint", { RegistryId: registryId, Operation: "Open" }), "InvalidParameter");
    },
  },
  {
    title: "the whitelist has CIDR blocks with descriptions; other clients get 403, and 0.0.0.0/0 is not allowed",
    shows: [
      ...resources("Security policy (public whitelist)"),
      ...operations("CreateSecurityPolicy", "DescribeSecurityPolicies", "rule 3"),
      ...authentication("rule 9"),
      ...errors("HTTP 403 on push/pull"),
    ],
    run: async (stage) => {
      const { cloud } = stage;
      const { registryId, server, from } = await openRegistry(stage);
      const list = await stage.send("registry", "DescribeSecurityPolicies", { RegistryId: registryId });
      expect(list).toMatchObject({ SecurityPolicySet: [{ CidrBlock: "203.0.113.7/32", Description: "office" }] });
      const { username, token } = await cloud.call(registry.createInstanceToken, { registryId });
      await push(stage, registryId, "1.0.0");
      const user = { username, password: token };
      const transfers = (place: { clientIp: string }) =>
        (["pull", "push"] as const).map((doing) =>
          transferComplaintOf(stage.world, { server, from: place, user, doing, namespace: "team", repository: "web", version: "1.0.0" }),
        );
      const outside = { clientIp: "203.0.113.8" };
      expect([transfers(from), transfers(outside)]).toEqual([
        [undefined, undefined],
        ["403", "403"],
      ]);
      await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.8/31", description: "" });
      expect(transfers(outside)).toEqual([undefined, undefined]);
      const everyone = stage.send("registry", "CreateSecurityPolicy", { RegistryId: registryId, CidrBlock: "0.0.0.0/0", Description: "" });
      await refuses(everyone, "InvalidParameter");
      await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Delete" });
      stage.pass(0.5);
      expect(transfers(from)).toEqual(["timeout", "timeout"]);
    },
  },
  {
    title: "a namespace is public or private, blocks images by severity, and ignores the vulnerabilities of its list",
    shows: [...resources("Namespace"), ...operations("CreateNamespace", manyOperations), ...service("rule 2")],
    run: async (stage) => {
      const { cloud } = stage;
      const { registryId, server, from } = await openRegistry(stage);
      const create = (NamespaceName: string, given: Body) =>
        stage.send("registry", "CreateNamespace", { RegistryId: registryId, NamespaceName, ...given });
      const listed = async (NamespaceName: string) =>
        (await stage.send("registry", "DescribeNamespaces", { RegistryId: registryId, NamespaceName }))["NamespaceList"];
      await refuses(create("shop", {}), "MissingParameter");
      await refuses(create("shop", { IsPublic: true, Severity: "severe" }), "InvalidParameter");
      const { username, token: password } = await cloud.call(registry.createInstanceToken, { registryId });
      const pull = (namespace: string, version: string, user?: { username: string; password: string }) =>
        transferComplaintOf(stage.world, { server, from, doing: "pull", namespace, repository: "web", version, ...(user && { user }) });
      const blockedIn = async (namespace: string) => {
        for (const severity of severities)
          await push(stage, registryId, severity, { namespace, vulnerabilities: [{ cveId: `CVE-2026-1000${severity.length}`, severity }] });
        return severities.filter((severity) => pull(namespace, severity) === "blocked");
      };
      await create("shop-open", { IsPublic: true });
      expect(await blockedIn("shop-open")).toEqual([]);
      for (const [Severity, blocked] of [
        ["low", ["low", "medium", "high"]],
        ["medium", ["medium", "high"]],
        ["high", ["high"]],
      ] as const) {
        await create(`shop-${Severity}`, { IsPublic: true, Severity });
        expect(await listed(`shop-${Severity}`)).toMatchObject([
          { NamespaceName: `shop-${Severity}`, IsPublic: true, Severity, CVEWhitelistItems: [] },
        ]);
        expect([Severity, await blockedIn(`shop-${Severity}`)]).toEqual([Severity, blocked]);
      }
      const CVEWhitelistItems = [{ CVEID: severe.cveId }];
      await create("own", { IsPublic: false, Severity: "low", CVEWhitelistItems });
      expect(await listed("own")).toMatchObject([{ NamespaceName: "own", IsPublic: false, Severity: "low", CVEWhitelistItems }]);
      for (const [version, cveId] of [
        ["1.0.0", severe.cveId],
        ["2.0.0", "CVE-2026-54321"],
      ] as const)
        await push(stage, registryId, version, { namespace: "own", vulnerabilities: [{ ...severe, cveId }] });
      const known = (version: string) => pull("own", version, { username, password });
      expect([known("1.0.0"), known("2.0.0")]).toEqual([undefined, "blocked"]);
      // A private one is pulled from by who is logged in.
      expect(pull("own", "1.0.0")).toBe("unauthorized");
      const cveWhitelistItems = [{ cveId: "CVE-2026-54321" }];
      await cloud.call(registry.modifyNamespace, { registryId, namespaceName: "own", cveWhitelistItems });
      expect([known("1.0.0"), known("2.0.0")]).toEqual(["blocked", undefined]);
      expect(await listed("own")).toMatchObject([{ CVEWhitelistItems: [{ CVEID: "CVE-2026-54321" }] }]);
    },
  },
  {
    title: "namespaces are found by name, tags and image signing; another filter is InvalidParameter",
    shows: operations("DescribeNamespaces"),
    run: async (stage) => {
      const { cloud, world, region } = stage;
      const registryId = await registryIn(stage);
      await cloud.call(registry.createNamespace, {
        registryId,
        namespaceName: "shop",
        isPublic: true,
        tagSpecification: { tags: [{ key: "stage", value: "test" }] },
      });
      await cloud.call(registry.createNamespace, {
        registryId,
        namespaceName: "store",
        isPublic: true,
        tagSpecification: { tags: [{ key: "stage", value: "live" }] },
      });
      await registryIn(stage, "acme-charts");
      await setImageSigning(world, { region, registryId, namespace: "team", signed: true });
      const list = async (given: object) =>
        (await cloud.call(registry.describeNamespaces, { registryId, ...given })).namespaceList.map(({ name }) => name);
      expect(await list({})).toEqual(["team", "shop", "store"]);
      expect(await list({ namespaceName: "shop" })).toEqual(["shop"]);
      expect(await list({ filters: [{ name: "Tags", values: ["stage:test"] }] })).toEqual(["shop"]);
      expect(await list({ filters: [{ name: "Tags", values: ["stage:test", "stage:live"] }] })).toEqual(["shop", "store"]);
      expect(await list({ filters: [{ name: "Tags", values: ["stage:other"] }] })).toEqual([]);
      expect(await list({ kmsSignPolicy: true })).toEqual(["team"]);
      expect(await list({ kmsSignPolicy: false })).toEqual(["team", "shop", "store"]);
      await refuses(list({ filters: [{ name: "NamespaceName", values: ["shop"] }] }), "InvalidParameter");
      await refuses(list({ filters: [{ name: "Tags", values: ["stage"] }] }), "InvalidParameter");
    },
  },
  {
    title: "repositories and images are listed only in the registry that received them, by ImageVersion",
    shows: [...resources("Repository", "Image"), ...operations("DescribeRepositories", "DescribeImages", "rule 4")],
    run: async (stage) => {
      const registryId = await registryIn(stage);
      await push(stage, registryId, "1.0.0");
      await push(stage, registryId, "1.0.1", { repository: "wep" });
      await push(stage, await registryIn(stage, "acme-charts"), "1.0.2");
      expect(await stage.send("registry", "DescribeRepositories", { RegistryId: registryId })).toMatchObject({
        TotalCount: 2,
        RepositoryList: [
          { Name: "team/web", Namespace: "team" },
          { Name: "team/wep", Namespace: "team" },
        ],
      });
      const images = await stage.send("registry", "DescribeImages", {
        RegistryId: registryId,
        NamespaceName: "team",
        RepositoryName: "web",
      });
      expect(images).toMatchObject({ TotalCount: 1, ImageInfoList: [{ ImageVersion: "1.0.0" }] });
      expect(JSON.stringify(images)).not.toContain('"Tag"');
    },
  },
  {
    title: "a service account pushes and pulls according to its permissions, and gets 403 otherwise",
    shows: [...resources("Permission (service account)"), ...operations(manyOperations), ...errors("HTTP 403 on push/pull")],
    run: async (stage) => {
      const { cloud } = stage;
      const { registryId, server, from } = await openRegistry(stage);
      await cloud.call(registry.createNamespace, { registryId, namespaceName: "shop", isPublic: false });
      const grant = (resource: string, ...actions: string[]) => ({ resource, actions });
      const create = (name: string, ...permissions: ReturnType<typeof grant>[]) =>
        cloud.call(registry.createServiceAccount, { registryId, name, permissions });
      const { name: username, password } = await create("robot", grant("team/", "reg:PullRepository"));
      const allow = (...permissions: ReturnType<typeof grant>[]) =>
        cloud.call(registry.modifyServiceAccount, { registryId, name: username, permissions });
      await push(stage, registryId, "1.0.0");
      await push(stage, registryId, "1.0.0", { namespace: "shop" });
      const transfer = (doing: "push" | "pull", namespace = "team") =>
        transferComplaintOf(stage.world, {
          server,
          from,
          user: { username, password },
          doing,
          namespace,
          repository: "web",
          version: "1.0.0",
        });
      const met = () => [transfer("pull"), transfer("push"), transfer("pull", "shop"), transfer("push", "shop")];
      expect(met()).toEqual([undefined, "403", "403", "403"]);
      await allow(grant("team/", "reg:PushRepository"));
      expect(met()).toEqual(["403", undefined, "403", "403"]);
      await allow(grant("team/", "reg:DeleteRepository"));
      expect(met()).toEqual(["403", "403", "403", "403"]);
      const every = grant("team/", "reg:PushRepository", "reg:PullRepository", "reg:DeleteRepository");
      await allow(every, grant("shop/", "reg:PullRepository"));
      expect(met()).toEqual([undefined, undefined, undefined, "403"]);
      const told = { RegistryId: registryId, EmbedPermission: true };
      expect(await stage.send("registry", "DescribeServiceAccounts", told)).toMatchObject({
        ServiceAccounts: [
          {
            Permissions: [
              { Resource: "team/", Actions: every.actions },
              { Resource: "shop/", Actions: ["reg:PullRepository"] },
            ],
          },
        ],
      });
      for (const wrong of [
        grant("team/web", "reg:PullRepository"),
        grant("team/web/", "reg:PullRepository"),
        grant("team", "reg:PullRepository"),
        grant("team/", "tcr:Pull"),
      ])
        for (const call of [create("other", wrong), allow(wrong)]) await refuses(call, "InvalidParameter");
    },
  },
  {
    title: "a retention rule keeps the newest K images, or the images of the last N days",
    shows: [...resources("RetentionRule"), ...operations(manyOperations)],
    run: async (stage) => {
      const { cloud } = stage;
      const registryId = await registryIn(stage);
      const { namespaceId = 0 } = (await namespaceOf(stage, registryId)) ?? {};
      const day = 24 * hour;
      const pushed = async (...versions: string[]) => {
        for (const version of versions) await push(stage, registryId, version);
      };
      // The newest three are of one day, so that K images and N days are not the same ones.
      await pushed("1.0.0");
      stage.pass(4 * day);
      await pushed("1.0.1", "1.0.2");
      stage.pass(hour);
      await pushed("1.0.3");
      const rule = { registryId, namespaceId, cronSetting: "manual" as const };
      const wire = { RegistryId: registryId, NamespaceId: namespaceId, CronSetting: "manual" };
      for (const RetentionRule of [
        { Key: "newest", Value: 2 },
        { Key: "latestPushedK", Value: 2.5 },
        { Key: "nDaysSinceLastPush", Value: "2" },
      ])
        await refuses(stage.send("registry", "CreateTagRetentionRule", { ...wire, RetentionRule }), "InvalidParameter");
      await cloud.call(registry.createTagRetentionRule, { ...rule, retentionRule: { key: "nDaysSinceLastPush", value: 5 } });
      const [made] = (await cloud.call(registry.describeTagRetentionRules, { registryId })).retentionPolicyList;
      const retentionId = made?.retentionId ?? 0;
      const run = async (key: "latestPushedK" | "nDaysSinceLastPush", value: number) => {
        await cloud.call(registry.modifyTagRetentionRule, { ...rule, retentionId, retentionRule: { key, value } });
        await cloud.call(registry.createTagRetentionExecution, { registryId, retentionId });
        return versionsIn(stage, registryId);
      };
      expect(await run("nDaysSinceLastPush", 5)).toEqual(["1.0.3", "1.0.2", "1.0.1", "1.0.0"]);
      expect(await run("nDaysSinceLastPush", 1)).toEqual(["1.0.3", "1.0.2", "1.0.1"]);
      stage.pass(30 * day);
      expect(await run("latestPushedK", 2)).toEqual(["1.0.3", "1.0.2"]);
      await pushed("1.1.0");
      expect(await run("nDaysSinceLastPush", 2)).toEqual(["1.1.0"]);
      const fraction = { ...wire, RetentionId: retentionId, RetentionRule: { Key: "latestPushedK", Value: 0.5 } };
      await refuses(stage.send("registry", "ModifyTagRetentionRule", fraction), "InvalidParameter");
    },
  },
  {
    title: "a replication rule copies images that match all its filters; overwriting and deleting copies are optional",
    shows: [...resources("ReplicationRule (single object, not array)"), ...operations(manyOperations), ...events("rule 2")],
    run: async (stage) => {
      const { cloud } = stage;
      const [source, target] = [await registryIn(stage, "source-images"), await registryIn(stage, "target-images")];
      const rule = { name: "mirror", destNamespace: "team", override: false, filters: [{ type: "name" as const, value: "team/web" }] };
      const manage = (given: object) =>
        cloud.call(registry.manageReplication, {
          sourceRegistryId: source,
          destinationRegistryId: target,
          rule: { ...rule, ...given },
        });
      const delivered = (version: string) => cloud.call(registry.deleteImage, { registryId: source, ...place, imageVersion: version });
      const place = { namespaceName: "team", repositoryName: "web" };
      await manage({ filters: [{ type: "resource", value: "chart" }] });
      await push(stage, source, "0.9.0");
      await refuses(versionsIn(stage, target), "ResourceNotFound.TcrResourceNotFound");
      const name = { type: "name" as const, value: "team/w*" };
      await manage({ filters: [name, { type: "tag", value: "1.*" }, { type: "resource", value: "image" }] });
      await push(stage, source, "1.0.0", { repository: "api" });
      await refuses(versionsIn(stage, target), "ResourceNotFound.TcrResourceNotFound");
      for (const version of ["1.0.0", "2.0.0", "1x0"]) await push(stage, source, version);
      expect(await versionsIn(stage, target)).toEqual(["1.0.0"]);
      const digestAt = async (registryId: string) =>
        (await cloud.call(registry.describeImages, { registryId, ...place, imageVersion: "1.0.0", exactMatch: true })).imageInfoList[0]
          ?.digest;
      const first = await digestAt(target);
      await push(stage, source, "1.0.0");
      expect(await digestAt(target)).toBe(first);
      await manage({ override: true });
      const second = await push(stage, source, "1.0.0");
      expect(await digestAt(target)).toBe(second);
      await delivered("1.0.0");
      expect(await versionsIn(stage, target)).toContain("1.0.0");
      await manage({ deletion: true });
      await push(stage, source, "3.0.0");
      await delivered("3.0.0");
      expect(await versionsIn(stage, target)).not.toContain("3.0.0");
      const list = { SourceRegistryId: source, DestinationRegistryId: target };
      const base = { Name: "mirror", DestNamespace: "team", Override: true, Deletion: false };
      for (const [Rule, code] of [
        [[{ ...base, Filters: [{ Type: "name", Value: "" }] }], "InvalidParameter"],
        [base, "MissingParameter"],
        [{ ...base, Filters: [] }, "InvalidParameter.ErrorTcrInvalidParameter"],
        [{ ...base, Filters: [{ Type: "size", Value: "" }] }, "InvalidParameter"],
      ] as const)
        await refuses(stage.send("registry", "ManageReplication", { ...list, Rule }), code);
    },
  },
  {
    title: "the registry accepts one tag specification, with the resource type instance by default",
    shows: resources("TagSpecification (registry; single object, not array)"),
    run: async (stage) => {
      const create = (RegistryName: string, TagSpecification: Body | Body[]) =>
        stage.send("registry", "CreateInstance", { RegistryName, RegistryType: "basic", TagSpecification });
      const Tags = [{ Key: "stage", Value: "test" }];
      await create("acme-images", { Tags });
      const [record] = (await stage.cloud.call(registry.describeInstances, {})).registries;
      expect(record?.tagSpecification).toEqual({ resourceType: "instance", tags: [{ key: "stage", value: "test" }] });
      await create("acme-charts", { ResourceType: "instance", Tags });
      await refuses(create("acme-other", [{ Tags }]), "InvalidParameter");
      await refuses(create("acme-other", { ResourceType: "cluster", Tags }), "InvalidParameter");
      expect(await recordOf(stage, record?.registryId ?? "")).toMatchObject({ registryName: "acme-images" });
    },
  },
];
