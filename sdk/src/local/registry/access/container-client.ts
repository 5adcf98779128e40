import { severities } from "../../../catalogue/registry/structures.ts";
import { everyRow } from "../../accounts/accounts.ts";
import type { Context } from "../../behaviour.ts";
import { isWithin } from "../../vpc/security-groups.ts";
import type { World } from "../../store/world.ts";
import { publicDomainOf, servedRegistry } from "./endpoints.ts";
import { fingerprintOf } from "./credentials.ts";
import { externalEndpointStateAt, internalDnsStateAt, registryStatusAt } from "../states.ts";
import { imageWithTag, repositoryIn } from "../content/images.ts";
import * as tables from "../tables.ts";

/** What a container client experiences at a registry, from outside of the platform or inside of one of its VPCs. */

/** Where the client is: at an address outside of the platform, or in a VPC of a region. */
export type ClientLocation = { readonly clientIp: string } | { readonly region: string; readonly vpcId: string };

/** A user name and its secret. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface Login extends Credentials {
  readonly server: string;
  readonly from: ClientLocation;
}

/** A registry, with its region and account. */
export interface Place {
  readonly at: Context;
  readonly registry: tables.RegistryRow;
}

/**
 * The error that a container client gets when it logs in to a registry; `undefined` if it succeeds. From outside, it is `timeout` if
 * the public endpoint is not open, and `403` if the whitelist does not have the client's address. In a VPC, it is `timeout` if the
 * server's name does not resolve there. A token that is missing, disabled or expired is `unauthorized` (specification, Registry
 * access rules).
 */
export function loginComplaintOf(world: World, { server, from, ...user }: Login): string | undefined {
  const place = placeOf(world, server, from);
  return typeof place === "string" ? place : userOf(place, user) ? undefined : "unauthorized";
}

interface Transfer {
  readonly server: string;
  readonly from: ClientLocation;
  /** The user that is logged in; nobody unless given. */
  readonly user?: Credentials;
  readonly doing: "push" | "pull";
  readonly namespace: string;
  readonly repository: string;
  readonly version: string;
}

/**
 * The error that a container client gets when it pushes or pulls an image: those of a log-in, and `403` without permission for the
 * repository. Everyone may pull images of public namespaces. A missing namespace or image is `not found`. An image is `blocked` if it
 * has a vulnerability of the namespace's severity or above that is not in the namespace's CVE whitelist.
 */
export function transferComplaintOf(world: World, transfer: Transfer): string | undefined {
  const place = placeOf(world, transfer.server, transfer.from);
  if (typeof place === "string") return place;
  const { at, registry } = place;
  const namespace = at.rows(tables.namespaces).get(`${registry.id}/${transfer.namespace}`);
  const isOpen = transfer.doing === "pull" && namespace?.isPublic === true;
  const user = transfer.user && userOf(place, transfer.user);
  if (!user && (transfer.user || !isOpen)) return "unauthorized";
  if (!isOpen && user && !user.may(transfer)) return "403";
  if (!namespace) return "not found";
  if (transfer.doing === "push") return undefined;
  const repository = repositoryIn(at, { registryId: registry.id, namespace: namespace.name, repository: transfer.repository });
  const image = imageWithTag(repository, transfer.version);
  if (!image) return "not found";
  return isBlocked(namespace, image) ? "blocked" : undefined;
}

/** Whether an image has a vulnerability for which its namespace lets nobody pull it. */
export function isBlocked(
  { severity: least, cves }: tables.NamespaceRow,
  { vulnerabilities }: Pick<tables.ImageRow, "vulnerabilities">,
): boolean {
  const counting = least === undefined ? [] : severities.slice(severities.indexOf(least));
  return vulnerabilities.some(({ cveId, severity }) => counting.includes(severity) && !cves.includes(cveId));
}

/** The registry behind a server, or the error if the client cannot reach it. */
export function placeOf(world: World, server: string, from: ClientLocation): Place | "timeout" | "403" {
  const served = servedRegistry(world, server);
  const place = everyRegistry(world).find(
    (one) =>
      one.registry.id === served || server === publicDomainOf(one.registry) || ("vpcId" in from && resolves(one, from.vpcId, server)),
  );
  if (!place) return "timeout";
  const { at, registry } = place;
  if (registryStatusAt(registry.timeline, at.now) !== "Running") return "timeout";
  // An address of this machine stands for every name of the registry.
  if ("vpcId" in from) return resolves(place, from.vpcId, served === undefined ? server : undefined) ? place : "timeout";
  if (externalEndpointStateAt(registry.publicAccess, at.now) !== "Opened") return "timeout";
  const entries = at.rows(tables.whitelists).get(registry.id)?.entries ?? [];
  return entries.some(({ cidrBlock }) => isWithin(cidrBlock, from.clientIp)) ? place : "403";
}

/** Every registry of a world, of all accounts and regions. */
export function everyRegistry(world: World): Place[] {
  return everyRow(world, tables.registries).map(({ at, row: registry }) => ({ at, registry }));
}

/** Whether a VPC resolves a domain of a registry; any of its domains unless one is given. */
function resolves({ at, registry }: Place, vpcId: string, domain?: string): boolean {
  return at
    .list(tables.internalNames, registry.id)
    .some(
      (name) => name.vpcId === vpcId && name.domain === (domain ?? name.domain) && internalDnsStateAt(name.timeline, at.now) === "ENABLE",
    );
}

/** What a client does with the content of a repository. */
export type Doing = "push" | "pull" | "delete";

export interface User {
  /** As the audit log shows it: the id of a user of the account, or the name of a service account. */
  readonly name: string;
  readonly may: (transfer: { readonly doing: Doing; readonly namespace: string }) => boolean;
}

const actions = { push: "reg:PushRepository", pull: "reg:PullRepository", delete: "reg:DeleteRepository" } as const;

/** The user of these credentials: a user of the account, who may do everything, or a service account. `undefined` if they are invalid. */
export function userOf({ at, registry: { id } }: Place, { username, password }: Credentials): User | undefined {
  const fingerprint = fingerprintOf(password);
  const token = at.list(tables.registryTokens, id).find((one) => one.username === username && one.fingerprint === fingerprint);
  if (token) return token.enabled && at.now < token.expiresAt ? { name: username, may: () => true } : undefined;
  const user = at.rows(tables.serviceAccounts).get(`${id}/${username}`);
  const isValid = user?.fingerprint === fingerprint && !user.disabled && (user.expiresAt === -1 || at.now < user.expiresAt);
  if (!isValid) return undefined;
  const { permissions } = user;
  return {
    name: username,
    may: ({ doing, namespace }) =>
      permissions.some(({ resource, actions: allowed }) => resource === `${namespace}/` && allowed.includes(actions[doing])),
  };
}
