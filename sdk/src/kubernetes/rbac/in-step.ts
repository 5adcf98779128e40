import { permissions } from "../../local/cluster/access/permission-tables.ts";
import type { World } from "../../local/store/world.ts";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import { type ChangedObject, Following } from "./following.ts";
import { desiredBindings, managedOnly, type ManagedObject, pathOfBinding, rbacPath } from "./objects.ts";
import { RoleNames } from "./role-names.ts";

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
    for (const [path, object] of inStep.#desired()) await inStep.#make(path, object);
    const changed = (change: ChangedObject) => inStep.#changed(change);
    const kinds = ["clusterrolebindings", "rolebindings"];
    await Promise.all(kinds.map((kind) => following.begin({ path: `${rbacPath}/${kind}?${managedOnly}`, changed })));
    await inStep.settle();
    return inStep;
  }

  /** Has the permissions hold in the cluster as they are now. */
  settle(): Promise<void> {
    const isSettled = this.#pending.size === 0 && this.#settled === pathsOf(this.#desired());
    if (!isSettled) this.#turn = this.#turn.catch(() => undefined).then(() => this.#settle());
    return this.#turn;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#following[Symbol.asyncDispose]();
  }

  #desired(): Map<string, ManagedObject> {
    return desiredBindings(this.#given.world, this.#plane, (namespace, name) => this.#roles.has(namespace, name));
  }

  async #settle(): Promise<void> {
    const desired = this.#desired();
    for (const [path, { permission }] of this.#made)
      if (!desired.has(path)) {
        // First, so that it is not taken for a deletion by others.
        this.#made.delete(path);
        await this.#plane.api.expect("DELETE", path, {}, [200, 404]);
        if (permission) this.#given.lost(this.#plane.clusterId, permission.uin);
      }
    for (const path of this.#pending) if (!desired.has(path)) this.#pending.delete(path);
    for (const [path, object] of desired) if (!this.#made.has(path)) await this.#make(path, object);
    this.#settled = pathsOf(desired);
  }

  async #make(path: string, object: ManagedObject): Promise<void> {
    const { status } = await this.#plane.api.apply(path, object.body);
    const isMade = status === 200 || status === 201;
    if (isMade) this.#made.set(path, object);
    if (isMade) this.#pending.delete(path);
    else this.#pending.add(path);
  }

  async #changed({ type, object }: ChangedObject): Promise<void> {
    const { namespace = "", name } = object.metadata;
    const path = pathOfBinding(namespace, name);
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
    await this.settle();
  }
}

function pathsOf(objects: ReadonlyMap<string, unknown>): string {
  return [...objects.keys()].join("\n");
}
