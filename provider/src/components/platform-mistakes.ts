import { isProps } from "../schema/values.ts";
import { notAmong, notAllObjects, notFlags, notLists, notObjects, unknownKeys, wrongNames, wrongWishes } from "./mistakes.ts";
import { Network } from "./network.ts";
import {
  networkChildren,
  type PlatformAccess,
  type PlatformArgs,
  type PlatformChild,
  type PlatformGrant,
  type PlatformPool,
  type PlatformRegistry,
} from "./platform-args.ts";

type Known<Args> = Readonly<Record<keyof Args, true>>;

const known: Known<PlatformArgs> = {
  network: true,
  version: true,
  deletionProtection: true,
  nodePools: true,
  access: true,
  registry: true,
  permissions: true,
  tags: true,
  transform: true,
  childAliases: true,
};
const knownOfPools: Known<PlatformPool> = {
  instanceTypes: true,
  min: true,
  max: true,
  diskSize: true,
  diskType: true,
  role: true,
  labels: true,
  taints: true,
  native: true,
};
const knownOfAccess: Known<PlatformAccess> = { internal: true, internet: true };
const knownOfRegistry: Known<PlatformRegistry> = { name: true, namespaces: true, login: true };
const knownOfGrants: Known<PlatformGrant> = { role: true, namespace: true };
const knownChildren: Readonly<Record<PlatformChild, true>> = {
  vpc: true,
  ipv6: true,
  subnet: true,
  securityGroup: true,
  cluster: true,
  nodePool: true,
  endpoint: true,
  permission: true,
  registry: true,
  namespace: true,
  serviceAccount: true,
  token: true,
};

/** What is wrong with the arguments of a platform, as far as they alone tell, each in a sentence. */
export function mistakesIn(args: PlatformArgs): string[] {
  const wrong = wrongShapes(args);
  if (wrong.length > 0) return wrong;
  const { network, nodePools, access = {}, registry, permissions = {}, transform = {}, childAliases = {} } = args;
  const grants = Object.entries(permissions).flatMap(([uin, grant]) =>
    typeof grant === "string" ? [] : unknownKeys(grant, knownOfGrants, `permissions.${uin}`),
  );
  return [
    ...unknownKeys(args, known),
    ...inPools(nodePools),
    ...unknownKeys(access, knownOfAccess, "access"),
    ...notFlags({ "access.internal": access.internal }),
    ...(registry ? inRegistry(registry) : []),
    ...grants,
    ...unknownKeys(transform, knownChildren, "transform"),
    ...unknownKeys(childAliases, knownChildren, "childAliases"),
    ...(network instanceof Network ? ofOthers({ transform, childAliases }) : []),
  ];
}

/** What a program in JavaScript may leave out, or give as a text. */
function wrongShapes(args: PlatformArgs): string[] {
  const lacksPools = ["nodePools: is required: the pools of nodes, by name"];
  if (!isProps(args)) return lacksPools;
  if (isMissing(args.nodePools)) {
    const misspelt = unknownKeys(args, known);
    return misspelt.length > 0 ? misspelt : lacksPools;
  }
  const pools = notObjects({ nodePools: args.nodePools }, ', such as { apps: { instanceTypes: ["SA5.MEDIUM4"] } }');
  if (pools.length > 0) return pools;
  const { network, nodePools, access, registry, permissions, tags, transform, childAliases } = args;
  const wrong = [
    ...(network instanceof Network ? [] : notObjects({ network }, ": a Network, or the arguments of one")),
    ...notAllObjects("nodePools", nodePools, ', such as { instanceTypes: ["SA5.MEDIUM4"] }'),
    ...notObjects({ access, tags }),
    ...notObjects({ registry }, ', such as { name: "prod-images", namespaces: ["team"] }'),
    ...notObjects({ permissions }, ": roles by the sub-account's id"),
    ...wrongWishes({ transform, childAliases }),
  ];
  if (wrong.length > 0) return wrong;
  if (registry && isMissing(registry.name)) return ["registry.name: is required: the name of the registry, unique on the platform"];
  if (registry && isMissing(registry.namespaces)) return ["registry.namespaces: is required: the names of the registry's namespaces"];
  return [
    ...notAllObjects(
      "permissions",
      Object.fromEntries(Object.entries(permissions ?? {}).filter(([, grant]) => typeof grant !== "string")),
      ' or a role, such as "svc:ro"',
    ),
    ...Object.entries(nodePools).flatMap(([name, { instanceTypes }]) => wrongTypes(`nodePools.${name}.instanceTypes`, instanceTypes)),
    ...notLists({ "access.internet": access?.internet }, "203.0.113.0/24"),
    ...notLists({ "registry.namespaces": registry?.namespaces }, "team"),
  ];
}

