import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import { PlatformError } from "../../operation/errors.ts";
import type { Product } from "../../operation/operation.ts";
import { waitFor } from "../../wait/waiters.ts";
import { commandOf, connectionOptions } from "../command.ts";
import { Trial, type Tried } from "./trial.ts";
import { connected } from "../connection.ts";
import { exitCodes, print, tell, UsageError } from "../run.ts";

/** What a run can be given besides its platform. */
export interface Given {
  /** A registry that is there already. Without one, the step makes one. */
  readonly registry: string | undefined;
  /** A sub-account whose permissions may be changed and put back. */
  readonly subAccount: string | undefined;
  readonly signal: AbortSignal;
}

interface Step {
  /** What it does, and what that costs. */
  readonly says: (given: Given) => string;
  readonly run: (trial: Trial, given: Given) => Promise<void>;
}

/** What everything is called that a run makes. */
const name = "cpcli-conformance";

/** The steps, in the order in which they are made: from what is harmless to what costs most. */
const steps = {
  reads: {
    says: () => "calls every operation that only reads and needs no id. Costs nothing, changes nothing",
    run: async (trial) => {
      const now = Math.floor(Date.now() / 1000);
      Object.assign(trial.known, { StartTime: now - 3600, EndTime: now, InquiryType: "INQUIRY_CBS_CONFIG" });
      await trial.readAll();
    },
  },
  network: {
    says: () => "makes a VPC 10.255.0.0/24 with one subnet and a security group, reads them, and removes them at the end. Costs nothing",
    run: makeNetwork,
  },
  namespace: {
    says: ({ registry }) =>
      registry === undefined
        ? "makes a registry of the type basic, paid by use, and a namespace in it, and removes both with the bucket. Costs some minutes of a basic registry"
        : `makes a namespace in the registry ${registry}, and removes it. Costs nothing`,
    run: makeNamespace,
  },
  cluster: {
    says: ({ subAccount }) =>
      `makes a managed cluster of the smallest level without nodes in that VPC, ${subAccount === undefined ? "" : `grants the sub-account ${subAccount} roles in it, and puts its permissions back, `}` +
      "and removes it. Costs some minutes of the management of such a cluster",
    run: makeCluster,
  },
} as const satisfies Readonly<Record<string, Step>>;

export type StepName = keyof typeof steps;
const stepNames = ["reads", "network", "namespace", "cluster"] as const satisfies readonly StepName[];

async function makeNetwork(trial: Trial): Promise<void> {
  const { ZoneSet: zones } = await trial.call("compute", "DescribeZones");
  const free = isList(zones) ? zones.find((each) => textAt(each, "ZoneState") === "AVAILABLE") : undefined;
  const zone = textAt(free, "Zone");
  const vpcId = await made(trial, "vpc", "CreateVpc", { VpcName: name, CidrBlock: "10.255.0.0/24" }, "Vpc", "VpcId");
  trial.made(`VPC ${vpcId}`, () => trial.remove("vpc", "DeleteVpc", { VpcId: vpcId }));
  const subnet = { VpcId: vpcId, SubnetName: name, CidrBlock: "10.255.0.0/24", Zone: zone };
  const subnetId = await made(trial, "vpc", "CreateSubnet", subnet, "Subnet", "SubnetId");
  trial.made(`subnet ${subnetId}`, () => trial.remove("vpc", "DeleteSubnet", { SubnetId: subnetId }));
  const group = { GroupName: name, GroupDescription: "created by cpcli conformance" };
  const groupId = await made(trial, "vpc", "CreateSecurityGroup", group, "SecurityGroup", "SecurityGroupId");
  trial.made(`security group ${groupId}`, () => trial.remove("vpc", "DeleteSecurityGroup", { SecurityGroupId: groupId }));
  const rule = { Protocol: "TCP", Port: "443", CidrBlock: "10.255.0.0/24", Action: "ACCEPT", PolicyDescription: name };
  await trial.call("vpc", "CreateSecurityGroupPolicies", { SecurityGroupId: groupId, SecurityGroupPolicySet: { Ingress: [rule] } });
  Object.assign(trial.known, { VpcId: vpcId, SubnetId: subnetId, SecurityGroupId: groupId, SecurityGroupIds: [groupId] });
  await trial.call("vpc", "DescribeVpcs", { VpcIds: [vpcId] });
  await trial.call("vpc", "DescribeSubnets", { SubnetIds: [subnetId] });
  await trial.readAll();
}

