import { called, type Declaration, type Program, Reference } from "./program.ts";
import type { Settings, TemplateName } from "./template.ts";
import { kindOf, templateOf } from "./templates.ts";

/** A resource of a random program. */
export interface RandomResource {
  readonly key: number;
  readonly template: TemplateName;
  readonly name: string;
  /** The resources that it needs, by role. */
  readonly needs: Readonly<Record<string, number>>;
  readonly settings: Settings;
  readonly protect: boolean;
  /** The name that it had in the last run. */
  readonly alias?: string | undefined;
  /** The id of what exists already, and is imported by the next run. */
  readonly imported?: string | undefined;
  /** Whether it is `deletedWith` the cluster or registry that it is in. */
  readonly isContained?: boolean | undefined;
  /** The key of another resource: the option `replaceWith`; and whether it has `deleteBeforeReplace`. */
  readonly replacedWith?: { readonly key: number; readonly first: boolean } | undefined;
}

/** The role of what the platform deletes a resource with. */
const containers: Readonly<Record<string, string>> = {
  ...{ NodePool: "cluster", UserPermission: "cluster", ClusterEndpoint: "pool.cluster" },
  ...{ Token: "registry", ServiceAccount: "namespace.registry", ReplicationRule: "source" },
};

/** A random program that is edited step by step. A resource comes after those that it needs. */
export class RandomProgram {
  #resources: readonly RandomResource[] = [];
  #keys = 0;

  get resources(): readonly RandomResource[] {
    return this.#resources;
  }

  get declarations(): Program {
    return this.#resources.map((resource) => this.#declarationOf(resource));
  }

  /** Adds a resource, and each that it needs and the program does not have. One that there can be only once is not added again. */
  add(template: TemplateName, pick: number): RandomResource {
    const { needs, onceFor } = templateOf(template);
    const needed = Object.entries(needs).map(([role, name]) => [role, this.#oneOf(name, pick).key] as const);
    const resource = this.#made(template, Object.fromEntries(needed));
    const existing =
      onceFor !== undefined &&
      this.#resources.find((one) => one.template === template && this.#at(one, onceFor).key === this.#at(resource, onceFor).key);
    if (existing) return existing;
    this.#resources = [...this.#resources, resource];
    return resource;
  }

  /** Removes a resource, and all that need it. */
  remove(resource: RandomResource): void {
    const gone = new Set([resource.key]);
    for (const one of this.#resources) if (Object.values(one.needs).some((key) => gone.has(key))) gone.add(one.key);
    this.#resources = this.#resources.filter(({ key }) => !gone.has(key));
  }

  edit(resource: RandomResource, change: Partial<RandomResource>): void {
    this.#resources = this.#resources.map((one) => (one.key === resource.key ? { ...one, ...change } : one));
  }

  editAll(change: Partial<RandomResource>): void {
    this.#resources = this.#resources.map((one) => ({ ...one, ...change }));
  }

  /** A number that no resource has had before. */
  next(): number {
    return ++this.#keys;
  }

  #made(template: TemplateName, needs: RandomResource["needs"]): RandomResource {
    const key = this.next();
    return {
      key,
      template,
      name: `${template.toLowerCase()}-${key}`,
      needs,
      settings: { version: 0, place: key, half: false },
      protect: false,
    };
  }

  #oneOf(template: TemplateName, pick: number): RandomResource {
    const those = this.#resources.filter((resource) => resource.template === template);
    return those[pick % Math.max(1, those.length)] ?? this.add(template, pick);
  }

  /** What a resource needs by a role, such as `subnet.vpc`. */
  #at(resource: RandomResource, path: string): RandomResource {
    const [role = "", ...rest] = path.split(".");
    const found = this.#resources.find(({ key }) => key === resource.needs[role]);
    if (!found) throw new Error(`${resource.name} has no ${path}`);
    return rest.length === 0 ? found : this.#at(found, rest.join("."));
  }

  #declarationOf(resource: RandomResource): Declaration {
    const { template, name, settings, protect, alias, imported, isContained, replacedWith } = resource;
    const inputs = templateOf(template).args(settings, (role, property, part) => {
      const needed = this.#at(resource, role);
      return new Reference(calledOf(needed), property, part);
    });
    const container = containers[kindOf(template)];
    const source = this.#resources.find(({ key }) => key === replacedWith?.key);
    return {
      type: kindOf(template),
      name,
      args: inputs,
      protect,
      ...(alias === undefined ? {} : { aliases: [alias] }),
      ...(imported === undefined ? {} : { import: imported }),
      ...(isContained && container !== undefined ? { deletedWith: calledOf(this.#at(resource, container)) } : {}),
      ...(source && replacedWith ? { replaceWith: calledOf(source), ...(replacedWith.first ? { first: true } : {}) } : {}),
    };
  }
}

function calledOf({ template, name }: RandomResource): string {
  return called({ type: kindOf(template), name });
}
