import { type Cloud, listed, type PlatformError, spoken } from "@container-platform/sdk";
import type { Kind } from "../../definition/definition.ts";
import { isKeyed, type Node } from "../../definition/invariants.ts";
import { recently, type Context } from "../../definition/context.ts";
import { called, keptReference, orphanCommand, withRemedies } from "../../program/messages.ts";
import type { Subject as SubjectOf } from "../../ownership/session.ts";
import { hasMark, type StackState } from "../../ownership/state.ts";
import { isOfStack, ownershipOf, separatingOwnershipTags, stackCalled } from "../../ownership/tags.ts";
import { pathsLeftOut } from "../../schema/ids.ts";
import { placeOf } from "../../schema/paths.ts";
import { schemaOf } from "../../schema/parts.ts";
import { nameOf } from "../../schema/urn.ts";
import type { Props } from "../../schema/values.ts";
import { isGone } from "../../definition/changes.ts";
import type { Poll } from "../poll.ts";
import type { RunSession } from "../run-session.ts";

type Subject = SubjectOf<RunSession>;

/** In seconds: a blocker may disappear on its own for `patience`, and a person may then remove an unmanaged one for `grace`. */
const [patience, grace] = [10, 30];
/** IDs of the platform, such as `subnet-3f8a0c1e`. */
const idForm = /\b[a-z]+-[0-9a-z]{8,}\b/g;
/** The ID of a parent in the name of a part, such as `cls-3f8a0c1e/internal`. */
const parentForm = /\b[a-z]+-[0-9a-z]{8,}(?=\/)/g;

/** A resource that blocks a deletion, and that this update does not manage. */
interface Blocker {
  readonly name: string;
  /** The message and the remedies for the blockers of one group. */
  readonly explain: (names: string, isOne: boolean) => string;
  /** Whether no stack is known that may delete it. */
  readonly isUnmanaged: boolean;
}

/** Finds the resources that block a deletion, and explains how to remove them. */
export class Blockers {
  readonly #context: Context;
  readonly #poll: Poll;
  readonly #subject: Subject;
  readonly #id: string;
  #blockedSince: number | undefined;
  #giveUpAt = Infinity;
  #explanation: string | undefined;
  #warned: string | undefined;

