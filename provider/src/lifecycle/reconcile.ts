import { type Cloud, listed, listingDelay, PlatformError, type Readiness } from "@container-platform/sdk";
import { isOnPlatform, isOtherwise, StatePatch } from "../definition/changes.ts";
import { ProviderError } from "../definition/codes.ts";
import { type Context, readDelay, recently } from "../definition/context.ts";
import type { AnyChange, AnyLive, AnyStep, Kind } from "../definition/definition.ts";
import { passes } from "../definition/failures.ts";
import type { Resource } from "../ownership/session.ts";
import { isOldStackTag, ownedBy, ownerKey, ownerOf, ownershipOf } from "../ownership/tags.ts";
import { differencesIn } from "../schema/compare.ts";
import { schemaOf } from "../schema/parts.ts";
import { keptPrivateInputs, layout, leftToPlatform, privateStateOf } from "../schema/private-state.ts";
import { cleanProps, pick, type Props, same } from "../schema/values.ts";
import { asSaid, changesOnTop, driftNotes, inputsAtFailure, withDrift } from "./drift.ts";
import { sentenceAbout, Unfinished } from "./errors.ts";
import { Poll } from "./poll.ts";
import { inputsLeftToPlatform, knownOf, partsOf, secondsFor } from "./resource.ts";

type Reconciled = Pick<Resource, keyof Context | "kind" | "urn" | "props">;

/** Why a resource is reconciled. */
interface Occasion {
  /** The creation is not finished: the resource may be missing from lists for a while, and a failed state is final. */
  readonly fresh?: boolean;
  /** Inputs that the creation could not carry. */
  readonly uncarried?: readonly string[];
  /** Whether the resource has to be renewed, once. */
  readonly renew?: boolean;
  /** Whether it is imported or renamed, so that its tags have to name the owner before anything else is changed. */
  readonly isTaken?: boolean;
  /** The last applied inputs, in an update of a finished resource: only what has changed since is written. */
  readonly said?: Props | undefined;
  /** The error of a creation that created the resource all the same. The resource is then only saved as it is. */
  readonly failure?: Error | undefined;
}

type Outcome = "settled" | "advanced" | { readonly lack: string };

/** The last attempt of a step, and the live values of its inputs before. A step that has failed may have had its effect all the same. */
interface Attempt {
  readonly before: Props;
  /** The live values before the first attempt; none in a creation. */
  readonly first: Props;
  readonly begunAt: number;
  readonly failures: number;
  readonly failedAt: number;
  /** Until when a rejection of the repeated step may be an effect of the first attempt, which a late read does not show yet. */
  readonly inDoubtUntil: number;
}

/** In milliseconds: how long the platform may take until it shows the effect of a step that has failed. */
const grace = 2000;
/** How often a step is taken that fails, and changes nothing. */
const mostFailures = 5;
/** In seconds: how long a live value may be neither the old nor the desired one after a write. */
const settling = 30;

/** Updates a resource in place, or finishes its creation. Returns the properties to save. */
export function update(resource: Resource, id: string, olds: Props): Promise<Props> {
  const { kind, urn, session, cloud } = resource;
  const { __urn: before, __unborn: fresh, __unmarked: isUnmarked } = privateStateOf(olds);
  session.firstChanged ??= urn;
  session.inState.note(kind, id);
  const known = knownOf(kind, id, olds);
  return reconciled(resource, id, known, "updating", {
    fresh,
    renew: kind.due?.(known, cloud.now()) !== undefined,
    isTaken: isUnmarked || (before !== "" && before !== urn),
    said: fresh ? undefined : asSaid(kind, olds),
  });
}

type Doing = "creating" | "importing" | "updating";

