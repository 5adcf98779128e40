import { setTimeout as sleep } from "node:timers/promises";
import { type Cloud, PlatformError, type Readings } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { changesBetween } from "./permission-events.ts";

/** One permission of a user. */
export interface Grant {
  readonly clusterId: string;
  readonly roleName: string;
  readonly roleType: cluster.RoleType;
  /** The namespace of a grant of type `namespace`. */
  readonly namespace?: string | undefined;
}

interface Request {
  /** Whether there was something to do about it. */
  changed: boolean;
  readonly grant: Grant;
  readonly wished: boolean;
  readonly done: (changed: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** Rounds until it is given up that the platform shows what it was told, and attempts until it is given up that it does it. */
const mostRounds = 12;
/** The longest pause between two rounds, in milliseconds. */
const longestPause = 2000;

const ledgers = new WeakMap<Readings, Map<string, Ledger>>();

/** The permissions of a user, in one place of the process. */
export function ledgerOf(cloud: Cloud, targetUin: string): Ledger {
  let ofUsers = ledgers.get(cloud.readings);
  if (!ofUsers) ledgers.set(cloud.readings, (ofUsers = new Map<string, Ledger>()));
  let ledger = ofUsers.get(targetUin);
  if (!ledger) ofUsers.set(targetUin, (ledger = new Ledger(cloud, targetUin)));
  return ledger;
}

/**
 * Changes single permissions of a user through an operation that sets all of them at once: reads, merges, writes, and looks again.
 * What is asked for while a write is under way is written together with the next.
 */
class Ledger {
  readonly #cloud: Cloud;
  readonly #targetUin: string;
  #waiting: Request[] = [];
  #writing = false;

  constructor(cloud: Cloud, targetUin: string) {
    this.#cloud = cloud.tolerating(0);
    this.#targetUin = targetUin;
  }

  /** Sees to it that the user has a permission, or no longer has it. False if that was so already. */
  set(grant: Grant, wished: boolean): Promise<boolean> {
    return new Promise((done, failed) => {
      this.#waiting.push({ changed: false, grant, wished, done, failed });
      if (!this.#writing) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#writing = true;
    // Whatever else is asked for in this moment is taken along.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#settle(batch);
        for (const { done, changed } of batch) done(changed);
      } catch (error) {
        if (batch.length === 1) batch[0]?.failed(error);
        // One of them may have spoilt it for the others.
        else
          for (const request of batch)
            await this.#settle([request]).then(() => {
              request.done(request.changed);
            }, request.failed);
      }
    }
    this.#writing = false;
  }

  async #settle(batch: readonly Request[]): Promise<void> {
    for (let round = 1; round <= mostRounds; round++) if (await patiently(() => this.#round(batch))) return;
    throw new Error(`the permissions of ${this.#targetUin} keep being changed by somebody else: try again`);
  }

  /** One reading, and a write if need be; true once nothing had to be written. */
  async #round(batch: readonly Request[]): Promise<boolean> {
    const [cloud, targetUin] = [this.#cloud, this.#targetUin];
    const { permissions: there, requestId: read } = await cloud.call(cluster.describeUserPermissions, { targetUin });
    for (const request of batch) request.changed ||= request.wished !== holds(there, request.grant);
    const gone = batch.filter(({ wished, grant }) => !wished && holds(there, grant)).map(({ grant }) => grant);
    const missing = batch.filter(({ wished, grant }) => wished && !holds(there, grant)).map(({ grant }) => grant);
    if (gone.length > 0) await cloud.call(cluster.deleteUserPermissions, { targetUin, permissions: gone.map(itemOf) });
    if (missing.length > 0) {
      const kept = there.filter((one) => !holds(gone, one));
      await this.#grant([...kept, ...missing], missing, { read, at: cloud.now() });
    }
    return gone.length + missing.length === 0;
  }

  /** Writes the whole list. What somebody else has changed since it was read would be lost: the audit log tells of it. */
  async #grant(list: readonly Grant[], ours: readonly Grant[], since: { readonly read: string; readonly at: number }): Promise<void> {
    const [cloud, targetUin] = [this.#cloud, this.#targetUin];
    const { requestId: write } = await cloud.call(cluster.grantUserPermissions, { targetUin, permissions: list.map(itemOf) });
    const theirs = (await changesBetween(cloud, targetUin, { ...since, write })).reduce<readonly Grant[]>(
      (sofar, change) => (change.all ? change.grants : sofar.filter((one) => !holds(change.grants, one))),
      list,
    );
    const merged = [...theirs, ...ours.filter((grant) => !holds(theirs, grant))];
    // Read anew, they would be gone: this has to be written, however busy the platform is.
    if (merged.length !== list.length || !merged.every((grant) => holds(list, grant)))
      await patiently(() => this.#grant(merged, ours, { read: write, at: since.at }));
  }
}

/** Tries again while the platform is busy with something else. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= mostRounds || !isWorthAnother(error)) throw error;
    }
    await sleep(Math.min(longestPause, 100 * 2 ** attempt) * (0.5 + Math.random() / 2));
  }
}

function holds(list: readonly Grant[], grant: Grant): boolean {
  return list.some((one) => isSame(one, grant));
}

function isSame(one: Grant, other: Grant): boolean {
  return (
    one.clusterId === other.clusterId &&
    one.roleName === other.roleName &&
    one.roleType === other.roleType &&
    (one.namespace ?? "") === (other.namespace ?? "")
  );
}

/** What describing does not tell follows from the name: a role is a custom one if it is none of the presets (specification, Authentication 5). */
function itemOf({ clusterId, roleName, roleType, namespace }: Grant) {
  return { clusterId, roleName, roleType, namespace: namespace || undefined, isCustom: !Object.hasOwn(cluster.presetRoles, roleName) };
}

function isWorthAnother(error: unknown): boolean {
  return error instanceof PlatformError && ["inUse", "transient", "throttled", "unreachable", "conflict"].includes(error.kind);
}