/** JavaScript lets pass what is left out. */
const isMissing = (value: unknown): boolean => value === undefined || value === null;

function wrongTypes(property: string, types: unknown): string[] {
  return isMissing(types) ? [`${property}: is required: types of instance, such as ["SA5.MEDIUM4"]`] : [];
}

function inPools(pools: PlatformArgs["nodePools"]): string[] {
  const names = Object.keys(pools);
  if (names.length === 0) return ["nodePools: is empty; a platform needs a pool, because access to a cluster needs a running node"];
  const keys = Object.entries(pools).flatMap(([name, pool]) => unknownKeys(pool, knownOfPools, `nodePools.${name}`));
  const turned = Object.entries(pools).flatMap(([name, { min, max }]) =>
    typeof min === "number" && typeof max === "number" && min > max ? [`nodePools.${name}: min ${min} is above max ${max}`] : [],
  );
  return [...wrongNames("nodePools", names), ...keys, ...turned];
}

function inRegistry(registry: PlatformRegistry): string[] {
  const { namespaces } = registry;
  const twice = namespaces
    .filter((one, index) => namespaces.indexOf(one) < index)
    .map((one) => `registry.namespaces: ${one} is in it twice`);
  const none = namespaces.length === 0 ? ["registry.namespaces: is empty; images are in namespaces, so a registry needs one at least"] : [];
  const login = notAmong("registry.login", registry.login, ["service-account", "token"]);
  return [...unknownKeys(registry, knownOfRegistry, "registry"), ...twice, ...none, ...login];
}

/** Wishes for the children of a network that the program has made itself. */
function ofOthers(wishes: Readonly<Record<"transform" | "childAliases", object>>): string[] {
  return Object.entries(wishes).flatMap(([wish, all]) =>
    networkChildren
      .filter((child) => child in all)
      .map((child) => `${wish}.${child}: the network is made outside of this platform: give it to that Network`),
  );
}

/** What is unwise about the arguments of a platform, each in a sentence. */
export function doubtsAbout({ nodePools, access = {}, transform }: PlatformArgs): string[] {
  const { internal = true, internet = [] } = access;
  const isEmpty = ({ min, native = {} }: PlatformPool) => min === 0 && native.replicas === undefined && native.scaling === undefined;
  const isClosed = !internal && internet.length === 0;
  if (isClosed || transform?.nodePool !== undefined || !Object.values<PlatformPool>(nodePools).every(isEmpty)) return [];
  return [
    "nodePools: each has min 0, so a new cluster has no node, and access to it needs one: give one of them a min of 1, or leave access out, { internal: false }, until there is a node",
  ];
}

/** What is wrong about the roles of the pools' subnets. */
export function wrongRoles(pools: PlatformArgs["nodePools"], roles: readonly string[]): string[] {
  return Object.entries(pools)
    .filter(([, { role }]) => role !== undefined && !roles.includes(role))
    .map(([name, { role = "" }]) => `nodePools.${name}.role: the network has no role ${role}; it has ${roles.join(", ")}`);
}
