import { listed, type PlatformError, spoken } from "@container-platform/sdk";
import type { Kind } from "../definition/definition.ts";
import { isKeyed, type Node } from "../definition/invariants.ts";
import type { Resource } from "../ownership/session.ts";
import { hasMark, type SavedResource, type StackState } from "../ownership/state.ts";
import { isOfStack, ownershipOf, stackCalled } from "../ownership/tags.ts";
import { reachable } from "../program/graph.ts";
import { called, keptReference, orphanCommand, withRemedies } from "../program/messages.ts";
import { placeOf } from "../schema/paths.ts";
import { pathsLeftOut, schemaOf } from "../schema/parts.ts";
import { nameOf } from "../schema/urn.ts";
import type { Props } from "../schema/values.ts";
import type { Poll } from "./poll.ts";
import { worldOf } from "./world.ts";

/** In seconds: a blocker may disappear on its own for `patience`, and a person may then remove an unmanaged one for `grace`. */
const [patience, grace] = [10, 30];
/** IDs of the platform, such as `subnet-3f8a0c1e`. */
const idForm = /\b[a-z]+-[0-9a-z]{8,}\b/g;
/** The ID of a parent in the name of a part, such as `cls-3f8a0c1e/internal`. */
const parentForm = /\b[a-z]+-[0-9a-z]{8,}(?=\/)/g;

/** A resource that blocks a deletion, and that this update does not manage. */
interface Blocker {
  readonly name: string;
  readonly is: "managed" | "deleted later" | "retained" | "another stack's" | "an orphan" | "unmanaged" | "unknown" | "of an unknown type";
  /** The other stack, as a message calls it. */
  readonly stack?: string;
}

/** A resource that is being deleted, in a message. States of early versions do not record the URN. */
export const calledToDelete = ({ kind, urn }: Pick<Resource, "kind" | "urn">, id: string): string =>
  urn === "" ? `${kind.type} ${id}` : called({ kind, urn });

/** Finds the resources that block a deletion, and explains how to remove them. */
export class Blockers {
  readonly #resource: Resource;
  readonly #poll: Poll;
  readonly #id: string;
  #blockedSince: number | undefined;
  #giveUpAt = Infinity;
  #warned: string | undefined;
  /** The blockers, and how to remove them; `undefined` until some are known. */
  explanation: string | undefined;