  constructor(context: Context, poll: Poll, subject: Subject, id: string) {
    [this.#context, this.#poll, this.#subject, this.#id] = [context, poll, subject, id];
  }

  /** The blockers, and how to remove them; `undefined` until some are known. */
  get explanation(): string | undefined {
    return this.#explanation;
  }

  /** Seconds until the deletion fails. */
  get secondsLeft(): number {
    return Math.max(0, Math.min(this.#poll.left, (this.#giveUpAt - performance.now()) / 1000));
  }

  /** Looks for blockers once the API has rejected the deletion for a while. @throws Error if waiting cannot help */
  async find({ kind, reason, code, requestId }: PlatformError): Promise<void> {
    const now = performance.now();
    this.#blockedSince = kind === "inUse" ? (this.#blockedSince ?? now) : undefined;
    const { limit } = this.#poll;
    if (this.#blockedSince === undefined || (now - this.#blockedSince) / 1000 < Math.min(patience, limit / 3)) return;
    const source = `${reason} (${code}, request ${requestId})`;
    const named = [...new Set(reason.match(idForm))].filter((one) => !this.#id.split("/").includes(one));
    // Pulumi deletes the resources of the program that use a recreated one before it.
    const isRecreated = this.#subject.session.graph.isRecreated(this.#subject.kind, this.#id);
    const kept = isRecreated ? [] : await this.#keptUsers(named, reason.match(parentForm) ?? []).catch(() => []);
    if (kept.length > 0) throw new Error([`${source}. ${kept[0]}`, ...kept.slice(1)].join("\n"));
    const blockers = await this.#others(named).catch(() => []);
    const explanation = blockers.length === 0 ? undefined : explanationOf(blockers);
    const isSame = explanation === this.#warned;
    if (explanation !== undefined && isSame && this.secondsLeft === 0) throw new Error(`${source}. ${explanation}`);
    this.#explanation = explanation;
    if (explanation === undefined || isSame) return;
    this.#warned = explanation;
    this.#giveUpAt = blockers.every(({ isUnmanaged }) => isUnmanaged) ? now + Math.min(grace, limit / 3) * 1000 : Infinity;
    this.#context.warn(`${explanation}\nThis deletion fails in ${spoken(this.secondsLeft)} if nothing changes`);
  }

  /** The resources that the program keeps, and that use the deleted one. Of a named parent, these are contained resources. */
  async #keptUsers(named: readonly string[], parents: readonly string[]): Promise<readonly string[]> {
    const { kind, urn, session } = this.#subject;
    const that = urn === "" ? `${kind.type} ${this.#id}` : called({ kind, urn });
    const kept = session.graph.all.filter(isKept);
    const found = kept.map(async (one): Promise<readonly string[]> => {
      const isParent = parents.includes(one.id ?? "");
      const isNamed = named.includes(one.id?.split("/").at(-1) ?? "");
      const users = isParent ? session.graph.contained(one.id ?? "").filter(isKept) : [one];
      const itself = isNamed ? users.flatMap((user) => this.#useBy(user, that) ?? []) : [];
      const retained = one.kind.holds?.keeps.find(({ of }) => this.#id.startsWith(`${of}-`));
      const parts = retained && one.kind.id.parts(one.id ?? "");
      const all = (parts && (await one.kind.holds?.list(this.#context.cloud, parts))) ?? [];
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
    const path = isKeyed(this.#subject.kind) ? undefined : placeOf(reference.path);
    return withRemedies(`${called(one)} still uses it${path === undefined ? "" : ` (${path}: ${this.#id})`}`, [
      `Keep ${that} in the program`,
      ...(path === undefined ? [] : [`Or change ${path} of ${called(one)}`]),
      `Or remove ${called(one)} as well`,
    ]);
  }

  async #others(named: readonly string[]): Promise<readonly Blocker[]> {
    const { session, urn } = this.#subject;
    const unknown = named.filter((one) => !session.inState.hasIdPart(one));
    const state = unknown.length === 0 ? undefined : await session.state.first(urn);
    const kinds = await session.kinds();
    return (await Promise.all(unknown.map((one) => this.#blocker(one, kinds, state)))).filter((one) => one !== undefined);
  }

  /** Describes a blocker; `undefined` if it is deleted, or being changed. */
  async #blocker(id: string, kinds: readonly Kind[], state: StackState | undefined): Promise<Blocker | undefined> {
    const kind = kinds.find(({ id: { looks, names } }) => names.length === 1 && looks.split("-", 1)[0] === id.split("-", 1)[0]);
    const parts = kind?.id.parts(id);
    const live = kind && parts && (await separatingOwnershipTags(kind).read(this.#context.cloud, parts));
    const readiness = Object.entries(kind?.states ?? {}).map(([key, readinessOf]) => readinessOf[String(live?.[key])]);
    if (kind && (!live || isGone(kind, live) || readiness.includes("pending"))) return undefined;
    const own = state?.resources.find((other) => other.id.split("/").at(-1) === id);
    if (own) return { name: `${own.type} "${nameOf(own.urn)}" (${id}) of this stack`, explain: ofThisStack, isUnmanaged: false };
    if (!kind || !live) return { name: id, explain: ofUnknownType, isUnmanaged: false };
    const nameInput = Object.keys(kind.inputs.shape).find((one) => /name$/i.test(one)) ?? "";
    const name = `${kind.type} ${id}${typeof live[nameInput] === "string" ? ` ${JSON.stringify(live[nameInput])}` : ""}`;
    return { name, ...this.#byOwner(live, state) };
  }

  /** Describes a blocker that is not in the state, by its ownership tags. */
  #byOwner(live: Props, state: StackState | undefined): Omit<Blocker, "name"> {
    const { stack, mark, isPending } = ownershipOf(live);
    if (isPending && state && hasMark(state, mark)) return { explain: ofInterruptedUpdate, isUnmanaged: true };
    if (stack !== undefined && !isOfStack(stack, this.#subject.urn)) return { explain: ofOtherStack(stack), isUnmanaged: false };
    return { explain: ofNoStack, isUnmanaged: state !== undefined };
  }
}

const ofThisStack: Blocker["explain"] = (names, isOne) =>
  withRemedies(`${names} still ${isOne ? "uses it and is" : "use it and are"} not deleted yet`, [
    `If --target excludes ${isOne ? "it" : "them"}, run without --target`,
    `If ${isOne ? "it belongs" : "they belong"} to another provider, put this resource back, remove ${isOne ? "it" : "them"} and run \`pulumi up\`, then remove this resource`,
  ]);

const ofUnknownType: Blocker["explain"] = (names, isOne) =>
  `${names} still ${isOne ? "uses" : "use"} it. Delete ${isOne ? "it" : "them"} on the platform. It is not enough to remove a node from its node pool: use DeleteClusterInstances`;

const byHand = (them: string): readonly string[] => [
  `Delete ${them} on the platform`,
  `Or put this resource back, import ${them} (option import) and run \`pulumi up\`, then remove both`,
];

function ofOtherStack(stack: string): Blocker["explain"] {
  return (names, isOne) => {
    const [uses, them] = isOne ? ["uses it, and its ownership tags name", "it"] : ["use it, and their ownership tags name", "them"];
    return withRemedies(`${names} still ${uses} ${stackCalled(stack)}`, [
      `Remove ${them} from the program of that stack and run \`pulumi up\` there, or \`pulumi destroy\` if that stack is not needed any more`,
      `If no stack manages ${them}, delete ${them} on the platform`,
    ]);
  };
}

const ofInterruptedUpdate: Blocker["explain"] = (names, isOne) => {
  const [uses, them] = isOne ? ["uses", "it"] : ["use", "them"];
  return withRemedies(`${names} still ${uses} it. An interrupted update of this stack created ${them}`, [
    `Delete ${them} with \`${orphanCommand}\``,
  ]);
};

const ofNoStack: Blocker["explain"] = (names, isOne) => {
  const [uses, them] = isOne ? ["uses", "it"] : ["use", "them"];
  return withRemedies(`${names} still ${uses} it, and this stack does not manage ${them}`, byHand(them));
};

/** Whether the program keeps a resource, or imports it in this update. */
const isKept = ({ operation }: Node<Kind>): boolean => operation === "keep" || operation === "import";

/** One explanation for all blockers with the same remedy. */
function explanationOf(blockers: readonly Blocker[]): string {
  const groups = Object.values(Object.groupBy(blockers, ({ explain }) => explain("", true)));
  return groups.flatMap((group = []) => group[0]?.explain(listed(group.map(({ name }) => name)), group.length === 1) ?? []).join("\n");
}

/** A warning that a forced deletion also deletes the contained resources, which Pulumi shows as unchanged. */
export async function cascadeWarning(cloud: Cloud, { kind, urn, session }: Subject, id: string): Promise<string | undefined> {
  if (!kind.takesAlong) return undefined;
  const contained = (await session.kinds()).filter((one) => one.within?.kind.type === kind.type && !session.deleted.hasInside(one, id));
  const listedBy = Object.fromEntries(kind.id.names.map((name) => [name, [id]]));
  const inside = (one: Kind, ids: readonly string[]) => ids.filter((each) => one.id.parts(each)?.[one.within?.by ?? ""] === id);
  const looks = contained.map(async (one) => {
    const found = await one.list(cloud.tolerating(recently), listedBy).catch(() => []);
    return { one, ids: inside(one, found.map(one.id.of)) };
  });
  const existing = await Promise.all(looks);
  const isRecreated = session.graph.isCreated(session.graph.get(urn)?.id);
  if (!isRecreated && existing.every(({ ids }) => ids.length === 0)) return undefined;
  // Some types cannot be listed by their parent, such as the permissions of users.
  const saved = (await session.state.now(urn))?.resources ?? [];
  const lost = existing.flatMap(({ one, ids }) => {
    const recorded = inside(
      one,
      saved.flatMap((other) => (other.type === one.type ? [other.id] : [])),
    );
    return [...new Set([...ids, ...recorded])].map((each) => `${one.type} ${each}`);
  });
  return lost.length === 0
    ? undefined
    : `deleting ${id} also deletes ${listed(lost)}. If this update shows one of them as unchanged, \`pulumi up --refresh\` creates it again`;
}
