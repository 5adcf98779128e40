import { inputPath } from "../schema/parts.ts";
import { listed, contains, overlaps } from "@container-platform/sdk";
import { type Coded, inputError } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import { owners } from "../definition/ids.ts";
import type { Invariant, Owner, Violation, Violations } from "../definition/invariants.ts";
import { type Conflict, conflictWith, idFromInputs, textIn, textsIn, type UniqueConstraint, rangeIn } from "../definition/invariants.ts";
import { firstLook, recently } from "../definition/context.ts";
import { placeOf, valueAt, partOf } from "../schema/paths.ts";
import { isAmong, type Props, same, holdsUnknown, throwingIfUnknown, UnknownInput } from "../schema/values.ts";
import { hasNewUniqueValue, isDeleted, isNew, isChanged } from "./graph.ts";
import { called, conflictWithExisting, type Holder, inUse, keptReference, notFoundRemedy, withRemedies } from "./messages.ts";
import type { Node, ProgramGraph, World } from "./program-graph.ts";
import { noLiteralIdOfReplaced, oneOwner, replaceable, uniqueInProgram } from "./rules.ts";
import { nameOf } from "../schema/urn.ts";
import type { Offer, Referred } from "../definition/offers.ts";
import { isUnreadable } from "../definition/failures.ts";

/** A rule of every resource. */
type Rule = (graph: ProgramGraph, node: Node, world: World) => Violations | Promise<Violations>;

/** No existing resource has the ID or a unique value, unless it releases that first. */
const uniqueOnPlatform: Rule = (graph, node, world) => {
  const { kind, inputs, id, state, operation } = node;
  const isUncompared = !isNew(node) && !state;
  if (operation === "import" || isUncompared || (isNew(node) && id !== undefined) || !hasNewUniqueValue(node)) return undefined;
  return world.ifReadable(`a conflicting ${kind.type} exists`, async () => {
    const key = idFromInputs(kind, inputs);
    const isTaken = key !== undefined && key !== id && !kind.id.names.some((name) => graph.isCreated(inputs[name]));
    const ofKey = isTaken && (await world.read(kind, key, inputs)) ? [{ id: key, conflict: undefined }] : [];
    const candidates = await possiblyTaken(graph, node, world);
    const existing = candidates.length === 0 ? [] : await world.list(kind);
    const ofValue = existing.flatMap((other): Holder[] => {
      const conflict = conflictOn(inputs, other, candidates);
      return conflict && kind.id.of(other) !== id ? [{ id: kind.id.of(other), conflict }] : [];
    });
    for (const holder of [...ofKey, ...ofValue]) {
      const violation = await conflictOf(graph, node, world, holder);
      if (violation) return { ...violation, conflict: holder.conflict };
    }
    const further = ofValue.length === 0 ? candidates.find(({ isFree }) => isFree) : undefined;
    if (!further) return undefined;
    const { by } = further;
    const message = `${String(inputs[by])} is already used in another region or account. Use a different name`;
    return { code: "AlreadyExists", path: by, message };
  });
};

const conflictOn = (inputs: Props, other: Props, constraints: readonly UniqueConstraint[] | undefined): Conflict | undefined =>
  conflictWith(constraints, inputs, other, (parent) => inputs[parent] === other[parent]);

/** The new values that may be taken: they are known, their parent is not created in this update, and the platform does not report them as free. */
async function possiblyTaken(graph: ProgramGraph, { kind, inputs, state }: Node, { cloud }: World): Promise<readonly UniqueConstraint[]> {
  const checks = (kind.unique ?? []).map(async (one) => {
    const { by, in: parent = by } = one;
    const [value] = textsIn(inputs, by);
    const isSame = state && same(inputs[by], state[by]) && same(inputs[parent], state[parent]);
    const isInNewParent = parent !== by && (textIn(inputs, parent) === undefined || graph.isCreated(inputs[parent]));
    if (value === undefined || isSame || isInNewParent) return [];
    return (await one.isFree?.(cloud, value)) === true ? [] : [one];
  });
  return (await Promise.all(checks)).flat();
}

