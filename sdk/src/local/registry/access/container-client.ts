import { severities } from "../../../catalogue/registry/structures.ts";
import { mainAccounts } from "../../accounts/accounts.ts";
import { regions } from "../../places.ts";
import { isWithin } from "../../vpc/guarding.ts";
import type { World } from "../../store/world.ts";
import { publicDomainOf } from "../instances/domains.ts";
import { fingerprintOf } from "./secrets.ts";
import { externalEndpointStateAt, internalDnsStateAt, registryStatusAt } from "../states.ts";
import { shelfId } from "../content/shelf.ts";
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

/** What a container client meets at a registry, from outside of the platform or inside of one of its VPCs. */

/** Where the client is: an address outside of the platform, or a VPC of a region. */
type Standpoint = { readonly clientIp: string } | { readonly region: string; readonly vpcId: string };

interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface Login extends Credentials {
  readonly server: string;
  readonly from: Standpoint;
}

/** A registry, and whose it is. */
interface Place {
  readonly region: string;
  readonly account: string;
  readonly registry: RegistryRow;
}

/**
 * What a container client meets that logs in to a registry: `undefined` if it gets in, otherwise its complaint. From outside the
 * public endpoint has to be open (`timeout`) and its whitelist to let it in (`403`); in a VPC, the server has to be a name that
 * resolves there (`timeout`). A token that is missing, disabled or expired is `unauthorized` (specification, Registry access rules).
 */
export function loginComplaintOf(world: World, { server, from, ...user }: Login): string | undefined {
  const place = placeOf(world, server, from);
  return typeof place === "string" ? place : userOf(world, place, user) ? undefined : "unauthorized";
}

interface Transfer {
  readonly server: string;
  readonly from: Standpoint;
  /** Who is logged in; nobody unless given. */
  readonly user?: Credentials;
  readonly doing: "push" | "pull";
  readonly namespace: string;
  readonly repository: string;
  readonly version: string;
}

/**
 * What a container client meets that pushes or pulls an image: as with a login, and `403` without permission for the repository.
 * Images of public namespaces are pulled by everyone. What is not there is `not found`; an image that the namespace's
 * severity blocks is `blocked`, unless its vulnerabilities do not count there.
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
  const repository = shelfId({ registryId: registry.id, namespace: namespace.name, repository: transfer.repository });
  const image = world.rows(images, region, account).get(`${repository}:${transfer.version}`);
  if (!image) return "not found";
  const { severity: least, cves } = namespace;
  const counting = least === undefined ? [] : severities.slice(severities.indexOf(least));
  const blocking = image.vulnerabilities.some(({ cveId, severity }) => counting.includes(severity) && !cves.includes(cveId));
  return blocking ? "blocked" : undefined;
}

/** The registry behind a server, or why it is not reached. */
function placeOf(world: World, server: string, from: Standpoint): Place | "timeout" | "403" {
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
  readonly may: (wish: Pick<Transfer, "doing" | "namespace">) => boolean;
}

/** Who logs in with these: a user of the account, who may everything, or a service account. Nobody if they are not valid. */
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
