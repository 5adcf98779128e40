import { ProviderError } from "../definition/codes.ts";
import { recently } from "../definition/context.ts";
import { isGone } from "../definition/changes.ts";
import { speltLike } from "../schema/compare.ts";
import type { Resource } from "../ownership/session.ts";
import { keptPrivateInputs, layout, leftToPlatform, privateStateOf } from "../schema/private-state.ts";
import { schemaOf } from "../schema/parts.ts";
import { cleanProps, pick, type Props } from "../schema/values.ts";
import { asSaid, saidOtherwise } from "./drift.ts";
import { unreadyState } from "./reconcile.ts";
import { explained, knownOf } from "./resource.ts";

/** A live resource as a read writes it into the state. */
export interface Found {
  readonly inputs: Props;
  readonly props: Props;
}

/** Reads a resource; `undefined` if it does not exist. Inputs are spelt as in the program where both spellings mean the same. */
export async function read(resource: Resource, id: string): Promise<Found | undefined> {
  const { kind, urn, session, props, home } = resource;
  const { __get: isRead, __home, __left: left } = privateStateOf(props);
  const known = knownOf(kind, id, props);
  const live = await explained(kind, `reading ${kind.type} ${id}`, () => kind.read(resource.cloud.tolerating(recently), known));
  if (!live || isGone(kind, live)) {
    if (isRead) throw new ProviderError("NotFound", `${kind.type} ${id} not found in ${home.region}`);
    session.inState.noteMissing(kind, id);
    return undefined;
  }
  if (!isRead) {
    session.inState.note(kind, id);
    session.inState.confirmAtEnd(resource, id, live);
  } else if (__home === undefined) session.graph.recordRead(kind, id, urn);
  const managed = Object.keys(kind.inputs.shape).filter((key) => !left.includes(key));
  // A difference that does not count is left out.
  const isIgnored = (key: string) => kind.ignoresDifference?.[key]?.(known, live) ?? false;
  const liveInput = (key: string) => (isIgnored(key) ? known[key] : speltLike(schemaOf(kind, key), live[key], known[key]));
  const inputs = cleanProps(Object.fromEntries(managed.map((key) => [key, liveInput(key)])));
  const kept = keptPrivateInputs(props);
  // A creation whose wait was ended early may be finished by now.
  const isReady = live.lacking === undefined && unreadyState(kind, live) === undefined;
  const remembered = {
    ...kept,
    __v: layout,
    __home: home,
    ...leftToPlatform(left),
    ...pick(props, ["__unmarked", "__hides", ...(isReady ? [] : ["__unborn", "__failed"])]),
    ...(isRead ? {} : saidOtherwise(kind, asSaid(kind, props), { ...live, ...inputs })),
  };
  const outputs = pick(live, [...Object.keys(kind.outputs.shape), ...left]);
  return { inputs: { ...inputs, ...kept }, props: cleanProps({ ...outputs, ...inputs, ...remembered }) };
}
