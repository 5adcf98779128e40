import { isOnPlatform, isOtherwise, needsReplacement, refusalOf } from "../definition/changes.ts";
import { type Coded, inputError, refusal } from "../definition/codes.ts";
import { firstLook, recently } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import { ownerOfOtherProvider } from "../ownership/owner.ts";
import type { Resource } from "../ownership/session.ts";
import { hasMark } from "../ownership/state.ts";
import { isOfStack, ownershipOf, stackCalled } from "../ownership/tags.ts";
import { unavailableIn, withPath } from "../program/invariants.ts";
import { managedElsewhere, withRemedies } from "../program/messages.ts";
import { defaultsOf, differencesIn, inputsForProgram } from "../schema/compare.ts";
import { keptPrivateInputs, leftToPlatform, privateStateOf } from "../schema/private-state.ts";
import { schemaOf } from "../schema/parts.ts";
import { withoutSecrets } from "../schema/secrets.ts";
import { nameOf } from "../schema/urn.ts";
import { holdsUnknown, pick, type Props } from "../schema/values.ts";
import { type Found, read } from "./read.ts";
import { reconciled, unreadyState } from "./reconcile.ts";
import { explained, inputsLeftToPlatform, partsOf } from "./resource.ts";
import { brokenRules } from "./check.ts";
import { worldOf } from "./world.ts";

/** Why the resource of the option `import` cannot be imported. */
export async function refusalsToImport(resource: Resource): Promise<readonly Coded[]> {
  const { kind, cloud, props } = resource;
  const { __adopt: id } = privateStateOf(props);
  if (id === undefined) return [];
  const holder = await ownerOfOtherProvider(resource, cloud.tolerating(firstLook), id);
  if (holder !== undefined) return [{ code: "OtherOwner", message: managedElsewhere(id, holder) }];
  return explained(kind, `looking at ${kind.type} ${id}, which is to be imported`, () => refusalsOf(resource, firstLook, id));
}

/** Imports an existing resource, and changes it in place. Returns the properties to save. @throws Error if it would have to be replaced */
export async function importExisting(resource: Resource, id: string): Promise<Props> {
  const { kind, urn, session, props } = resource;
  const refusals = await explained(kind, `importing ${kind.type} ${id}`, () => refusalsOf(resource, recently, id));
  if (refusals.length > 0) throw refusal(refusals, `cannot import ${kind.type} ${id}: `, "; ");
  session.inState.noteAdopted(kind, id, { urn, remedy: "remove `import` from the program, then run `pulumi up` again" });
  return reconciled(resource, id, knownBeforeImport(kind, id, props), "importing", { isTaken: true });
}

/**
 * Compares a program with a resource that it is to import. Inputs that are not known yet are not compared. Warns once of the changes that the
 * import makes, and of the stack that loses the resource.
 */
async function refusalsOf(resource: Resource, maxAge: number, id: string): Promise<readonly Coded[]> {
  const { kind, urn, session, home, props: news, show, warn } = resource;
  show(`imports ${id}`);
  const world = worldOf(resource);
  const live = await world.read(kind, id, knownBeforeImport(kind, id, news), maxAge);
  if (!live) return [inputError("import", notFound(kind, id, home.region), "NotFound")];
  const unready = unreadyState(kind, live);
  if (unready !== undefined) return [inputError("import", `${id} is ${unready}. Import it when it is ready`, "CannotImport")];
  const { __veiled: secrets } = privateStateOf(news);
  const isDiffering = (key: string) => isOnPlatform(kind, key) && !holdsUnknown(news[key]) && isOtherwise(kind, key, news, live);
  const differing = Object.keys(kind.inputs.shape).filter(isDiffering);
  const sentences = (key: string, joint: string) =>
    differencesIn(schemaOf(kind, key), live[key], news[key], [key], secrets.includes(key)).map(({ place, live: before, desired }) =>
      inputError(place, `${before} ${joint} ${desired}`, "CannotImport"),
    );
  const refused = differing.filter((key) => needsReplacement(kind, key, news, live[key]));
  const broken = [...brokenRules(kind, news, live), ...differing.flatMap((key) => refusalOf(kind, key, news, live) ?? [])];
  const flaws =
    broken.length > 0 ? broken : (await unavailableIn(kind, world, { inputs: news, lastInputs: live })).map((one) => withPath(one));
  const refusals = [...flaws, ...refused.flatMap((key) => sentences(key, `on ${id} cannot be changed to`))];
  if (refusals.length > 0) return refusals;
  const changes = session.unsaid(
    id,
    differing.flatMap((key) => sentences(key, "becomes")),
  );
  const lines = changes.map(({ message }) => `  ${message}`);
  if (lines.length > 0) warn({ code: "ImportChanges", message: [`importing ${id} changes it to match the program:`, ...lines].join("\n") });
  const { stack, mark } = ownershipOf(live);
  const isOthers = stack !== undefined && !isOfStack(stack, urn);
  const state = isOthers || mark === undefined ? undefined : await session.state.first(urn);
  const isOtherState = state !== undefined && !hasMark(state, mark);
  const taken = isOthers ? [takenFrom(id, stackCalled(stack))] : isOtherState ? [takenFromState(id)] : [];
  for (const message of session.unsaid(id, taken)) warn({ code: "OtherOwner", message });
  return [];
}

