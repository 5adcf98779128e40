import * as entryPoint from "@container-platform/pulumi";
import * as registry from "@container-platform/sdk/registry";
import { output } from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { asSecret, type Props, unknown } from "../../support/structs.ts";
import { pluginPlace } from "../stage/plugin-place.ts";

/** What functions and classes refuse, and what the plugin makes of arguments alone. test/engine/plugin/functions.all.test.ts has what the others answer. */

const { world, cloud, answer: asked } = pluginPlace("functions");

const [noCluster, noRegistry] = ["there is no cluster cls-00000000 in eu-frankfurt", "there is no registry tcr-00000000 in eu-frankfurt"];
const noZone = "there is no zone eu-frankfurt-9 in eu-frankfurt; it takes eu-frankfurt-1, eu-frankfurt-2, eu-frankfurt-3";
const noRepository = "there is no repository absent in namespace team of registry tcr-home";
const [nowhere, unregistered, home] = [{ clusterId: "cls-00000000" }, { registryId: "tcr-00000000" }, { registryId: "tcr-home" }];
test.each([
  ...["getCluster", "getClusterStatus", "getClusterInstances", "getNodePools", "getClusterVersions", "getKubeconfig"].map(
    (name) => [name, nowhere, noCluster] as const,
  ),
  ["getTasks", { ...nowhere, taskType: "create_cluster" }, noCluster],
  ["getSubnets", { vpcId: "vpc-00000000" }, "there is no VPC vpc-00000000 in eu-frankfurt"],
  ["getInstanceTypes", { zone: "eu-frankfurt-9" }, noZone],
  ["getDiskTypes", { zone: "eu-frankfurt-9" }, noZone],
  ["getNamespaces", unregistered, noRegistry],
  ["getRepositories", unregistered, noRegistry],
  ["getRepositories", { ...home, namespaceName: "absent" }, "there is no namespace absent in registry tcr-home"],
  ["getImages", { ...unregistered, namespaceName: "team", repositoryName: "web" }, noRegistry],
  ["getImages", { ...home, namespaceName: "absent", repositoryName: "web" }, "there is no namespace absent in registry tcr-home"],
  ["getImages", { ...home, namespaceName: "team", repositoryName: "absent" }, noRepository],
  [
    "lookUpEvents",
    { from: "2026-01-31T12:00:00Z", to: "2026-01-31T12:00:00.900Z" },
    "from: 2026-01-31T12:00:00Z is not before to, which is 2026-01-31T12:00:00.900Z, by a second at least",
  ],
  [
    "lookUpEvents",
    { from: "2026-01-31T12:00:00Z", to: "2026-01-30T12:00:00Z" },
    "from: 2026-01-31T12:00:00Z is not before to, which is 2026-01-30T12:00:00Z, by a second at least",
  ],
] as const)("what a function names has to be there: %s of %j", async (name, given, says) => {
  const { registryId } = await cloud.call(registry.createInstance, { registryName: `home-${world.now()}`, registryType: "basic" });
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "team", isPublic: false });
  const args = "registryId" in given && given.registryId === "tcr-home" ? { ...given, registryId } : given;
  await expect(asked(name, args)).rejects.toThrow(`${name}: ${says.replace("tcr-home", registryId)}`);
});

test("the platform's own refusal names the argument", async () => {
  const refused = asked("getUserPermissions", { targetUin: "unknown" });
  await expect(refused).rejects.toThrow('targetUin is "unknown"; it takes the id of a sub-account');
});

test("what is made of a secret argument is a secret, and what is made of other values is none", async () => {
  const subnetOf = (range: unknown) => asked("cidrSubnet", { range, prefix: 16, index: 7 });
  expect(await subnetOf("10.0.0.0/8")).toEqual({ cidrBlock: "10.7.0.0/16" });
  expect(await subnetOf(asSecret("10.0.0.0/8"))).toEqual({ cidrBlock: asSecret("10.7.0.0/16") });
});

test("the plugin refuses an unknown argument", async () => {
  await expect(asked("getSubnets", { vpcId: unknown })).rejects.toThrow("getSubnets: takes no value that is known after `pulumi up` only");
  await expect(asked("getSubnets", { vpcId: asSecret(unknown) })).rejects.toThrow("known after `pulumi up` only");
});

