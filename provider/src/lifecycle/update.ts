import { asSaid, driftNotes, inputsAtFailure, withDrift } from "./drift.ts";
import { sentenceAbout, Unfinished } from "./errors.ts";
import { type Occasion, Reconciliation } from "./reconcile.ts";
import { confirmAtEnd, inputsLeftToPlatform, knownOf, type Resource } from "./resource.ts";
import { keptPrivateInputs, layout, leftToPlatform, privateStateOf, unfinishedState } from "../schema/private-state.ts";
import { cleanProps, pick, type Props } from "../schema/values.ts";

/** Updates a resource in place, or finishes its creation. Returns the properties to save. */
export function update(resource: Resource, id: string, olds: Props): Promise<Props> {
  const { kind, urn, session, cloud } = resource;
  const { __urn: before, __unborn: fresh, __unmarked: isUnmarked } = privateStateOf(olds);
  session.noteChange(urn);
  session.inState.note(kind, id);
  const known = knownOf(kind, id, olds);
  return reconciled(resource, id, known, "updating", {
    fresh,
    renew: kind.due?.(known, cloud.now()) !== undefined,
    isTaken: isUnmarked || (before !== "" && before !== urn),
    said: fresh ? undefined : asSaid(kind, olds),
  });
}

/**
 * Makes an existing resource as desired. Returns the properties to save.
 *
 * @param failure the error of a creation that created the resource all the same. The resource is then only saved as it is
 * @throws Unfinished with the properties to save
 */
export async function reconciled(
  resource: Resource,
  id: string,
  known: Props,
  doing: "creating" | "importing" | "updating",
  { failure, ...occasion }: Occasion & { readonly failure?: Error | undefined },
): Promise<Props> {
  const { kind, session, props, home } = resource;
  const { fresh = false, said } = occasion;
  const { __veiled: secrets } = privateStateOf(props);
  const desired = pick(props, Object.keys(kind.inputs.shape));
  const left = inputsLeftToPlatform(kind, props);
  const remembered = { ...keptPrivateInputs(props), __v: layout, __home: home, ...leftToPlatform(left) };
  const reconciliation = new Reconciliation(resource, id, known, occasion);
  try {
    if (failure) throw failure;
    const live = await reconciliation.settle();
    const outputs = { ...pick(live, Object.keys(kind.outputs.shape)), ...pick(live, left) };
    if (fresh) return cleanProps({ ...outputs, ...desired, ...remembered });
    confirmAtEnd(resource, id, live);
    const inputs = withDrift(kind, desired, live, secrets);
    session.unsaid(id, driftNotes(kind, id, props, inputs, live)).forEach(resource.note);
    return cleanProps({ ...outputs, ...inputs, ...remembered });
  } catch (error) {
    const { reached, isMarked, failure: failed } = reconciliation;
    const reason = sentenceAbout(error, `${doing} ${kind.type} ${id}`, kind.hints);
    const unfinished = unfinishedState(fresh, fresh ? failed : undefined, isMarked);
    // Of a creation and an import, the live inputs are saved.
    const inputs = said === undefined ? {} : inputsAtFailure(kind, desired, said, reached, secrets);
    throw new Unfinished(reason, id, cleanProps({ ...reached, ...unfinished, ...remembered, ...inputs }), error);
  }
}
