import { setTimeout as sleep } from "node:timers/promises";
import { type Cloud, PlatformError, type Readings } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { permissionsAsOf } from "@container-platform/sdk/finders/cluster";
import { ProviderError } from "../../../definition/codes.ts";
import { readDelay } from "../../../definition/context.ts";
import { AfterWriting } from "../../../definition/failures.ts";
import { changesBetween } from "./permission-events.ts";

/** One permission of a user. */
export interface Grant {
  readonly clusterId: string;
  readonly roleName: string;
  readonly roleType: cluster.RoleType;
  /** The namespace of a grant of type `namespace`. */
  readonly namespace?: string | undefined;
}

/** A permission that is to be there, or not. */
interface Change {
  readonly grant: Grant;
  readonly desired: boolean;
}

interface Request extends Change {
  /** Whether the permissions had to be changed for it. */
  changed: boolean;
  /** Whether the platform has taken such a change. */
  written: boolean;
  readonly done: (changed: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** The most rounds of reading and writing, and the most attempts of one call, before this gives up. */
const maxRounds = 12;
/** The longest pause between two attempts, in milliseconds. */
const longestPause = 2000;

const ledgers = new WeakMap<Readings, Map<string, Ledger>>();

/** The one ledger for a user's permissions in this process. */
export function ledgerOf(cloud: Cloud, targetUin: string): Ledger {
  let ofUsers = ledgers.get(cloud.readings);
  if (!ofUsers) ledgers.set(cloud.readings, (ofUsers = new Map<string, Ledger>()));
  let ledger = ofUsers.get(targetUin);
  if (!ledger) ofUsers.set(targetUin, (ledger = new Ledger(cloud, targetUin)));
  return ledger;
}

/**
 * Changes single permissions of a user with an operation that sets all of them at once: it reads, merges, writes, and reads again.
 * Requests that arrive during a write are written together afterwards.
 */
class Ledger {
  readonly #cloud: Cloud;
  readonly #targetUin: string;
  #waiting: Request[] = [];
  /** The permissions that own writes have just replaced. A read that is late still shows them. */
  #replaced: readonly { readonly list: readonly Grant[]; readonly until: number }[] = [];
  #writing = false;

  constructor(cloud: Cloud, targetUin: string) {
    this.#cloud = cloud.tolerating(0);
    this.#targetUin = targetUin;
  }

  /** Grants a permission or takes it away. Resolves to false if nothing had to be changed. */
  set(grant: Grant, desired: boolean): Promise<boolean> {
    return new Promise((done, failed) => {
      this.#waiting.push({ changed: false, written: false, grant, desired, done, failed });
      if (!this.#writing) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#writing = true;
    // Requests of the same moment are written together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      // One request may make all of them fail: then each is settled alone.
      if (batch.length === 1 || !(await this.#finish(batch, false))) for (const request of batch) await this.#finish([request], true);
    }
    this.#writing = false;
  }

  /** Whether all of some requests are met. `last`: if not, they fail. */
  async #finish(batch: readonly Request[], last: boolean): Promise<boolean> {
    try {
      await this.#settle(batch);
      for (const { done, changed } of batch) done(changed);
      return true;
    } catch (error) {
      if (last) for (const { failed, written } of batch) failed(written ? new AfterWriting(error) : error);
      return false;
    }
  }

  async #settle(batch: readonly Request[]): Promise<void> {
    for (let round = 1; round <= maxRounds; round++) if (await retried(() => this.#round(batch))) return;
    throw new ProviderError("Failed", `the permissions of ${this.#targetUin} keep being changed by somebody else: try again`);
  }

  /** Reads the permissions, and writes them if needed. True if nothing had to be written. */
  async #round(batch: readonly Request[]): Promise<boolean> {
    const { permissions: live, requestId: read, at } = await this.#read();
    const open = batch.filter(({ desired, grant }) => desired !== holds(live, grant));
    for (const request of open) request.changed = true;
    if (open.length === 0) return true;
    // An operation that takes single permissions away is not used: platforms disagree on whether its list is what goes or what stays.
    await this.#grant(merged(live, open), open, { read, at, live }, () => {
      for (const request of batch) request.written ||= request.desired;
    });
    return false;
  }

  /** Reads the permissions, until the reads no longer show what an own write has replaced. */
  async #read() {
    for (let attempt = 1; ; attempt++) {
      const found = await permissionsAsOf(this.#cloud, this.#targetUin);
      this.#replaced = this.#replaced.filter(({ until }) => until > performance.now());
      if (!this.#replaced.some(({ list }) => areSame(list, found.permissions))) return found;
      await pause(attempt);
    }
  }

  /** Writes the whole list. Changes that somebody else has made since it was read would be lost, so they are taken from the audit log. */
  async #grant(
    list: readonly Grant[],
    ours: readonly Change[],
    since: { readonly read: string; readonly at: number; readonly live: readonly Grant[] },
    taken?: () => void,
  ): Promise<void> {
    const [cloud, targetUin] = [this.#cloud, this.#targetUin];
    const { requestId: write } = await cloud.call(cluster.grantUserPermissions, { targetUin, permissions: list.map(itemOf) });
    taken?.();
    const replaced = { list: since.live, until: performance.now() + readDelay };
    this.#replaced = [...this.#replaced, replaced].filter((one) => !areSame(one.list, list));
    const theirs = (await changesBetween(cloud, targetUin, { ...since, write })).reduce<readonly Grant[]>(
      (sofar, change) => (change.all ? change.grants : sofar.filter((one) => !holds(change.grants, one))),
      list,
    );
    const all = merged(theirs, ours);
    // The write may have undone changes of others, which another reading would not show. So this has to be written.
    if (!areSame(all, list)) await retried(() => this.#grant(all, ours, { read: write, at: since.at, live: list }));
  }
}

/** A list of permissions as it is after some changes. */
function merged(list: readonly Grant[], changes: readonly Change[]): Grant[] {
  const gone = changes.filter(({ desired }) => !desired).map(({ grant }) => grant);
  const kept = list.filter((one) => !holds(gone, one));
  return [...kept, ...changes.filter(({ desired, grant }) => desired && !holds(kept, grant)).map(({ grant }) => grant)];
}

const passing = ["inUse", "transient", "throttled", "unreachable", "conflict"];

/** Repeats work that fails because the platform is busy. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= maxRounds || !(error instanceof PlatformError && passing.includes(error.kind))) throw error;
    }
    await pause(attempt);
  }
}

const pause = (attempt: number): Promise<void> => sleep(Math.min(longestPause, 100 * 2 ** attempt) * (0.5 + Math.random() / 2));

const areSame = (list: readonly Grant[], other: readonly Grant[]): boolean =>
  list.length === other.length && list.every((grant) => holds(other, grant));

function holds(list: readonly Grant[], { clusterId, roleName, roleType, namespace = "" }: Grant): boolean {
  return list.some(
    (one) => one.clusterId === clusterId && one.roleName === roleName && one.roleType === roleType && (one.namespace ?? "") === namespace,
  );
}

/** `isCustom` is not returned with the permissions. It follows from the name: all roles but the presets are custom ones (specification, Authentication 5). */
function itemOf({ clusterId, roleName, roleType, namespace }: Grant) {
  return { clusterId, roleName, roleType, namespace: namespace || undefined, isCustom: !Object.hasOwn(cluster.presetRoles, roleName) };
}
