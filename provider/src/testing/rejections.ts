import { AsyncLocalStorage } from "node:async_hooks";
import type { automation } from "@pulumi/pulumi";

/**
 * What the program of a run rejects in this process, and nobody handles. Pulumi listens for it while the program runs, and the run fails with
 * it. But one error of an output rejects dozens of promises, some of them when Pulumi does not listen any more, as do its calls that the end
 * of the engine cuts off. All of them would reach the test runner, which cannot tell whose they are: `node --test` fails the file.
 *
 * So the runner does not hear of what the run fails with. All else goes where it would have gone.
 */

const event = "unhandledRejection";
type Listener = NodeJS.UnhandledRejectionListener;

/** The errors that runs have failed with. */
const reported = new WeakSet();
/** The listeners of others, as they are now. */
const guarded = new WeakSet<object>();

/** The same program. Its own error ends the run. */
export function reporting(program: automation.PulumiFn): automation.PulumiFn {
  return async () => {
    try {
      return await program();
    } catch (error) {
      if (typeof error === "object" && error !== null) reported.add(error);
      throw error;
    }
  };
}

/** Keeps from those who listen now what the runs to come report themselves. */
export function guardListeners(): void {
  // Without any, Node ends the process.
  if (process.listenerCount(event) === 0) process.on(event, rethrow);
  const listeners = process.rawListeners(event).filter(isListener);
  if (listeners.every((one) => guarded.has(one))) return;
  process.removeAllListeners(event);
  for (const listener of listeners) process.on(event, guarded.has(listener) ? listener : guardedFrom(listener));
}

function guardedFrom(listener: Listener): Listener {
  const hears: Listener = (reason, promise) => {
    if (!isOfRun(reason)) listener.call(process, reason, promise);
  };
  guarded.add(hears);
  // By this property, Node finds what its owner removes.
  const own: unknown = Reflect.get(listener, "listener");
  return Object.assign(hears, { listener: own ?? listener });
}

/** Whether a run fails with it. Node asks in the context in which the promise was made. */
function isOfRun(reason: unknown): boolean {
  if (typeof reason !== "object" || reason === null) return false;
  if (isInProgram() && isPulumiListening()) reported.add(reason);
  // So fails a call of Pulumi's that was under way when the engine ended.
  const isCutOff = reason instanceof Error && reason.message.includes("Resource monitor is terminating");
  return isCutOff || reported.has(reason);
}

/** Pulumi keeps the settings of each run of a program in this storage. */
function isInProgram(): boolean {
  const storage: unknown = Reflect.get(globalThis, "asyncLocalStorage");
  return storage instanceof AsyncLocalStorage && storage.getStore() !== undefined;
}

/** Those that came after the runner's are Pulumi's. */
function isPulumiListening(): boolean {
  return process.rawListeners(event).some((one) => !guarded.has(one));
}

function rethrow(reason: unknown): void {
  throw reason;
}

function isListener(listener: unknown): listener is Listener {
  return typeof listener === "function";
}