  constructor(resource: Resource, poll: Poll, id: string) {
    [this.#resource, this.#poll, this.#id] = [resource, poll, id];
  }

  /** Looks for blockers of a deletion that the API rejects. Returns what the deletion waits for. @throws Error if waiting cannot help */
  async find(error: PlatformError): Promise<string> {
    await this.#find(error);
    const [explanation] = this.explanation?.split("\n", 1) ?? [];
    const seconds = this.#secondsLeft;
    if (explanation === undefined || seconds < 1) return error.reason;
    return `${error.reason}. ${explanation.replace(/\.$/, "")}. Gives up in ${spoken(seconds)}`;
  }

  /** Seconds until the deletion fails. */
  get #secondsLeft(): number {
    return Math.max(0, Math.min(this.#poll.left, (this.#giveUpAt - performance.now()) / 1000));
  }

  async #find(error: PlatformError): Promise<void> {
    const { kind, reason, code, requestId } = error;
    const now = performance.now();
    this.#blockedSince = kind === "inUse" ? (this.#blockedSince ?? now) : undefined;
    const { limit } = this.#poll;
    if (this.#blockedSince === undefined || (now - this.#blockedSince) / 1000 < Math.min(patience, limit / 3)) return;
    const source = `${reason} (${code}, request ${requestId})`;
    const named = [...new Set(reason.match(idForm))].filter((one) => !this.#id.split("/").includes(one));
    // Pulumi deletes the resources of the program that use a recreated one before it.
    const isRecreated = this.#resource.session.graph.isRecreated(this.#resource.kind, this.#id);
    const kept = isRecreated ? [] : await this.#keptUsers(named, reason.match(parentForm) ?? []).catch(() => []);
    if (kept.length > 0) throw new Error([`${source}. ${kept[0]}`, ...kept.slice(1)].join("\n"), { cause: error });
    const blockers = await this.#others(named).catch(() => []);
    const explanation = blockers.length === 0 ? undefined : explanationOf(blockers);
    if (blockers.some(({ is }) => is === "deleted later" || is === "retained"))
      throw new Error(`${source}. ${explanation}`, { cause: error });
    const isSame = explanation === this.#warned;
    if (explanation !== undefined && isSame && this.#secondsLeft === 0) throw new Error(`${source}. ${explanation}`, { cause: error });
    this.explanation = explanation;
    if (explanation === undefined || isSame) return;
    this.#warned = explanation;
    // A node, whose type is unknown, belongs to another blocker.
    const known = blockers.filter(({ is }) => is !== "of an unknown type");
    const isUnmanaged = known.length > 0 && known.every(({ is }) => is === "unmanaged" || is === "an orphan");
    this.#giveUpAt = isUnmanaged ? now + Math.min(grace, limit / 3) * 1000 : Infinity;
    const message = `${explanation}\nThis deletion fails in ${spoken(this.#secondsLeft)} if nothing changes`;
    this.#resource.warn({ code: "InUse", message });
  }

  /** The resources that the program keeps, and that use the deleted one. Of a named parent, these are contained resources. */
  async #keptUsers(named: readonly string[], parents: readonly string[]): Promise<readonly string[]> {
    const { session, cloud } = this.#resource;
    const that = calledToDelete(this.#resource, this.#id);
    const isKept = ({ operation }: Node<Kind>) => operation === "keep" || operation === "import";
    const found = session.graph.all.filter(isKept).map(async (one): Promise<readonly string[]> => {
      const { id = "", kind } = one;
      const users = parents.includes(id) ? session.graph.contained(id).filter(isKept) : [one];
      const itself = named.includes(id.split("/").at(-1) ?? "") ? users.flatMap((user) => this.#useBy(user, that) ?? []) : [];
      const retained = kind.holds?.keeps.find(({ of }) => this.#id.startsWith(`${of}-`));
      const parts = retained && kind.id.parts(id);
      const all = (parts && (await kind.holds?.list(cloud, parts))) ?? [];
      const nodes = named.filter((each) => all.includes(each));
      if (!retained || nodes.length === 0) return itself;
      const use = nodes.length === 1 ? "uses" : "use";
      return [...itself, `${listed(nodes)} of ${called(one)} still ${use} it. ${retained.remedy(that)}`];
    });
    return (await Promise.all(found)).flat();
  }

  /** How a resource uses the deleted one; `undefined` if it does not. */
  #useBy(one: Node<Kind>, that: string): string | undefined {
    const keys = Object.keys(one.kind.inputs.shape);
    const reference = one.references.find(({ id }) => id === this.#id);
    const [left] = reference ? [] : keys.flatMap((key) => pathsLeftOut(schemaOf(one.kind, key), one.inputs[key], [key], this.#id));
    if (left) return `${called(one)} still uses it: ${keptReference(called(one), placeOf(left), that)}`;
    if (!reference) return undefined;
    // The ID of a keyed resource is that of its parent, which the input names.
    const path = isKeyed(this.#resource.kind) ? undefined : placeOf(reference.path);
    return withRemedies(`${called(one)} still uses it${path === undefined ? "" : ` (${path}: ${this.#id})`}`, [
      `Keep ${that} in the program`,
      ...(path === undefined ? [] : [`Or change ${path} of ${called(one)}`]),
      `Or remove ${called(one)} as well`,
    ]);
  }

  /** The blockers that are not known to be in the state, unless they are deleted or being changed. */
  async #others(named: readonly string[]): Promise<readonly Blocker[]> {
    const { session, urn } = this.#resource;
    const unknown = named.filter((one) => !session.inState.hasIdPart(one));
    const state = unknown.length === 0 ? undefined : await session.state.first(urn);
    const kinds = await session.kinds();
    // Pulumi deletes the resources on which this one depends only after it.
    const saved = state?.resources.find((one) => one.id === this.#id && one.urn === urn);
    const later = reachable(saved?.savedAs ?? "", (each) => state?.dependencies.get(each) ?? []);
    const found = unknown.map(async (id): Promise<readonly Blocker[]> => {
      const kind = kinds.find(({ id: { looks, names } }) => names.length === 1 && looks.split("-", 1)[0] === id.split("-", 1)[0]);
      const live = kind && (await worldOf(this.#resource).read(kind, id, {}, 0));
      const readiness = Object.entries(kind?.states ?? {}).map(([key, readinessOf]) => readinessOf[String(live?.[key])]);
      if (kind && (!live || readiness.includes("pending"))) return [];
      const own = state?.resources.find((other) => other.id.split("/").at(-1) === id);
      if (own?.isRetained) return [{ name: savedCalled(own), is: "retained" }];
      if (own) return [{ name: savedCalled(own), is: later.has(own.savedAs) ? "deleted later" : "managed" }];
      if (!kind || !live) return [{ name: id, is: "of an unknown type" }];
      const nameInput = Object.keys(kind.inputs.shape).find((one) => /name$/i.test(one)) ?? "";
      const name = `${kind.type} ${id}${typeof live[nameInput] === "string" ? ` ${JSON.stringify(live[nameInput])}` : ""}`;
      return [{ name, ...this.#manager(live, state) }];
    });
    return (await Promise.all(found)).flat();
  }

  /** Who manages a blocker that is not in the state, by its ownership tags. */
  #manager(live: Props, state: StackState | undefined): Omit<Blocker, "name"> {
    const { stack, mark, isPending } = ownershipOf(live);
    const isOfState = state !== undefined && hasMark(state, mark);
    if (isPending && isOfState) return { is: "an orphan" };
    if (stack !== undefined && !isOfStack(stack, this.#resource.urn)) return { is: "another stack's", stack: stackCalled(stack) };
    if (state && mark !== undefined && !isOfState) return { is: "another stack's", stack: sameNamed };
    return { is: state ? "unmanaged" : "unknown" };
  }
}

const sameNamed = "another state of this stack's name, such as that of another backend";

const savedCalled = ({ type, urn, id }: SavedResource): string => `${type} "${nameOf(urn)}" (${id}) of this stack`;

/** One explanation for all blockers with the same remedy. */
function explanationOf(blockers: readonly Blocker[]): string {
  const groups = Object.values(Object.groupBy(blockers, (one) => explain(one, "", true)));
  return groups
    .flatMap((group = []) => (group[0] ? explain(group[0], listed(group.map(({ name }) => name)), group.length === 1) : []))
    .join("\n");
}

/** The message and the remedies for the blockers of one group. */
function explain({ is, stack = "" }: Blocker, names: string, isOne: boolean): string {
  const [use, them] = isOne ? [`${names} still uses it`, "it"] : [`${names} still use it`, "them"];
  switch (is) {
    case "managed":
      return withRemedies(`${use} and ${isOne ? "is" : "are"} not deleted yet`, [
        `If --target excludes ${them}, run without --target`,
        `If ${isOne ? "it belongs" : "they belong"} to another provider, put this resource back, remove ${them} and run \`pulumi up\`, then remove this resource`,
      ]);
    case "deleted later":
      return withRemedies(`${use}, but this resource depends on ${them}, so Pulumi deletes this resource first`, [
        `Remove the reference to this resource from ${names} and run \`pulumi up\`, then delete both`,
      ]);
    case "retained":
      return withRemedies(`${use}, and retainOnDelete keeps ${them}`, [
        `If ${isOne ? "it is" : "they are"} not needed, delete ${them} on the platform`,
        "Otherwise keep this resource as well: remove it from the state with `pulumi state delete`",
      ]);
    case "another stack's":
      return withRemedies(`${use}, and ${isOne ? "its" : "their"} ownership tags name ${stack}`, [
        `Remove ${them} from the program of that stack and run \`pulumi up\` there, or \`pulumi destroy\` if that stack is not needed any more`,
        `If no stack manages ${them}, delete ${them} on the platform`,
      ]);
    case "an orphan":
      return withRemedies(`${use}. An interrupted update of this stack created ${them}`, [`Delete ${them} with \`${orphanCommand}\``]);
    case "unmanaged":
    case "unknown":
      return withRemedies(`${use}, and this stack does not manage ${them}`, [
        `Delete ${them} on the platform`,
        `Or put this resource back, import ${them} (option import) and run \`pulumi up\`, then remove both`,
      ]);
    case "of an unknown type":
      return `${use}. Delete ${them} on the platform. It is not enough to remove a node from its node pool: use DeleteClusterInstances`;
  }
}
