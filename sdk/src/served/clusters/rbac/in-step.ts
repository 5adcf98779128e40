import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { roleId } from "../../../local/cluster/access/permissions.ts";
import { clusterRoles, permissions } from "../../../local/cluster/tables.ts";
import type { World } from "../../../local/store/world.ts";
import type { ApiAnswer, Change } from "../control-plane/api-client.ts";
import { type ControlPlane, whileRunning } from "../control-plane/control-plane.ts";
import { desiredBindings, isManaged, type ManagedObject, managedOnly, pathOfBinding, presetObjects, rbacPath } from "./objects.ts";

/** Objects with their metadata alone: the rules of a role do not matter here. */
const metadataOnly =
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

interface Role {
  readonly id: string;
  /** Empty for a ClusterRole. */
  readonly namespace: string;
  readonly name: string;
}

/** The roles of a running cluster, which are those of the world that permissions can name. */
class RoleNames {
  readonly #world: World;
  readonly #plane: ControlPlane;
  readonly #known = new Map<string, Role>();
  #isComplete = false;

  private constructor(world: World, plane: ControlPlane) {
    this.#world = world;
    this.#plane = plane;
  }

  /** Makes the preset roles, and then those that the world has and the cluster does not: they allow nothing until somebody gives them rules. */
  static async begin(world: World, plane: ControlPlane, following: Following): Promise<RoleNames> {
    const names = new RoleNames(world, plane);
    for (const { path, body } of presetObjects) await plane.api.apply(path, body);
    const changed = (change: ChangedObject) => names.#changed(change);
    await Promise.all(["clusterroles", "roles"].map((kind) => following.begin(`${rbacPath}/${kind}`, changed, metadataOnly)));
    for (const role of names.#rows().list(plane.clusterId)) if (!names.#known.has(role.id)) await names.#make(role);
    names.#isComplete = true;
    await names.#tell([...names.#known.values()], []);
    return names;
  }

  has(namespace: string, name: string): boolean {
    return this.#known.has(this.#idOf(namespace, name));
  }

  async #make({ namespace, name }: Role): Promise<void> {
    const collection = namespace === "" ? "clusterroles" : `namespaces/${namespace}/roles`;
    const kind = namespace === "" ? "ClusterRole" : "Role";
    // Its namespace may not be there: then nobody can have it.
    await this.#plane.api.ask("POST", `${rbacPath}/${collection}`, {
      body: { apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata: { name }, rules: [] },
    });
  }

  async #changed({ type, object }: ChangedObject): Promise<void> {
    const { namespace = "", name, labels } = object.metadata;
    if (isManaged(labels)) {
      const preset = presetObjects.find(({ name: one }) => one === name);
      if (preset && type !== "ADDED") await this.#plane.api.apply(preset.path, preset.body);
      return;
    }
    const role = { id: this.#idOf(namespace, name), namespace, name };
    if (type === "DELETED") this.#known.delete(role.id);
    else this.#known.set(role.id, role);
    if (this.#isComplete) await this.#tell(type === "DELETED" ? [] : [role], type === "DELETED" ? [role] : []);
  }

  /** Has the world know roles that are there, and forget those that are gone. */
  async #tell(there: readonly Role[], gone: readonly Role[]): Promise<void> {
    const rows = this.#rows();
    if (there.every(({ id }) => rows.get(id)) && gone.every(({ id }) => !rows.get(id))) return;
    await this.#world.transaction(() => {
      for (const role of there) if (!rows.get(role.id)) rows.insert(role, this.#plane.clusterId);
      for (const { id } of gone) rows.remove(id);
    });
  }

  #rows() {
    return this.#world.rows(clusterRoles, this.#plane.region, this.#plane.account);
  }

  #idOf(namespace: string, name: string): string {
    return roleId({ clusterId: this.#plane.clusterId, namespace, name });
  }
}

export type ChangedObject = Exclude<Change, { readonly type: "SYNCED" }>;

/** Follows collections of a cluster until it is disposed of, or the control plane ends. */
class Following implements AsyncDisposable {
  readonly #plane: ControlPlane;
  readonly #report: (mistake: unknown) => void;
  readonly #stopping = new AbortController();
  readonly #all: Promise<void>[] = [];

  constructor(plane: ControlPlane, report: (mistake: unknown) => void) {
    this.#plane = plane;
    this.#report = whileRunning(plane, report);
  }

  /**
   * Begins to follow the collection at a path. Is resolved once all has been told that was there.
   *
   * @param changed is called for what is there, and then for each change, one after the other
   */
  begin(path: string, changed: (change: ChangedObject) => Promise<void>, accept?: string): Promise<void> {
    const { signal } = this.#stopping;
    return new Promise((resolve, reject) => {
      const follow = async () => {
        for await (const change of this.#plane.api.follow(path, signal, accept))
          if (change.type === "SYNCED") resolve();
          else await changed(change);
      };
      this.#all.push(
        follow().catch((error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)));
          if (!signal.aborted) this.#report(error);
        }),
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#all);
  }
}

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
    await Promise.all(kinds.map((kind) => following.begin(`${rbacPath}/${kind}?${managedOnly}`, changed)));
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
