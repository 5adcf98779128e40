import { severities } from "../../../catalogue/registry/structures.ts";
import { mainAccounts } from "../../accounts/accounts.ts";
import { regions } from "../../regions.ts";
import { isWithin } from "../../vpc/rule-evaluation.ts";
import type { World } from "../../store/world.ts";
import { publicDomainOf } from "../instances/domains.ts";
import { fingerprintOf } from "./secrets.ts";
import { externalEndpointStateAt, internalDnsStateAt, registryStatusAt } from "../states.ts";
import { repositoryIdOf } from "../content/repository-path.ts";
import {
  images,
  internalNames,
  namespaces,
  type NamespaceRow,
  registries,
  type RegistryRow,
  registryTokens,
  serviceAccounts,
  whitelists,
} from "../tables.ts";

/** What a container client experiences at a registry, from outside of the platform or inside of one of its VPCs. */

/** Where the client is: at an address outside of the platform, or in a VPC of a region. */
type ClientLocation = { readonly clientIp: string } | { readonly region: string; readonly vpcId: string };

interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface Login extends Credentials {
  readonly server: string;
  readonly from: ClientLocation;
}

/** A registry, with its region and account. */
interface Place {
  readonly region: string;
  readonly account: string;
  readonly registry: RegistryRow;
}

/**
 * The error that a container client gets when it logs in to a registry; `undefined` if it succeeds. From outside, it is `timeout` if
 * the public endpoint is not open, and `403` if the whitelist does not have the client's address. In a VPC, it is `timeout` if the
 * server's name does not resolve there. A token that is missing, disabled or expired is `unauthorized` (specification, Registry
 * access rules).
 */
export function loginComplaintOf(world: World, { server, from, ...user }: Login): string | undefined {
  const place = placeOf(world, server, from);
  return typeof place === "string" ? place : userOf(world, place, user) ? undefined : "unauthorized";
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
  const namespace = world.rows(namespaces, place.region, place.account).get(`${place.registry.id}/${transfer.namespace}`);
  const isOpen = transfer.doing === "pull" && namespace?.isPublic === true;
  const user = transfer.user && userOf(world, place, transfer.user);
  if (!user && (transfer.user || !isOpen)) return "unauthorized";
  if (!isOpen && user && !user.may(transfer)) return "403";
  if (!namespace) return "not found";
  return transfer.doing === "push" ? undefined : pullComplaintOf(world, place, namespace, transfer);
}

function pullComplaintOf(
  world: World,
  { region, account, registry }: Place,
  namespace: NamespaceRow,
  transfer: Transfer,
): string | undefined {
  const repository = repositoryIdOf({ registryId: registry.id, namespace: namespace.name, repository: transfer.repository });
  const image = world.rows(images, region, account).get(`${repository}:${transfer.version}`);
  if (!image) return "not found";
  const { severity: least, cves } = namespace;
  const counting = least === undefined ? [] : severities.slice(severities.indexOf(least));
  const blocking = image.vulnerabilities.some(({ cveId, severity }) => counting.includes(severity) && !cves.includes(cveId));
  return blocking ? "blocked" : undefined;
}

/** The registry behind a server, or the error if the client cannot reach it. */
function placeOf(world: World, server: string, from: ClientLocation): Place | "timeout" | "403" {
  const now = world.now();
  const place = everyRegistry(world).find(
    (one) => server === publicDomainOf(one.registry) || ("vpcId" in from && resolves(world, one, server, from.vpcId)),
  );
  if (!place || registryStatusAt(place.registry, now) !== "Running") return "timeout";
  if ("vpcId" in from) return resolves(world, place, server, from.vpcId) ? place : "timeout";
  if (externalEndpointStateAt(place.registry, now) !== "Opened") return "timeout";
  const entries = world.rows(whitelists, place.region, place.account).get(place.registry.id)?.entries ?? [];
  return entries.some(({ cidrBlock }) => isWithin(cidrBlock, from.clientIp)) ? place : "403";
}

function everyRegistry(world: World): Place[] {
  return mainAccounts(world).flatMap((account) =>
    regions.flatMap((region) =>
      world
        .rows(registries, region, account)
        .list()
        .map((registry) => ({ region, account, registry })),
    ),
  );
}

function resolves(world: World, { region, account, registry }: Place, domain: string, vpcId: string): boolean {
  const name = world.rows(internalNames, region, account).get(`${registry.id}/${vpcId}/${domain}`);
  return internalDnsStateAt(name?.timeline, world.now()) === "ENABLE";
}

interface User {
  readonly may: (transfer: Pick<Transfer, "doing" | "namespace">) => boolean;
}

/** The user of these credentials: a user of the account, who may do everything, or a service account. `undefined` if they are invalid. */
function userOf(world: World, { region, account, registry: { id } }: Place, { username, password }: Credentials): User | undefined {
  const now = world.now();
  const fingerprint = fingerprintOf(password);
  const token = world
    .rows(registryTokens, region, account)
    .list(id)
    .find((one) => one.username === username && one.fingerprint === fingerprint);
  if (token) return token.enabled && now < token.expiresAt ? { may: () => true } : undefined;
  const user = world.rows(serviceAccounts, region, account).get(`${id}/${username}`);
  const isValid = user?.fingerprint === fingerprint && !user.disabled && (user.expiresAt === -1 || now < user.expiresAt);
  if (!isValid) return undefined;
  const { permissions } = user;
  return {
    may: ({ doing, namespace }) =>
      permissions.some(
        ({ resource, actions }) =>
          resource === `${namespace}/` && actions.includes(doing === "push" ? "reg:PushRepository" : "reg:PullRepository"),
      ),
  };
}