/** Makes an existing resource as desired. Returns the properties to save. @throws Unfinished with the properties to save */
export async function reconciled(resource: Resource, id: string, known: Props, doing: Doing, occasion: Occasion): Promise<Props> {
  const { kind, session, props, home } = resource;
  const { fresh = false, said, failure } = occasion;
  const desired = pick(props, Object.keys(kind.inputs.shape));
  const left = inputsLeftToPlatform(kind, props);
  const remembered = { ...keptPrivateInputs(props), __v: layout, __home: home, ...leftToPlatform(left) };
  const reconciliation = new Reconciliation(resource, id, known, occasion);
  try {
    if (failure) throw failure;
    const live = await reconciliation.settle();
    const outputs = { ...pick(live, Object.keys(kind.outputs.shape)), ...pick(live, left) };
    if (fresh) return cleanProps({ ...outputs, ...desired, ...remembered });
    session.inState.confirmAtEnd(resource, id, live);
    const inputs = withDrift(kind, desired, live);
    session.unsaid(id, driftNotes(kind, id, props, inputs, live)).forEach(resource.note);
    return cleanProps({ ...outputs, ...inputs, ...remembered });
  } catch (error) {
    const { reached, isMarked, failure: failed } = reconciliation;
    const reason = sentenceAbout(error, `${doing} ${kind.type} ${id}`, kind.hints);
    const unfinished = fresh ? { __unborn: true, __failed: failed } : {};
    const marking = isMarked ? {} : { __unmarked: true };
    // Of a creation and an import, the live inputs are saved.
    const inputs = said === undefined ? {} : inputsAtFailure(kind, desired, said, reached);
    throw new Unfinished(reason, id, cleanProps({ ...reached, ...unfinished, ...marking, ...remembered, ...inputs }), error);
  }
}

/**
 * Makes a resource as desired: reads it, waits while a state is pending, takes the first step of the change table whose input differs,
 * and begins again, until nothing differs. Creations, updates, and both after an interruption are this same loop.
 */
export class Reconciliation {
  readonly #resource: Reconciled;
  readonly #occasion: Occasion;
  /** The inputs of the program, and the parts of the ID. */
  readonly #desired: Props;
  readonly #poll: Poll;
  readonly #attempts = new Map<AnyStep, Attempt>();
  readonly #begun = performance.now();
  #renew: boolean;
  /** Whether the last thing that happened was a write of this resource: what was read after it, for whatever purpose, tells its effect. */
  #hasWritten: boolean;
  #marked = false;
  /** Whether the resource's tags name the owner, as far as they have to. */
  isMarked: boolean;
  /** The properties that are known so far. After a failure, they are saved. */
  reached: Props;
  /** The state from which the resource cannot recover. */
  failure: string | undefined;