/** The conflict with an existing resource; `undefined` if that is gone, or releases the value before this one needs it. */
async function conflictOf(graph: ProgramGraph, node: Node, world: World, holder: Holder): Promise<Violation | undefined> {
  const { kind, inputs, urn } = node;
  const { id, conflict } = holder;
  const violation = { code: "AlreadyExists", path: conflict?.by } as const;
  const live = await world.read(kind, id, inputs, 0);
  if (!live || (conflict && !conflictOn(inputs, live, kind.unique))) return undefined;
  const cascaded = graph.cascaded(kind, id);
  if (cascaded) {
    // Until it is changed, a resource that an alias has renamed has the owner tag of its old name.
    if (cascaded.urn === urn || !world.hasOtherOwner(node, live)) return undefined;
    const causes = await Promise.all(cascaded.causes.map((cause) => world.urnInState(node, cause)));
    if (causes.some((cause) => cause !== undefined && graph.dependsOn(node, cause))) return undefined;
  }
  const keeper = graph.withId(kind, id);
  if (keeper) {
    // An update in place releases the old value. A replacement with retainOnDelete does not.
    const ofUpdate = conflictOn(inputs, keeper.inputs, kind.unique) ? undefined : "first";
    const deletesOld = keeper.operation === "replace" ? (keeper.retainOnDelete ? undefined : keeper.deletesOld) : ofUpdate;
    if (deletesOld === "first" && graph.dependsOn(node, keeper.urn)) return undefined;
    return { ...violation, message: conflictWithExisting(node, holder, { is: "stack", urn: keeper.urn }, { deletesOld }) };
  }
  const owner: Owner = await world.ownerOf(node, id, live);
  const [protection] = owner.urn === urn ? ((await protectionOf(node, id, world)) ?? []) : [];
  if (protection) return protection;
  if (owner.is === "none") return undefined;
  return { ...violation, ...(owner.is === "orphan" ? { code: "Orphan" } : {}), message: conflictWithExisting(node, holder, owner) };
}

/** Every ID in the inputs exists, and keeps existing. */
const referencesExist: Rule = async (graph, node, world) => {
  if (node.operation === "import") return undefined;
  const found = node.references.map(async (reference): Promise<readonly Violation[]> => {
    const { path, prefix, id } = reference;
    if (graph.byId(id) || graph.isCreated(id) || isAmong(node.lastInputs, path, id)) return [];
    const { noun } = owners[prefix];
    const exists = await world.ifReadable(`${noun} ${id} exists`, () => world.exists(reference));
    return exists === false
      ? [{ code: "NotFound", path: placeOf(path), message: `${noun} ${id} not found in ${world.cloud.region}. ${notFoundRemedy}` }]
      : [];
  });
  return [noLiteralIdOfReplaced(graph, node) ?? [], ...(await Promise.all(found))].flat();
};

/** The platform currently offers the zones, versions and types in the inputs. An imported resource has them already. */
const offersAvailable: Rule = (graph, node, world) =>
  node.operation === "import"
    ? undefined
    : unavailableIn(node.kind, world, { ...node, sourceOf: (path) => graph.source(node, path)?.inputs });

/** A protected resource, or one that a protected resource uses, is not replaced. */
const notProtected: Rule = (_, node, world) => {
  const { id, operation, state } = node;
  return operation === "replace" && id !== undefined && state?.["__failed"] === undefined ? protectionOf(node, id, world) : undefined;
};

async function protectionOf({ kind, state = {} }: Node, id: string, world: World): Promise<readonly Violation[] | undefined> {
  const { protectedOn, protectedBy, type } = kind;
  const parts = kind.id.parts(id);
  if (!parts || (protectedOn === undefined && protectedBy === undefined)) return undefined;
  return world.ifReadable(`something protects ${type} ${id}`, async () => {
    const users = (await protectedOn?.(world.cloud.tolerating(firstLook), parts)) ?? [];
    const isOn = protectedBy !== undefined && (await world.read(kind, id, state))?.[protectedBy] === true;
    const remedy = "to false and run `pulumi up` without this change first (`pulumi up --refresh`, if it was turned on outside Pulumi)";
    const reasons = users.map((user) => `the protected cluster ${user} uses it. Set its deletionProtection ${remedy}`);
    if (isOn) reasons.push(`its ${protectedBy} is on. Set it ${remedy}`);
    return reasons.map((why) => ({ code: "Protected", message: `cannot replace ${type} ${id}: ${why}` }));
  });
}

/** A kept resource does not use a deleted one: with nodes that stay in it, or with a reference that the platform keeps. */
const notInUse: Rule = async (graph, node, world) => {
  if (!isDeleted(node)) return undefined;
  const users = graph.all.filter((one) => {
    const mayUse = one.urn !== node.urn && (one.kind.holds !== undefined || one.keptReferences.length > 0);
    return mayUse && one.operation === "keep" && one.state && !graph.cascaded(one.kind, one.id ?? "");
  });
  return (await Promise.all(users.map((user) => usesOf(user, node, world)))).flat();
};