/**
 * What is assumed of a resource before it is read. Values that the platform does not return are assumed to be as in the program. Secrets
 * are left out, so that the import sets them.
 */
function knownBeforeImport(kind: Kind, id: string, news: Props): Props {
  const known = Object.keys(kind.inputs.shape).filter((key) => !holdsUnknown(news[key]));
  return { ...withoutSecrets(kind, pick(news, known)), ...partsOf(kind, id) };
}

const notFound = ({ type }: Kind, id: string, region: string): string =>
  withRemedies(`${type} ${id} not found in ${region}`, [
    "If it was deleted, remove `import` to create another one",
    "If it is in another region, set container-platform:region, or give the resource a Provider of that region",
  ]);

const takenFrom = (id: string, stack: string): string =>
  `the ownership tags of ${id} name ${stack}. After this import, that stack no longer deletes it. If the program of that stack still declares it, remove it there: until then, both stacks change it`;

const takenFromState = (id: string): string =>
  `another state of this stack created ${id}. If another backend has a stack of this name, run \`pulumi state delete\` for ${id} there: otherwise that stack deletes it once its program no longer declares it`;

/**
 * Reads a resource that no program declares, as `pulumi import` saves it: with the inputs of a program that declares it unchanged, which leaves out
 * the inputs that the platform does not return. Its next update writes its owner tag.
 */
export async function adopt(resource: Resource, id: string): Promise<Found | undefined> {
  const { kind, cloud, props } = resource;
  // All inputs that may be left to the platform are read, too.
  const found = await read({ ...resource, props: { ...props, ...leftToPlatform(inputsLeftToPlatform(kind, {})) } }, id);
  if (!found) return undefined;
  const { __left: _assumed, ...rest } = found.props;
  const live = { ...found.props, ...kind.id.parts(id) };
  const inputs = inputsForProgram(kind, { ...live, ...(await kind.inputsToImport?.(cloud.tolerating(recently), live)) });
  const untold = Object.keys(kind.inputs.shape).filter((key) => live[key] === undefined);
  const assumed = pick({ ...defaultsOf(kind), ...inputs }, untold);
  const left = leftToPlatform(inputsLeftToPlatform(kind, inputs));
  return { inputs: { ...inputs, ...keptPrivateInputs(props) }, props: { ...rest, ...assumed, ...left, __unmarked: true } };
}

/**
 * A warning about a new resource that a component was to make of one at the top of the stack, where the stack has others, and none of that
 * name. Where it has none, there is nothing to lose: the same program makes a new stack, too.
 */
export async function warningsOfAdoption({ kind, urn, session, props }: Resource): Promise<readonly Coded[]> {
  const { __adopts: wanted } = privateStateOf(props);
  if (wanted === undefined) return [];
  const saved = (await session.state.first(urn))?.resources.filter(({ type }) => type === kind.type) ?? [];
  // The URN of a resource at the top has no types of parents.
  const atTop = saved.filter((one) => one.urn.split("::")[2]?.includes("$") === false).map((one) => nameOf(one.urn));
  // It is replaced, or has been adopted before.
  if (atTop.length === 0 || atTop.includes(wanted) || saved.some((one) => one.urn === urn)) return [];
  const others = atTop.toSorted().map((name) => `"${name}"`);
  const sentence = `the stack has no top-level ${kind.type} "${wanted}" (it has ${others.join(", ")}), so "${nameOf(urn)}" is created`;
  return [inputError("childAliases", sentence, "Unwise")];
}