async function makeNamespace(trial: Trial, { registry, signal }: Given): Promise<void> {
  const registryId = registry ?? (await makeRegistry(trial, signal));
  const place = { RegistryId: registryId, NamespaceName: name };
  await made(trial, "registry", "CreateNamespace", { ...place, IsPublic: false });
  trial.made(`namespace ${name} of ${registryId}`, () => trial.remove("registry", "DeleteNamespace", place));
  Object.assign(trial.known, { ...place, RegistryIds: [registryId], RegistryName: name });
  await trial.readAll();
}

async function makeRegistry(trial: Trial, signal: AbortSignal): Promise<string> {
  const registryName = `${name}-${Date.now().toString(36)}`;
  const registryId = await made(trial, "registry", "CreateInstance", { RegistryName: registryName, RegistryType: "basic" }, "RegistryId");
  trial.made(`registry ${registryId}`, () => trial.remove("registry", "DeleteInstance", { RegistryId: registryId, DeleteBucket: true }));
  await waitFor(trial.cloud, "registry", registryId, { signal });
  return registryId;
}

async function makeCluster(trial: Trial, { subAccount, signal }: Given): Promise<void> {
  const { VpcId: vpcId, SubnetId: subnetId } = trial.known;
  if (vpcId === undefined || subnetId === undefined) throw new Error("the step network was not made");
  const wanted = {
    ClusterType: "MANAGED_CLUSTER",
    ClusterCIDRSettings: { ClusterCIDR: "172.31.0.0/20" },
    ClusterBasicSettings: { ClusterName: name, VpcId: vpcId, SubnetId: subnetId, ClusterLevel: "L5" },
  };
  const clusterId = await made(trial, "cluster", "CreateCluster", wanted, "ClusterId");
  trial.made(`cluster ${clusterId}`, async () => {
    await trial.remove("cluster", "DeleteCluster", { ClusterId: clusterId, InstanceDeleteMode: "terminate" });
    await waitFor(trial.cloud, "cluster", clusterId, { until: "gone" });
  });
  trial.known["ClusterId"] = clusterId;
  await waitFor(trial.cloud, "cluster", clusterId, { signal, within: 3600 });
  for (const isExtranet of [true, false])
    await trial.call("cluster", "DescribeClusterEndpointStatus", { ClusterId: clusterId, IsExtranet: isExtranet });
  await trial.readAll();
  if (subAccount !== undefined) await permissions(trial, clusterId, subAccount);
}

/** What a grant and a revocation replace: neither the specification nor the public API's documentation settles it. */
async function permissions(trial: Trial, clusterId: string, user: string): Promise<void> {
  // They are written back as a whole: what is not told would be taken away.
  const read = async () => {
    const { Permissions: told } = await trial.call("cluster", "DescribeUserPermissions", { TargetUin: user });
    if (!isList(told) || !told.every(isObject))
      throw new Error(
        `DescribeUserPermissions does not tell all permissions of ${user}, which are written back as a whole: the step ends here`,
      );
    return told;
  };
  const before = (await read()).map(permissionOf);
  const grant = (permissions: JsonObject[]) => trial.call("cluster", "GrantUserPermissions", { TargetUin: user, Permissions: permissions });
  trial.made(`permissions of ${user}`, async () => {
    await grant(before);
  });
  const role = (roleName: string): JsonObject => ({
    ClusterId: clusterId,
    RoleName: roleName,
    RoleType: "cluster",
    IsCustom: false,
    Namespace: "",
  });
  const roles = async () =>
    (await read()).filter((each) => textAt(each, "ClusterId") === clusterId).map((each) => textAt(each, "RoleName"));
  await grant([...before, role("svc:ro"), role("svc:dev")]);
  await grant([...before, role("svc:ro"), role("svc:ops")]);
  const granted = await roles();
  trial.findings.push(
    `GrantUserPermissions of [ro, ops] after [ro, dev] leaves ${told(granted)}: it ${granted.includes("svc:dev") ? "adds to" : "replaces"} what the user has`,
  );
  await trial.call("cluster", "DeleteUserPermissions", { TargetUin: user, Permissions: [role("svc:ops")] });
  const left = await roles();
  trial.findings.push(
    `DeleteUserPermissions of [ops] from ${told(granted)} leaves ${told(left)}: its list is what ${left.includes("svc:ops") ? "remains" : "is removed"}`,
  );
}

/** Makes something, and answers the id of it. Where that is not told, what was made cannot be removed. */
async function made(trial: Trial, product: Product, action: string, body: JsonObject, ...path: readonly string[]): Promise<string> {
  const untold = (error: unknown): never => {
    trial.mayHaveMade(`what ${action} may have made, called ${name}: its answer did not tell`);
    throw error;
  };
  const answer = await trial.call(product, action, body).catch((error: unknown) => {
    if (error instanceof PlatformError && ["unreachable", "transient", "failed"].includes(error.kind)) return untold(error);
    throw error;
  });
  try {
    return path.length === 0 ? "" : textAt(answer, ...path);
  } catch (error) {
    return untold(error);
  }
}