test("the secret for a server has the user and the password in the form of container clients, and is a secret", async () => {
  const login = { username: "reg$nodes", password: "hush-hush" };
  const auths = { "acme-images.example": { ...login, auth: Buffer.from("reg$nodes:hush-hush").toString("base64") } };
  const { dockerConfigJson } = await asked("pullSecret", { server: "acme-images.example", ...login });
  expect(dockerConfigJson).toEqual(asSecret(JSON.stringify({ auths })));
});

const connected = { internalEndpoint: "10.0.0.7", internalDomains: { "vpc-3f8a0c1e": "acme-images-vpc.example" } };
const serverFor = (args: Props) => asked("pullServer", { registryName: "acme-images", publicDomain: "acme-images.example", ...args });

test("an open registry is pulled from by its public domain, and in a connected VPC by that VPC's", async () => {
  expect(await serverFor({ publicAccess: { whitelist: [{ cidrBlock: "203.0.113.0/24" }] } })).toEqual({ server: "acme-images.example" });
  expect(await serverFor({ vpcId: "vpc-3f8a0c1e", ...connected })).toEqual({ server: "acme-images-vpc.example" });
});

const closed = "registry acme-images cannot be pulled from ";
test.each<[from: string, args: Props, says: string]>([
  ["the internet while it is closed", {}, `${closed}over the internet: its public endpoint is closed; set publicAccess`],
  [
    "a VPC that is not connected, or does not resolve the domain",
    { vpcId: "vpc-00000001", ...connected },
    `${closed}in vpc-00000001: vpc-00000001 is not connected, or does not resolve its domain; name it in internalAccess, with dns`,
  ],
  [
    "a VPC while none is connected",
    { vpcId: "vpc-3f8a0c1e", internalEndpoint: "", internalDomains: {} },
    `${closed}in vpc-3f8a0c1e: it is not Running, or no VPC is connected; wait for it, and name the VPC in internalAccess`,
  ],
])("a registry is not pulled from %s", async (_, args, says) => {
  await expect(serverFor(args)).rejects.toThrow(says);
});

/** A call as a program in JavaScript may make it. */
function unchecked(get: (...given: never[]) => Promise<unknown>, ...given: readonly unknown[]): Promise<unknown> {
  const answer: unknown = Reflect.apply(get, undefined, given);
  return Promise.resolve(answer);
}

const circular: Record<string, unknown> = {};
circular["self"] = circular;

test.each<[says: string, get: (...given: never[]) => Promise<unknown>, ...given: unknown[]]>([
  ['getCluster: takes an object, { clusterId }, not "cls-1"', entryPoint.getCluster, "cls-1"],
  ["getCluster: clusterId: is required", entryPoint.getCluster, {}],
  ['getNodePools: clusterId: takes the id of a cluster, such as cls-3f8a0c1e, not ""', entryPoint.getNodePools, { clusterId: "" }],
  ['getSubnets: vpcId: takes the id of a VPC, such as vpc-3f8a0c1e, not "main"', entryPoint.getSubnets, { vpcId: "main" }],
  ['getNamespaces: registryId: takes the id of a registry, such as tcr-3f8a0c1e, not ""', entryPoint.getNamespaces, { registryId: "" }],
  ["getInstanceTypes: zone: takes at least 1 character, not 0", entryPoint.getInstanceTypes, { zone: "" }],
  ["getCluster: clusterId: takes a string, not a number", entryPoint.getCluster, { clusterId: 7 }],
  ["getCluster: clusterId is an Output or a promise; use getClusterOutput", entryPoint.getCluster, { clusterId: Promise.resolve("cls-1") }],
  ["getCluster: takes no Output and no promise; use getClusterOutput", entryPoint.getCluster, Promise.resolve({ clusterId: "cls-1" })],
  ["getZones: has no property al; it has all", entryPoint.getZones, { al: true }],
  ["getClusters: takes no arguments, and vpcId is given", entryPoint.getClusters, { vpcId: "vpc-3f8a0c1e" }],
  ["getClusters: the option parent takes a resource or a component, not 7", entryPoint.getClusters, {}, { parent: 7 }],
  ["getClusters: there is no option provder; there are provider and parent", entryPoint.getClusters, {}, { provder: {} }],
  ["getClusters: takes an object of options, { provider, parent }, not null", entryPoint.getClusters, {}, null],
  ["getClusters: takes an object of options, { provider, parent }, not a list", entryPoint.getClusters, {}, [circular]],
  [
    "getClusters: there is no option dependsOn: to read once a resource is there, call it in an output of that resource, resource.id.apply(() => …)",
    entryPoint.getClusters,
    {},
    { dependsOn: [] },
  ],
  ["getClusters: takes two arguments at most, getClusters(args, opts), and 4 are given", entryPoint.getClusters, {}, {}, 3, circular],
  [
    "getVpcs: provider is an option: it goes into the second object, getVpcs({}, { provider })",
    entryPoint.getVpcs,
    { provider: "singapore" },
  ],
  [
    'lookUpEvents: from: takes a moment with its time zone, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00, not "yesterday"',
    entryPoint.lookUpEvents,
    { from: "yesterday", to: "2026-01-31T12:00:00Z" },
  ],
  ["to: takes a moment with its time zone, such as", entryPoint.lookUpEvents, { from: "2026-01-31T12:00:00Z", to: "2026-02-01" }],
])("%s", async (says, get, ...given) => {
  await expect(unchecked(get, ...given)).rejects.toThrow(says);
});

