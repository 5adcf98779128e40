import { InputError } from "../../operation/errors.ts";
import { accessKeyOf } from "../accounts/accounts.ts";
import type { AccessKey } from "../accounts/rows.ts";
import { type Fault, Faults, type ListedFault } from "../faults/faults.ts";
import { type TimeScale, timeScaleNamed } from "../time.ts";
import type { World } from "../store/world.ts";
import { reset, restore, type Snapshot, snapshotOf } from "./snapshot.ts";

export interface WorldStatus {
  /** The world's time, in milliseconds since 1970. */
  readonly time: number;
  readonly frozen: boolean;
  readonly timeScale: TimeScale;
  readonly seed: string;
}

/** How tests control a world, in this process or served over HTTP. Each method is one transaction. */
export interface WorldControl {
  status(): Promise<WorldStatus>;
  /** Sets the clock to a moment, in milliseconds since 1970. It runs on from there; a frozen one stays there. */
  setTime(moment: number): Promise<WorldStatus>;
  /** Moves the clock forward. */
  advance(milliseconds: number): Promise<WorldStatus>;
  /** Stops the clock. */
  freeze(): Promise<WorldStatus>;
  /** Lets a stopped clock run on from its time. */
  unfreeze(): Promise<WorldStatus>;
  /** Sets the time scale: how long transitions take. */
  setTimeScale(timeScale: TimeScale): Promise<WorldStatus>;

  faults(): Promise<readonly ListedFault[]>;
  /** Adds a fault. Answers its id. */
  addFault(fault: Fault): Promise<number>;
  removeFault(id: number): Promise<void>;
  clearFaults(): Promise<void>;

  /** Empties the world; it keeps its seed unless another is given. Answers the key of its first account. */
  reset(options?: { readonly seed?: string; readonly timeScale?: TimeScale }): Promise<AccessKey>;
  /** The whole world as JSON; the audit log only if `audit` is true. It holds secrets, as the world does. */
  snapshot(options?: { readonly audit?: boolean }): Promise<Snapshot>;
  /** Replaces all that is in the world by a snapshot. Answers the key of its first account. */
  restore(snapshot: Snapshot): Promise<AccessKey>;
}

/** Control of a world that this process has opened. */
export class LocalControl implements WorldControl {
  readonly #world: World;
  readonly #faults: Faults;

  constructor(world: World) {
    this.#world = world;
    this.#faults = new Faults(world);
  }

  status(): Promise<WorldStatus> {
    return this.#change(() => undefined);
  }

  setTime(moment: number): Promise<WorldStatus> {
    return this.#change((world) => world.setTime(checkedTime("time", moment)));
  }

  advance(milliseconds: number): Promise<WorldStatus> {
    return this.#change((world) => {
      if (milliseconds < 0) throw new InputError(`milliseconds is ${milliseconds}; it takes 0 or more: set the time to go back`);
      world.advance(checkedTime("milliseconds", milliseconds));
    });
  }

  freeze(): Promise<WorldStatus> {
    return this.#change((world) => world.freeze());
  }

  unfreeze(): Promise<WorldStatus> {
    return this.#change((world) => world.unfreeze());
  }

  setTimeScale(timeScale: TimeScale): Promise<WorldStatus> {
    return this.#change((world) => world.setTimeScale(timeScaleNamed(timeScale)));
  }

  faults(): Promise<readonly ListedFault[]> {
    return this.#world.transaction(() => this.#faults.list());
  }

  async addFault(fault: Fault): Promise<number> {
    if ("operation" in fault) await refuseUnknownOperation(fault.operation);
    return this.#world.transaction(() => this.#faults.add(fault));
  }

  removeFault(id: number): Promise<void> {
    return this.#world.transaction(() => {
      if (!this.#faults.remove(id)) throw new InputError(`there is no fault ${id}`);
    });
  }

  clearFaults(): Promise<void> {
    return this.#world.transaction(() => this.#faults.clear());
  }

  reset(options?: { readonly seed?: string; readonly timeScale?: TimeScale }): Promise<AccessKey> {
    return this.#world.transaction(() => {
      reset(this.#world, options);
      return accessKeyOf(this.#world);
    });
  }

  snapshot(options?: { readonly audit?: boolean }): Promise<Snapshot> {
    return this.#world.transaction(() => snapshotOf(this.#world, options));
  }

  restore(snapshot: Snapshot): Promise<AccessKey> {
    return this.#world.transaction(() => {
      restore(this.#world, snapshot);
      return accessKeyOf(this.#world);
    });
  }

  #change(work: (world: World) => void): Promise<WorldStatus> {
    return this.#world.transaction(() => {
      work(this.#world);
      const { frozen, timeScale, seed } = this.#world.clock();
      return { time: this.#world.now(), frozen: frozen !== null, timeScale, seed };
    });
  }
}

/** The latest time that a `Date` can hold, in milliseconds. */
const lastMoment = 8.64e15;

function checkedTime(name: string, value: number): number {
  if (!(Math.abs(value) <= lastMoment)) throw new InputError(`${name} is ${value}; it takes milliseconds, -8.64e15 to 8.64e15`);
  return value;
}

/** A fault of an unknown operation would never hit a call. The catalogue is loaded for this check alone. */
async function refuseUnknownOperation(given: { readonly product?: string; readonly action?: string; readonly version?: string }) {
  const { catalogue } = await import("../../catalogue/every-operation.ts");
  const named = (["product", "action", "version"] as const).filter((name) => given[name] !== undefined);
  if (catalogue.some((operation) => named.every((name) => operation[name] === given[name]))) return;
  throw new InputError(`there is no operation with ${named.map((name) => `${name} ${given[name] ?? ""}`).join(", ")}`);
}
