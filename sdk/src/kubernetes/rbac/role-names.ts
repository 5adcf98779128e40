import { roleId } from "../../local/cluster/access/permissions.ts";
import { clusterRoles } from "../../local/cluster/tables.ts";
import type { World } from "../../local/store/world.ts";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import { isManaged, presetObjects, rbacPath } from "./objects.ts";
import type { ChangedObject, Following } from "./following.ts";

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
export class RoleNames {
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
    await Promise.all(
      ["clusterroles", "roles"].map((kind) => following.begin({ path: `${rbacPath}/${kind}`, accept: metadataOnly, changed })),
    );
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