async function usesOf(user: Node, node: Node & { readonly id: string }, world: World): Promise<readonly Violation[]> {
  const { kind, id, urn, operation } = node;
  const isReplaced = operation === "replace";
  const that = urn === "" ? id : called(node);
  const { holds } = user.kind;
  const retained = holds?.keeps.find(({ of }) => id.startsWith(`${of}-`));
  const parts = holds?.isEmptied(user.inputs) === true ? undefined : user.kind.id.parts(user.id ?? "");
  const read = async () => (retained && parts ? retained.keptBy(world.cloud.tolerating(recently), parts, id) : []);
  const nodes = (await world.ifReadable(`${id} has nodes`, read)) ?? [];
  const [of, name] = [{ type: kind.type, id }, called(user)];
  const uses = user.keptReferences.filter((one) => one.id === id).map(inputPath);
  const violations = uses.map((path): Violation => {
    const message = `${inUse(name, `uses ${id}`, true, isReplaced)}: ${keptReference(name, path, that, isReplaced)}`;
    return { code: "InUse", path, of, by: name, message, other: user };
  });
  if (!retained || nodes.length === 0) return violations;
  const [by, how] = [listed(nodes), retained.how(id, nodes.length === 1)];
  const message = `${inUse(by, how, false, isReplaced)}. ${retained.remedy(that)}`;
  return [{ code: "InUseByNodes", path: retained.by, of, by, message, other: user }, ...violations];
}

/** The CIDR block in the input `by` is inside or outside the CIDR block `of.by` of the parent, whose ID the input `parent` has. */
export function cidrContainment<const By extends string, const Parent extends string>(
  how: "inside" | "outside",
  by: By,
  parent: Parent,
  of: { readonly kind: Kind; readonly by: string },
): Invariant<Kind, By | Parent> {
  return (graph, node, world) => {
    const inner = rangeIn(node.inputs, by);
    if (!inner || !isChanged(node, by, parent) || node.operation === "import") return undefined;
    return world.ifReadable(`${inner.canonical} is ${how} the CIDR block of ${parent}`, async () => {
      const source = graph.source(node, parent);
      const id = textIn(node.inputs, parent);
      const props = source?.inputs ?? (id === undefined ? undefined : await world.read(of.kind, id, {}));
      const outer = rangeIn(props ?? {}, of.by);
      if (!outer || (how === "inside" ? contains(outer, inner) : !overlaps(outer, inner))) return undefined;
      const place = `${outer.canonical}, the CIDR block of ${source ? `"${nameOf(source.urn)}"` : (id ?? "")}`;
      const message = how === "inside" ? `must be inside ${place}` : `overlaps ${place}. Use a CIDR block outside it`;
      return { code: "InvalidInput", path: by, message: `${inner.canonical} ${message}` };
    });
  };
}

/** The inputs to compare with the platform's current offers. Of an imported resource, the last applied ones are the live ones. */
interface Compared extends Pick<Node, "inputs" | "lastInputs"> {
  /** The inputs of the resource that an unknown value comes from, by path. */
  readonly sourceOf?: (path: string) => Props | undefined;
}

/** The new or changed inputs that the platform does not offer. A value that is unknown, or whose list cannot be read, is not compared. */
export async function unavailableIn(kind: Kind, world: Pick<World, "cloud" | "warn">, compared: Compared): Promise<readonly Violation[]> {
  const { cloud, warn } = world;
  const { inputs } = compared;
  const check = async ([path, { flaw, beside = [] }]: [string, Offer<Props>]): Promise<readonly Violation[]> => {
    const value = valueAt(inputs, path);
    if (value === undefined || holdsUnknown(value) || !isChanged(compared, path, ...beside)) return [];
    try {
      const found = await flaw(cloud, value, throwingIfUnknown(inputs), (other) => referredBy(compared, other));
      const isDoubt = typeof found === "object" && "doubt" in found;
      if (isDoubt) warn(inputError(path, found.doubt, "Unchecked"));
      if (found === undefined || isDoubt) return [];
      const [at, message] = typeof found === "string" ? [path, found] : [partOf(path, found.of), found.says];
      return [{ code: "NotOffered", path: at, message }];
    } catch (error) {
      if (error instanceof UnknownInput) return [];
      if (!isUnreadable(error)) throw error;
      warn(inputError(path, `could not check whether the platform offers this value: ${error.message}`, "Unchecked"));
      return [];
    }
  };
  return (await Promise.all(Object.entries(kind.offered ?? {}).map(check))).flat();
}