  constructor(resource: Reconciled, id: string, known: Props, occasion: Occasion) {
    const { kind, props } = resource;
    const { fresh = false, renew = false, isTaken = false } = occasion;
    this.#resource = resource;
    this.#occasion = occasion;
    this.#desired = { ...pick(props, Object.keys(kind.inputs.shape)), ...partsOf(kind, id) };
    this.#poll = new Poll(resource, secondsFor(resource, fresh ? "create" : "update"), { slow: fresh ? kind.slowCreation : undefined });
    this.#renew = renew;
    this.#hasWritten = fresh;
    this.isMarked = !isTaken || kind.tagsInput === undefined;
    const local = Object.keys(kind.changes).filter((key) => !isOnPlatform(kind, key));
    this.reached = { ...known, ...Object.fromEntries(local.map((key) => [key, this.#desired[key]])) };
  }

  /** Resolves to the live resource once it is as desired. */
  async settle(): Promise<AnyLive> {
    await this.#complete(this.#occasion.uncarried ?? []);
    for (;;) {
      const live = await this.#lookAtLatest();
      const outcome = live ? await this.#advance(live) : { lack: "not listed yet" };
      if (live && outcome === "settled") return live;
      this.#hasWritten = outcome === "advanced";
      if (typeof outcome === "object") await this.#poll.pause(outcome.lack);
      else this.#poll.restart();
    }
  }

  /** Sets the inputs that the creation could not carry. If the platform does not know the resource yet, or is busy, the loop sets them. */
  async #complete(uncarried: readonly string[]): Promise<void> {
    const { changes } = this.#resource.kind;
    const before = { ...this.reached, ...Object.fromEntries(uncarried.map((key) => [key, undefined])) };
    for (const step of new Set(uncarried.flatMap((key) => stepOf(changes[key]) ?? [])))
      try {
        await this.#carryOut(step, {}, before, this.#desired);
      } catch (error) {
        if (!(error instanceof PlatformError) || error.kind !== "notFound") throw error;
        this.#attempts.delete(step);
      }
  }

  /**
   * After a write of this resource, a recent look for another purpose will do to see that all is done. What is written next is planned on
   * a look of its own: others may have changed the resource since the recent one, and a step may write what it was planned on.
   */
  async #lookAtLatest(): Promise<AnyLive | undefined> {
    const { cloud } = this.#resource;
    if (!this.#hasWritten) return this.#look(this.#poll.cloud);
    this.#hasWritten = false;
    const asked = performance.now();
    const live = await this.#look(cloud.tolerating(recently));
    if (!live || this.#pending(live) !== undefined || !this.#isToChange(live, this.#desiredOn(live))) return live;
    return this.#look(cloud.tolerating(performance.now() - asked));
  }

  async #look(cloud: Cloud): Promise<AnyLive | undefined> {
    const { kind } = this.#resource;
    const asked = performance.now();
    const live = await kind.read(cloud, this.reached);
    if (live) this.reached = { ...this.reached, ...ownProperties(kind, live) };
    else if (!this.#occasion.fresh || asked > this.#begun + listingDelay * 1000)
      throw new ProviderError(
        "NotFound",
        `${kind.type} ${kind.id.of(this.#desired)} no longer exists. Run \`pulumi up --refresh\` to create it again`,
      );
    return live;
  }

  /** What the resource is still waiting for; `undefined` when it is ready. */
  #pending(live: AnyLive): string | undefined {
    const states = statesOf(this.#resource.kind, live);
    const failed = states.find(({ readiness }) => readiness !== "pending" && readiness !== "ready");
    if (failed) {
      const todo = this.#occasion.fresh
        ? "The next `pulumi up` replaces it"
        : "Check it in the console. `pulumi up` continues once it has recovered";
      this.failure = `it is ${withReason(failed.state, live)}`;
      throw new ProviderError("Failed", `${this.failure}. ${todo}`);
    }
    const pending = states.filter(({ readiness }) => readiness === "pending").map(({ state }) => state);
    if (pending.length > 0) return [pending.join(", "), live.reason].filter(Boolean).join(": ");
    return live.lacking;
  }

  /** Takes the first step that is due, once the resource is ready. */
  async #advance(live: AnyLive): Promise<Outcome> {
    const { kind } = this.#resource;
    const pending = this.#pending(live);
    if (pending !== undefined) return { lack: pending };
    const desired = this.#desiredOn(live);
    if (!this.isMarked || (isOldStackTag(ownershipOf(live).stack) && this.#isToChange(live, desired))) {
      const outcome = await this.#mark(live);
      if (outcome !== undefined) return outcome;
    }
    const due = this.#dueSteps(live, desired);
    const { renew } = kind;
    if (this.#renew && renew) {
      this.#renew = false;
      // A change of an input may do the same, and is made below.
      if (!due.includes(renew)) return this.#take(renew, live, desired);
    }
    const [step] = due;
    return step ? this.#carryOut(step, cleanProps(pick(live, inputsOf(kind, step))), live, desired) : "settled";
  }

  /** Whether a step is due, or the resource still has to be marked or renewed. */
  #isToChange(live: AnyLive, desired: Props): boolean {
    return !this.isMarked || this.#renew || this.#dueSteps(live, desired).length > 0;
  }

  /** The steps of the inputs that differ. */
  #dueSteps(live: AnyLive, desired: Props): AnyStep[] {
    const { kind } = this.#resource;
    return Object.entries(kind.changes).flatMap(([key, change]) => {
      const step = stepOf(change);
      return step && isOtherwise(kind, key, desired, live) ? [step] : [];
    });
  }

  #desiredOn(live: AnyLive): Props {
    const { kind, props } = this.#resource;
    const { said } = this.#occasion;
    return said ? changesOnTop(kind, this.#desired, said, live, privateStateOf(props).__veiled) : this.#desired;
  }

  /** Takes a step, unless its inputs are still as `before` the last attempt. After a passing failure, the looks show its effect for a while. */
  async #carryOut(step: AnyStep, before: Props, live: AnyLive, desired: Props): Promise<Outcome> {
    const inputs = inputsOf(this.#resource.kind, step);
    const last = this.#attempts.get(step);
    const isSame = last !== undefined && same(last.before, before);
    const { failures, failedAt, inDoubtUntil } = isSame ? last : { failures: 0, failedAt: 0, inDoubtUntil: 0 };
    if (isSame && (failures === 0 || performance.now() - failedAt < grace)) {
      if (failures === 0 && !same(before, last.first)) this.#refuseOtherValue(inputs, live, desired, last.begunAt);
      return { lack: `${listed(inputs)} ${inputs.length === 1 ? "shows" : "show"} no change yet` };
    }
    const attempt = { before, first: last?.first ?? (this.#occasion.fresh ? {} : before), begunAt: performance.now() };
    this.#attempts.set(step, { ...attempt, failures, failedAt, inDoubtUntil });
    try {
      await this.#take(step, live, desired, inputs);
    } catch (error) {
      const failedNow = performance.now();
      const isInDoubt = error instanceof PlatformError && failedNow < inDoubtUntil;
      if (!(passes(error) || isInDoubt) || failures + 1 >= mostFailures) throw error;
      const failed = { failures: failures + 1, failedAt: failedNow, inDoubtUntil: inDoubtUntil || failedNow + readDelay };
      this.#attempts.set(step, { ...attempt, ...failed });
      return { lack: error.reason };
    }
    return "advanced";
  }

  /** @throws Error if the platform has returned another value than the written one for a while, such as another spelling of it */
  #refuseOtherValue(inputs: readonly string[], live: AnyLive, desired: Props, begunAt: number): void {
    const { kind, props } = this.#resource;
    if ((performance.now() - begunAt) / 1000 < Math.min(settling, this.#poll.limit / 3)) return;
    const { __veiled: secrets } = privateStateOf(props);
    const [other] = inputs.flatMap((key) => differencesIn(schemaOf(kind, key), live[key], desired[key], [key], secrets.includes(key)));
    if (other)
      throw new ProviderError(
        "Failed",
        `${other.place}: the platform returns ${other.live} after a write of ${other.desired}. If both mean the same, write ${other.live} in the program. Otherwise, stop the client that changes it`,
        { path: other.place },
      );
  }

  /** Writes the owner and the stack into the tags. Changes of tags keep what they see there, so both have to be visible before them. */
  async #mark(live: AnyLive): Promise<Outcome | undefined> {
    const { kind, urn } = this.#resource;
    const step = stepOf(kind.changes[kind.tagsInput ?? ""]);
    const { owner, stack } = ownershipOf(live);
    this.isMarked = owner === ownerOf(urn) && !isOldStackTag(stack);
    if (this.isMarked || !step) return undefined;
    if (this.#marked) return { lack: `${ownerKey} shows no change yet` };
    this.#marked = true;
    return this.#take(step, live, ownedBy(urn, live));
  }

  async #take(step: AnyStep, live: AnyLive, desired: Props, inputs: readonly string[] = []): Promise<Outcome> {
    const patch = await step(this.#resource.cloud, desired, live, this.#poll.until);
    this.reached = { ...this.reached, ...pick(desired, inputs), ...(patch instanceof StatePatch ? patch.props : {}) };
    return "advanced";
  }
}

/** The states of a live resource. A state that has no meaning here is waited for. */
export function statesOf({ states = {} }: Kind, live: AnyLive): { readonly state: string; readonly readiness: Readiness }[] {
  return Object.entries(states).flatMap(([key, readinessOf]) => {
    const state = live[key];
    return typeof state === "string" ? [{ state, readiness: readinessOf[state] ?? "pending" }] : [];
  });
}

/** A failed state, with its reason and the ID of the request that returned it. */
export function withReason(state: string, live: AnyLive): string {
  const request = live.requestId === undefined ? "" : ` (request ${live.requestId})`;
  return `${[state, live.reason].filter(Boolean).join(": ")}${request}`;
}

/** The state of a resource that cannot be used now; `undefined` if it is ready. */
export function unreadyState({ states = {} }: Kind, live: Props): string | undefined {
  const unready = Object.entries(states).find(([key, readinessOf]) => readinessOf[String(live[key])] !== "ready");
  return unready && String(live[unready[0]]);
}

/** The step of a change in place, if the change has one. */
function stepOf(change: AnyChange | undefined): AnyStep | undefined {
  if (typeof change === "function") return change;
  return typeof change === "object" ? change.step : undefined;
}

function inputsOf({ changes }: Kind, step: AnyStep): string[] {
  return Object.keys(changes).filter((key) => stepOf(changes[key]) === step);
}

/** The live properties. An input that the platform has no value for is `undefined`. */
function ownProperties(kind: Kind, live: Props): Props {
  const { inputs, outputs } = kind;
  const isKnown = (key: string) => key in live || (key in inputs.shape && isOnPlatform(kind, key));
  const keys = Object.keys({ ...inputs.shape, ...outputs.shape }).filter(isKnown);
  return Object.fromEntries(keys.map((key) => [key, live[key]]));
}
