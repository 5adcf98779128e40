import { PlatformError } from "@container-platform/sdk";
import { readDelay, recently } from "../definition/context.ts";
import { idFromInputs } from "../definition/invariants.ts";
import { createOrRecover } from "../ownership/creation.ts";
import type { Resource } from "../ownership/session.ts";
import { newOwnershipTags, noteInput } from "../ownership/tags.ts";
import { privateStateOf } from "../schema/private-state.ts";
import { pick, type Props, textsIn } from "../schema/values.ts";
import { importExisting } from "./import.ts";
import { Poll } from "./poll.ts";
import { explained, secondsFor } from "./resource.ts";
import { reconciled } from "./reconcile.ts";

/** Creates a resource, recovers it from an interrupted update, or imports it. Returns the properties to save. */
export async function create(resource: Resource): Promise<{ readonly id: string; readonly outs: Props }> {
  const { kind, urn, session, props } = resource;
  session.firstChanged ??= urn;
  session.graph.creating.add(urn);
  const { __adopt: existing } = privateStateOf(props);
  if (existing !== undefined) return { id: existing, outs: await importExisting(resource, existing) };
  const desired = pick(props, Object.keys(kind.inputs.shape));
  const created = await explained(kind, `creating ${kind.type}`, async () => {
    await untilPossible(resource, desired);
    return createOrRecover({ ...resource, props: desired });
  }).catch((error: unknown) => {
    throw explainedByDeletion(resource, error, desired);
  });
  const { isRecovered = false, failure } = created;
  const known = { ...desired, ...pick(created.known, [...kind.id.names, ...Object.keys(kind.outputs.shape)]) };
  const id = kind.id.of(known);
  const later = isRecovered ? [] : (kind.afterCreation ?? []);
  const uncarried = later.filter((key) => desired[key] !== undefined);
  try {
    return { id, outs: await reconciled(resource, id, known, "creating", { fresh: true, uncarried, failure }) };
  } finally {
    // Pulumi saves the resource, whether it is finished or not.
    session.inState.note(kind, id);
    session.graph.recordCreated(urn, id);
    const isPending = kind.tagsInput !== undefined || noteInput(kind, desired) !== undefined;
    if (isPending) session.inState.confirmAtEnd(resource, id, { ...desired, ownershipTags: newOwnershipTags(urn, undefined) });
  }
}

/** In seconds: how long a prerequisite may be missing. Pulumi may be creating it, such as the node pool of the cluster of an endpoint. */
const patience = 20;

/** Waits until a resource can be created. @throws Error if that cannot become possible */
async function untilPossible(resource: Resource, desired: Props): Promise<void> {
  const { kind, session } = resource;
  const { prerequisite } = kind;
  const poll = new Poll(resource, secondsFor(resource, "create"));
  const begun = performance.now();
  const id = idFromInputs(kind, desired);
  if (session.inState.hasDeleted((other, each) => other === kind && each === id))
    await poll.until(async () => {
      const isShown = performance.now() - begun < readDelay && (await kind.read(poll.cloud, desired));
      return isShown ? `the platform still shows the deleted ${id}` : undefined;
    });
  if (!prerequisite) return;
  // Other resources may wait for the same prerequisite, and have just seen it.
  let cloud = resource.cloud.tolerating(recently);
  await poll.until(async () => {
    try {
      return await prerequisite(cloud, desired);
    } catch (error) {
      const mayCome = error instanceof Error && !(error instanceof PlatformError) && performance.now() - begun < patience * 1000;
      if (!mayCome) throw error;
      return error.message;
    } finally {
      cloud = poll.cloud;
    }
  });
}

/**
 * The error of a creation whose inputs may name a deleted resource: if Pulumi deletes a resource before its replacement, and `--target` excludes
 * the resources that depend on it, Pulumi recreates those with their old inputs.
 */
function explainedByDeletion({ session }: Resource, error: unknown, desired: Props): unknown {
  const gone = textsIn(desired).find((text) => session.inState.hasDeleted((_, id) => id === text));
  if (gone === undefined || !(error instanceof Error)) return error;
  const why = `This update has deleted ${gone}, and Pulumi has not passed the ID of its replacement. Run \`pulumi up\` (or add --target-dependents)`;
  return new Error(`${error.message}. ${why}`, { cause: error });
}
