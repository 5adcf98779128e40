import { InputError } from "../../operation/errors.ts";
import { accessKeyOf } from "../accounts/accounts.ts";
import type { AccessKey } from "../accounts/rows.ts";
import { Faults, type ListedFault } from "../faults.ts";
import type { Fault } from "../faults/rules.ts";
import { type Pace, paceNamed } from "../pace.ts";
import type { World } from "../store/world.ts";
import { reset, restore, type Snapshot, snapshotOf } from "./snapshot.ts";

export interface WorldStatus {
  /** The world's time, in milliseconds since 1970. */
  readonly time: number;
  readonly frozen: boolean;
  readonly pace: Pace;
  readonly seed: string;
}

/** What tests do with a world, whether it is in this process or served over HTTP. Each is one transaction. */
export interface WorldControl {
  status(): Promise<WorldStatus>;
  /** Sets the clock to a moment, in milliseconds since 1970: it runs on from there, or stands there. */
  setTime(moment: number): Promise<WorldStatus>;
  /** Moves the clock forward by so many milliseconds. */
  advance(milliseconds: number): Promise<WorldStatus>;
  /** Stops the clock where it stands. */
  freeze(): Promise<WorldStatus>;
  /** Lets a stopped clock run on from where it stands. */
  unfreeze(): Promise<WorldStatus>;
  setPace(pace: Pace): Promise<WorldStatus>;

  faults(): Promise<readonly ListedFault[]>;
  /** Asks for a fault. Answers its id. */
  addFault(fault: Fault): Promise<number>;
  removeFault(id: number): Promise<void>;
  clearFaults(): Promise<void>;

  /** Makes it an empty world, with the same seed unless another is given. Answers the key of its first account. */
  reset(options?: { readonly seed?: string; readonly pace?: Pace }): Promise<AccessKey>;
  /** The whole world as JSON; its audit log only if asked for. It holds secrets, as the world does. */
  snapshot(options?: { readonly audit?: boolean }): Promise<Snapshot>;
  /** Makes it what a snapshot says. Answers the key of its first account. */
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

  setPace(pace: Pace): Promise<WorldStatus> {
    return this.#change((world) => world.setPace(paceNamed(pace)));
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

  reset(options?: { readonly seed?: string; readonly pace?: Pace }): Promise<AccessKey> {
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
      const { frozen, pace, seed } = this.#world.clock();
      return { time: this.#world.now(), frozen: frozen !== null, pace, seed };
    });
  }
}

/** The last moment that a date can be. */
const lastMoment = 8.64e15;

function checkedTime(name: string, value: number): number {
  if (!(Math.abs(value) <= lastMoment)) throw new InputError(`${name} is ${value}; it takes milliseconds, of a date that there is`);
  return value;
}

/** A fault of an operation that there is not would never hit anything. The catalogue is only needed to see that. */
async function refuseUnknownOperation(wished: { readonly product?: string; readonly action?: string; readonly version?: string }) {
  const { catalogue } = await import("../../catalogue/every-operation.ts");
  const named = (["product", "action", "version"] as const).filter((name) => wished[name] !== undefined);
  if (catalogue.some((operation) => named.every((name) => operation[name] === wished[name]))) return;
  throw new InputError(`there is no operation with ${named.map((name) => `${name} ${wished[name] ?? ""}`).join(", ")}`);
}