test("every function says which options it does not take, and how many arguments, in the program's words and without a stack trace", async () => {
  const all = Object.entries(entryPoint).filter(([name]) => /^(get|lookUp)/.test(name));
  expect(all.length).toBeGreaterThan(40);
  for (const [name, get] of all)
    for (const [given, says] of [
      [[{}, { provider: "x" }], 'the option provider takes what `new Provider(…)` has made, not "x"'],
      [[{}, {}, 0], `takes two arguments at most, ${name}(args, opts), and 3 are given`],
    ] as const) {
      const refused = Promise.resolve().then((): unknown => Reflect.apply(get, undefined, given));
      await expect(refused).rejects.toMatchObject({ message: `${name}: ${says} [Provider.InvalidInput]`, __pulumiRunError: true });
    }
});

// What TypeScript refuses of a class, and JavaScript lets pass: a sentence before anything is registered.

describe("the id of what is only read", () => {
  test.each([undefined, null, ""])("%j is refused: it would be created", (id) => {
    expect(() => {
      Reflect.apply(Reflect.get(entryPoint.SecurityGroup, "get"), entryPoint.SecurityGroup, ["g", id]);
    }).toThrow(
      `SecurityGroup.get("g", id): id is ${id === "" ? "empty" : String(id)}, and not the ID of an existing SecurityGroup, such as sg-3f8a0c1e [Provider.InvalidInput]`,
    );
  });
});

describe("the option import", () => {
  test.each([
    [null, "null"],
    [7, "7"],
    [output("vpc-3f8a0c1e"), "an output or a secret"],
  ])("%#", (given, said) => {
    expect(() => {
      Reflect.construct(entryPoint.Vpc, ["z", { cidrBlock: "10.8.0.0/16" }, { import: given }]);
    }).toThrow(
      `Vpc z: the option import takes an id that is known in the preview, such as vpc-3f8a0c1e, not ${said} [Provider.InvalidInput]`,
    );
  });
});

describe("arguments", () => {
  test.each([
    ["10.8.0.0/16", 'Vpc z: takes its arguments as an object, such as { name: value }, not "10.8.0.0/16"'],
    [["10.8.0.0/16"], 'Vpc z: takes its arguments as an object, such as { name: value }, not ["10.8.0.0/16"]'],
    [Promise.resolve({}), "Vpc z: takes its arguments as an object, such as { name: value }, not a promise, which has to be awaited"],
  ])("%j", (args, sentence) => {
    expect(() => {
      Reflect.construct(entryPoint.Vpc, ["z", args]);
    }).toThrow(`${sentence} [Provider.InvalidInput]`);
  });

  test("that are left out are no crash: the engine refuses what is required", () => {
    expect(() => {
      Reflect.construct(entryPoint.NodePool, ["z"]);
    }).not.toThrow(/Cannot convert/);
  });

  test.each([
    [{ regoin: "a" }, "Provider p: has no argument regoin; maybe you meant region"],
    [undefined, 'Provider p: takes its arguments as an object, such as { region: "eu-frankfurt" }'],
  ])("of a Provider: %j", (args, sentence) => {
    expect(() => {
      Reflect.construct(entryPoint.Provider, ["p", args]);
    }).toThrow(`${sentence} [Provider.InvalidInput]`);
  });
});
