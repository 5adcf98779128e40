import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { permissions } from "../../local/cluster/tables.ts";
import type { World } from "../../local/store/world.ts";
import type { ApiAnswer } from "../control-plane/api-client.ts";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import { type ChangedObject, Following } from "./following.ts";
import { desiredBindings, managedOnly, type ManagedObject, pathOfBinding, rbacPath } from "./objects.ts";
import { RoleNames } from "./role-names.ts";

/** How long a cluster may take to tell of what was done, in milliseconds. It tells nothing of what was so already. */
const longestHearing = 2000;

const review = z.looseObject({ status: z.looseObject({ allowed: z.boolean() }) });

interface Given {
  readonly world: World;
  /** Is called for a user who may do less in a cluster than before. */
  readonly lost: (clusterId: string, uin: string) => void;
  readonly report: (mistake: unknown) => void;
}

/**
 * Keeps the permissions of the platform and the bindings of a running cluster in step. A permission is a binding, which goes when the
 * permission goes; if somebody deletes the binding in the cluster, the permission goes. Bindings that others have made are theirs.
 */
export class PermissionsInStep implements AsyncDisposable {
  readonly #plane: ControlPlane;
  readonly #given: Given;
  readonly #following: Following;
  readonly #roles: RoleNames;
  /** The bindings of the platform that are in the cluster, by their paths. */
  readonly #made = new Map<string, ManagedObject>();
  /** Those that could not be made, as their namespaces are not there. They are tried again. */
  readonly #pending = new Set<string>();
  /** What is to be done once the cluster tells of a binding. */
  readonly #awaited = new Map<string, () => void>();
  #turn: Promise<void> = Promise.resolve();
  /** The paths of the bindings that had to be there when it was looked last. */
  #settled: string | undefined;

  private constructor(plane: ControlPlane, given: Given, following: Following, roles: RoleNames) {
    this.#plane = plane;
    this.#given = given;
    this.#following = following;
    this.#roles = roles;
  }

  static async begin(plane: ControlPlane, given: Given): Promise<PermissionsInStep> {
    const following = new Following(plane, given.report);
    const roles = await RoleNames.begin(given.world, plane, following);
    const inStep = new PermissionsInStep(plane, given, following, roles);
    // What the cluster has from the run before may have been changed since.
    for (const [path, object] of inStep.#desired()) inStep.#note(object, await plane.api.apply(path, object.body));
    await inStep.#mainIsKnown();
    const changed = (change: ChangedObject) => inStep.#changed(change);
    const kinds = ["clusterrolebindings", "rolebindings"];
    await Promise.all(kinds.map((kind) => following.begin({ path: `${rbacPath}/${kind}?${managedOnly}`, changed })));
    await inStep.settle();
    return inStep;
  }

  /**
   * Has the permissions hold in the cluster as they are now.
   *
   * @param isTrying whether what could not be made before is tried again
   */
  settle({ isTrying = true } = {}): Promise<void> {
    const isSettled = (this.#pending.size === 0 || !isTrying) && this.#settled === pathsOf(this.#desired());
    if (!isSettled) this.#turn = this.#turn.catch(() => undefined).then(() => this.#settle());
    return this.#turn;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#following[Symbol.asyncDispose]();
  }

  #desired(): Map<string, ManagedObject> {
    return desiredBindings(this.#given.world, this.#plane, (namespace, name) => this.#roles.has(namespace, name));
  }

  /** Waits until the cluster knows that the main account may do everything, which it was told with all other permissions of the start. */
  async #mainIsKnown(): Promise<void> {
    const { api, account: user } = this.#plane;
    const body = { spec: { user, resourceAttributes: { group: "*", resource: "*", verb: "*" } } };
    for (const end = performance.now() + longestHearing; performance.now() < end;) {
      const answer = review.parse(await api.expect("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", { body }));
      await sleep(20);
      if (answer.status.allowed) break;
    }
  }

  async #settle(): Promise<void> {
    const desired = this.#desired();
    for (const [path, object] of this.#made) if (!desired.has(path)) await this.#remove(object);
    for (const path of this.#pending) if (!desired.has(path)) this.#pending.delete(path);
    for (const [path, object] of desired)
      if (!this.#made.has(path)) this.#note(object, await this.#known(path, this.#plane.api.apply(path, object.body)));
    this.#settled = pathsOf(desired);
  }

  async #remove(object: ManagedObject): Promise<void> {
    const { path, permission } = object;
    // First, so that it is not taken for a deletion by others.
    this.#made.delete(path);
    const { status, body } = await this.#known(path, this.#plane.api.ask("DELETE", path));
    if (status >= 300 && status !== 404) {
      this.#made.set(path, object);
      throw new Error(`${path} could not be deleted: ${status} ${JSON.stringify(body)}`);
    }
    if (permission) this.#given.lost(this.#plane.clusterId, permission.uin);
  }

  #note(object: ManagedObject, { status }: ApiAnswer): void {
    const isMade = status === 200 || status === 201;
    if (isMade) this.#made.set(object.path, object);
    if (isMade) this.#pending.delete(object.path);
    else this.#pending.add(object.path);
  }

  /** Does something to a binding, and waits until the cluster knows: who is let in is decided by what it has heard, not by what is stored. */
  async #known(path: string, doing: Promise<ApiAnswer>): Promise<ApiAnswer> {
    const heard = new Promise<void>((resolve) => this.#awaited.set(path, resolve));
    const answer = await doing;
    const isChanged = answer.status < 300;
    if (isChanged) await Promise.race([heard, this.#plane.ended, sleep(longestHearing, undefined, { ref: false })]);
    this.#awaited.delete(path);
    // Others in the cluster may hear a moment later than this.
    if (isChanged) await sleep(20);
    return answer;
  }

  async #changed({ type, object }: ChangedObject): Promise<void> {
    const { namespace = "", name } = object.metadata;
    const path = pathOfBinding(namespace, name);
    this.#awaited.get(path)?.();
    const made = this.#made.get(path);
    if (type === "MODIFIED" && made) await this.#plane.api.apply(path, made.body);
    // One of an earlier run, whose permission is gone.
    if (type !== "DELETED" && !made && !this.#desired().has(path)) this.#made.set(path, { path, body: object });
    if (type === "DELETED" && made) await this.#deleted(made);
  }

  /** Somebody has deleted a binding in the cluster. The main account's own is made again. */
  async #deleted({ path, permission }: ManagedObject): Promise<void> {
    this.#made.delete(path);
    this.#settled = undefined;
    const { region, account, clusterId } = this.#plane;
    if (permission) {
      await this.#given.world.transaction(() => {
        this.#given.world.rows(permissions, region, account).remove(permission.id);
      });
      this.#given.lost(clusterId, permission.uin);
    }
    // Not waited for: what it waits for is told here.
    this.settle().catch(this.#given.report);
  }
}

function pathsOf(objects: ReadonlyMap<string, unknown>): string {
  return [...objects.keys()].join("\n");
}