function permissionOf(record: JsonObject): JsonObject {
  return {
    ClusterId: textAt(record, "ClusterId"),
    RoleName: textAt(record, "RoleName"),
    RoleType: textAt(record, "RoleType"),
    IsCustom: !textAt(record, "RoleName").startsWith("svc:"),
    Namespace: record["Namespace"] ?? "",
  };
}

function told(roles: readonly string[]): string {
  return `[${roles
    .map((role) => role.replace("svc:", ""))
    .sort()
    .join(", ")}]`;
}

/** @throws if there is no such text: the answer is then of no use to the next call. */
function textAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = path.reduce<Json | undefined>((inner, field) => (inner !== undefined && isObject(inner) ? inner[field] : undefined), value);
  if (typeof found !== "string" || found === "") throw new Error(`the answer has no ${path.join(".")}`);
  return found;
}

const syntax = {
  name: "conformance",
  options: {
    through: { value: "STEP", values: stepNames, summary: "Last step to run. Default: reads." },
    registry: { value: "ID", summary: "Registry for the step namespace. Default: a new registry." },
    subAccount: { value: "UIN", summary: "Sub-account for the step cluster. Its permissions are changed and restored." },
    yes: { summary: "Runs the steps. Without --yes, only prints their costs." },
    ...connectionOptions,
  },
  more: `Steps: ${stepNames.join(", ")}. All resources that the steps create are named cpcli-conformance, and are
deleted at the end, also after Control-C. Prints a report as JSON: each call, and where its response differs from the
operation that cpcli knows. The report contains no values of responses.
`,
} as const;

/** `cpcli conformance --endpoint public --through network --yes`: compares a real platform with the catalogue. */
export const runConformance = commandOf(syntax, async ({ given }, session) => {
  const { through = "reads", registry, subAccount } = given;
  const last = stepNames.findIndex((name) => name === through);
  if (last < 0) throw new UsageError(`--through is ${through}; it takes ${stepNames.join(", ")}`);
  const chosen = stepNames.slice(0, last + 1);
  const ending = new AbortController();
  const around = { registry, subAccount, signal: ending.signal };
  for (const name of chosen) session.say(`${name}: ${steps[name].says(around)}`);
  if (!given.yes) {
    session.say("nothing was called: give --yes");
    return;
  }
  await using connection = await connected(given, session);
  const trial = new Trial(connection.cloud, ending.signal, (call) => {
    tell(`${lineOf(call)}\n`);
  });
  session.leaveInterrupts();
  const end = () => {
    ending.abort(new Error("interrupted"));
  };
  process.once("SIGINT", end);
  const work = (async () => {
    // A sub-account that is none is refused here, before anything is made that is billed.
    if (chosen.includes("cluster") && subAccount !== undefined)
      await trial.call("cluster", "DescribeUserPermissions", { TargetUin: subAccount });
    for (const name of chosen) await steps[name].run(trial, around);
  })();
  await Promise.allSettled([work]);
  const left = await trial.cleanUp();
  process.off("SIGINT", end);
  const { calls, findings } = trial;
  print(
    `${JSON.stringify({ endpoint: connection.endpoint, region: connection.cloud.region, steps: chosen, findings, left, calls }, undefined, 2)}\n`,
  );
  if (left.length > 0) throw new Error(`not removed, and perhaps billed: ${left.join("; ")}`);
  if (ending.signal.aborted) {
    session.say("interrupted: all that was made is removed");
    process.exitCode = exitCodes.interrupted;
    return;
  }
  // If a step has failed, this throws its failure.
  await work;
  // A platform that has not answered everything was not compared: that is no success.
  const count = calls.filter(({ unanswered }) => unanswered).length;
  if (trial.silence) throw new Error(`${count} of ${calls.length} calls were not answered: ${trial.silence.message}`);
});

/** What a person sees of a call while the run goes on. */
function lineOf({ product, action, version, code, reason, unanswered, missing = [], empty = [], fresh = [], odd = [] }: Tried): string {
  const parts = [
    code === undefined ? "" : `${unanswered ? "no answer" : "refused"}: ${code}: ${reason ?? ""}`,
    ...Object.entries({ missing, null: empty, new: fresh, odd }).map(([word, paths]) =>
      paths.length > 0 ? `${word}: ${paths.join(", ")}` : "",
    ),
  ].filter(Boolean);
  return `${product} ${action} ${version}: ${parts.join("; ") || "as the catalogue says"}`;
}
