import { addressFamily, contains } from "../../addresses.ts";
import type { RegistryStatus } from "../../catalogue/registry/states.ts";
import { InputError } from "../../errors.ts";
import { mainAccounts } from "../accounts/accounts.ts";
import { regions } from "../places.ts";
import { settled } from "../timeline.ts";
import type { World } from "../world.ts";
import { publicDomainOf } from "./domains.ts";
import { applyRetention } from "./retention-runs.ts";
import { fingerprintOf } from "./secrets.ts";
import { externalEndpointStateAt, internalDnsStateAt, type Moment, registryStatusAt } from "./states.ts";
import { pushImage } from "./store.ts";
import { buckets, internalNames, namespaces, registries, type RegistryRow, registryTokens, serviceAccounts, whitelists } from "./tables.ts";

/** What happens to registries outside of the interface: tests put it into the world, and look from where a container client stands. */

interface PushedImage {
  readonly region: string;
  readonly registryId: string;
  readonly namespace: string;
  readonly repository: string;
  readonly version: string;
  /** When it was pushed, milliseconds since 1970; now unless given. */
  readonly pushedAt?: number;
  /** `sha256:` and 64 hexadecimal digits; drawn unless given. */
  readonly digest?: string;
  /** Bytes; 10 MB unless given. */
  readonly size?: number;
}

/**
 * Puts an image into a registry as a push does: its repository is made if need be, an image of the same version is replaced, and
 * replication rules copy it. Answers its digest.
 *
 * @throws InputError if there is no such registry that runs, or no such namespace.
 */
export function putImage(world: World, { region, registryId, namespace, repository, version, ...given }: PushedImage): Promise<string> {
  return world.transaction(() => {
    const at = momentIn(world, region);
    const registry = presentRegistry(at, registryId);
    const status = registryStatusAt(registry, at.now);
    if (status !== "Running") throw new InputError(`registry ${registryId} is ${status}: images are pushed to one that is Running`);
    presentNamespace(at, registryId, namespace);
    applyRetention(at, registryId);
    const digest = given.digest ?? `sha256:${world.draw().toString("hex")}`;
    pushImage(
      at,
      { registryId, namespace, repository },
      { version, digest, size: given.size ?? 10_000_000, pushedAt: given.pushedAt ?? at.now },
    );
    return digest;
  });
}

/** Signs the images of a namespace with a key of the platform, or no longer. */
export function setImageSigning(
  world: World,
  { region, registryId, namespace, signed }: { region: string; registryId: string; namespace: string; signed: boolean },
): Promise<void> {
  return world.transaction(() => {
    presentNamespace(momentIn(world, region), registryId, namespace);
    world.rows(namespaces, region).update(`${registryId}/${namespace}`, { signed });
  });
}

/** Lets a registry be in a state that it gets into by itself, such as `Unhealthy` or `Isolate`. */
export function setRegistryStatus(
  world: World,
  { region, registryId, status, reason }: { region: string; registryId: string; status: RegistryStatus; reason?: string },
): Promise<void> {
  return world.transaction(() => {
    presentRegistry(momentIn(world, region), registryId);
    const timeline = { ...settled(status), ...(reason !== undefined && { reason }) };
    world.rows(registries, region).update(registryId, { doing: "Update", timeline });
  });
}

/** The storage buckets of a region, each with the registry that it was made for: they outlive it unless they are deleted with it. */
export function bucketsIn(world: World, region: string): { id: string; registryId: string }[] {
  return world.rows(buckets, region).list();
}

interface Login {
  readonly server: string;
  readonly username: string;
  readonly password: string;
  /** Where the client is: an address outside of the platform, or a VPC of a region. */
  readonly from: { readonly clientIp: string } | { readonly region: string; readonly vpcId: string };
}

/**
 * What a container client meets that logs in to a registry: `undefined` if it gets in, otherwise its complaint. From outside the
 * public endpoint has to be open (`timeout`) and its whitelist to let it in (`403`); in a VPC, the server has to be a name that
 * resolves there (`timeout`). A token that is missing, disabled or expired is `unauthorized` (specification, Registry access rules).
 */
export function loginComplaintOf(world: World, { server, username, password, from }: Login): string | undefined {
  const now = world.now();
  const place = everyRegistry(world).find(
    (at) => server === publicDomainOf(at.registry) || ("vpcId" in from && resolves(world, at, server, from.vpcId)),
  );
  if (!place || registryStatusAt(place.registry, now) !== "Running") return "timeout";
  const { region, account, registry } = place;
  if ("vpcId" in from) {
    if (!resolves(world, place, server, from.vpcId)) return "timeout";
  } else {
    if (externalEndpointStateAt(registry, now) !== "Opened") return "timeout";
    const entries = world.rows(whitelists, region, account).get(registry.id)?.entries ?? [];
    if (!entries.some(({ cidrBlock }) => contains(whole(cidrBlock), whole(from.clientIp)))) return "403";
  }
  return knows(world, place, { username, password }) ? undefined : "unauthorized";
}

/** A registry, and whose it is. */
interface Place {
  readonly region: string;
  readonly account: string;
  readonly registry: RegistryRow;
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

function knows(world: World, { region, account, registry: { id } }: Place, given: Pick<Login, "username" | "password">): boolean {
  const now = world.now();
  const fingerprint = fingerprintOf(given.password);
  const token = world
    .rows(registryTokens, region, account)
    .list(id)
    .find((one) => one.username === given.username && one.fingerprint === fingerprint);
  if (token) return token.enabled && now < token.expiresAt;
  const user = world.rows(serviceAccounts, region, account).get(`${id}/${given.username}`);
  return user?.fingerprint === fingerprint && !user.disabled && (user.expiresAt === -1 || now < user.expiresAt);
}

function whole(text: string): string {
  return text.includes("/") ? text : `${text}/${addressFamily(text) === 6 ? 128 : 32}`;
}

function momentIn(world: World, region: string): Moment {
  return { world, region, account: world.account, now: world.now() };
}

function presentRegistry({ world, region }: Moment, registryId: string): RegistryRow {
  const found = world.rows(registries, region).get(registryId);
  if (!found) throw new InputError(`there is no registry ${registryId} in ${region} of this world`);
  return found;
}

function presentNamespace({ world, region }: Moment, registryId: string, namespace: string): void {
  if (!world.rows(namespaces, region).get(`${registryId}/${namespace}`))
    throw new InputError(`registry ${registryId} has no namespace ${namespace} in this world`);
}