/** The IDs at a path, and the inputs of the resources whose IDs are unknown. @throws UnknownInput if neither is known */
function referredBy({ inputs, sourceOf }: Compared, path: string): ReturnType<Referred> {
  const value = valueAt(inputs, path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((id, index) => {
    if (typeof id === "string" && !holdsUnknown(id)) return id;
    const source = sourceOf?.(Array.isArray(value) ? `${path}.${index}` : path);
    if (source === undefined) throw new UnknownInput();
    return throwingIfUnknown(source);
  });
}

type When = "check" | "diff" | "cascade" | "referrer" | "end";

/** The rules of a resource, in the order of their evaluation. */
function rulesOf({ invariants: { check = [], diff = [], end = [] } = {} }: Kind): Readonly<Record<When, readonly Rule[]>> {
  return {
    // The references come before the resource's own rules: those read the referenced resources.
    check: [oneOwner, offersAvailable, uniqueInProgram, referencesExist, ...check, uniqueOnPlatform, replaceable, notProtected, notInUse],
    diff: [oneOwner, replaceable, notProtected, uniqueOnPlatform, noLiteralIdOfReplaced, notInUse, ...diff],
    // The resource is deleted because another one is.
    cascade: [notProtected],
    // The resource refers to a compared one.
    referrer: [...check, noLiteralIdOfReplaced, notInUse],
    end,
  };
}

/**
 * Evaluates the rules of a resource after its check, or after its comparison with the state (`diff`, `cascade`), up to the first violated one.
 * After a `diff`, it also evaluates those of the resources that refer to it, because Pulumi may have checked these before.
 */
export async function evaluate(graph: ProgramGraph, node: Node, world: World, when: When): Promise<readonly Coded[]> {
  const own = await firstViolations(rulesOf(node.kind)[when], graph, node, world);
  if (own.length > 0) return own.map((one) => withPath(one));
  const mayUse = when !== "cascade" && (node.kind.holds !== undefined || node.keptReferences.length > 0);
  for (const other of [...(when === "diff" ? graph.referrers(node) : []), ...(mayUse ? graph.deleted : [])]) {
    const [violation] = await firstViolations(rulesOf(other.kind).referrer, graph, other, world);
    if (violation) return [withPath(violation, violation.by === undefined ? ` of "${nameOf(other.urn)}"` : "")];
  }
  return [];
}

async function firstViolations(rules: readonly Rule[], graph: ProgramGraph, node: Node, world: World): Promise<readonly Violation[]> {
  for (const rule of rules) {
    const found = await violationsOf(rule, graph, node, world);
    if (found.length > 0) return found;
  }
  return [];
}

const violationsOf = async (rule: Rule, graph: ProgramGraph, node: Node, world: World): Promise<readonly Violation[]> =>
  [(await rule(graph, node, world)) ?? []].flat();

/** The message as the user sees it, after the path. `of`: the resource that has the path, if that is another one. */
export function withPath({ path, message, ...rest }: Violation, of = ""): Coded {
  return path === undefined ? { ...rest, message } : { ...rest, path: of === "" ? path : undefined, message: `${path}${of}: ${message}` };
}

/**
 * Evaluates the rules at the end of a program that has changed nothing. A violation is a warning: Pulumi does not tell the provider about
 * `--target`, which may exclude the deletion.
 *
 * @param removed the resources of the state that the program does not declare any more. One without a URN is known by its ID alone
 */
export async function warningsAtEnd(graph: ProgramGraph, removed: readonly Node[], world: World): Promise<readonly Coded[]> {
  const own = graph.all.flatMap((node) =>
    rulesOf(node.kind).end.map(async (rule) => (await violationsOf(rule, graph, node, world)).map((one) => withPath(one))),
  );
  return (await Promise.all([...own, ...removed.map((node) => usesOfRemoved(graph, node, world))])).flat();
}

async function usesOfRemoved(graph: ProgramGraph, node: Node, world: World): Promise<readonly Coded[]> {
  const used = (await violationsOf(notInUse, graph, node, world)).map((one) => withPath(one));
  if (node.urn === "") return used;
  const removed = `${called(node)} (${node.id}) was removed from the program, but`;
  if (used.length > 0) return used.map((one) => ({ ...one, message: `${removed} ${one.message}` }));
  // A reference that is an output of the removed resource means that --target keeps Pulumi from checking the resource.
  const naming = graph.all.flatMap(({ urn, references, sources }) =>
    references.flatMap(({ id, path }) =>
      id === node.id && sources[path.join(".")] !== node.urn ? [`"${nameOf(urn)}" (${placeOf(path)})`] : [],
    ),
  );
  if (naming.length === 0) return [];
  const users = listed([...new Set(naming)]);
  const [still, stop] = naming.length === 1 ? ["uses", "stops"] : ["use", "stop"];
  const message = `${removed} ${users} still ${still} its ID. \`pulumi up\` deletes it last: the API may reject that, or ${users} ${stop} working`;
  const remedies = [`Keep ${called(node)} in the program`, `Or change or remove the references to ${node.id}`];
  return [{ code: "StaleReference", message: withRemedies(message, remedies) }];
}
