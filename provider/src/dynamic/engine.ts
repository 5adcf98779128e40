import { connect as dial } from "node:net";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";

/** The engine that has started this provider's process. It shows the provider's messages, and it may end before the provider does. */
export interface Engine {
  /** Aborted when the user presses Control-C, or the engine has ended. */
  readonly stopped: AbortSignal;
  /** Shows a message in the resource's line of the display, until the next message. */
  readonly show: (urn: string, message: string) => void;
  readonly note: (urn: string, message: string) => void;
  readonly warn: (urn: string, message: string) => void;
  /** Warns of what concerns the whole stack, and resolves when the engine knows it: this process may exit then. */
  readonly last: (message: string) => Promise<void>;
  /** Does work that has to be finished before this process exits by itself. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
}

/** In milliseconds: from a refused connection to the engine to the next one. */
const pause = 500;
/** In milliseconds: how long work may go on after the engine has ended. */
const patience = 5000;

/** The engine that has started this process. Its address is the last argument. `onCancel` calls back when the engine cancels the update. */
export function engineOf(own: () => EngineLibrary, onCancel: (cancelled: () => void) => void): Engine {
  const address = /^(.+):(\d+)$/.exec(process.argv.at(-1) ?? "");
  const stop = new AbortController();
  let working = 0;
  if (address)
    watch(address[1] ?? "", Number(address[2]), () => {
      stop.abort();
      endWhen(() => working === 0);
    });
  onCancel(() => stop.abort());
  const log = address ? logTo(address[0], own()) : () => Promise.resolve();
  return {
    stopped: stop.signal,
    show: (urn, message) => void log(urn, message, "INFO", true),
    note: (urn, message) => void log(urn, message, "INFO"),
    warn: (urn, message) => void log(urn, message, "WARNING"),
    last: (message) => log("", message, "WARNING"),
    during: async (work) => {
      working++;
      return work().finally(() => working--);
    },
  };
}

/**
 * Calls `gone`, once, when the engine has ended. A killed engine sends no signal. So one connection is always held: it is cut at the same
 * moment, before another process can listen at the address. The engine also cuts idle connections after minutes; then the next succeeds.
 */
function watch(host: string, port: number, gone: () => void): void {
  let refusals = 0;
  const hold = (): void => {
    const socket = dial({ host, port });
    let isOpen = false;
    socket.unref();
    socket.once("connect", () => {
      isOpen = true;
      refusals = 0;
    });
    socket.on("error", () => undefined);
    socket.once("close", () => {
      if (!isOpen && ++refusals === 2) gone();
      else if (refusals < 2) setTimeout(hold, isOpen ? 0 : pause).unref();
    });
    socket.resume();
  };
  hold();
}

/** Ends the process once no work is under way, or when that takes too long: nobody is left who could save its outcome. */
function endWhen(idle: () => boolean): void {
  const begun = performance.now();
  setInterval(() => {
    if (idle() || performance.now() - begun > patience) process.exit(1);
  }, 100);
}

function logTo(address: string, { EngineClient: Client, LogRequest, LogSeverity, credentials }: EngineLibrary) {
  let client: EngineClient | undefined;
  return (urn: string, message: string, severity: "INFO" | "WARNING", isEphemeral = false): Promise<void> => {
    const sender = (client ??= new Client(address, credentials.createInsecure()));
    const request = new LogRequest().setSeverity(LogSeverity[severity]).setMessage(message).setUrn(urn).setEphemeral(isEphemeral);
    // A message that does not arrive is no reason to fail.
    return new Promise((resolve) => sender.log(request, () => resolve()));
  };
}

type EngineService = typeof import("@pulumi/pulumi/proto/engine_grpc_pb.js");

/** What messages to the engine are made of and sent with. */
export type EngineLibrary = Pick<EngineService, "EngineClient"> &
  Pick<typeof import("@pulumi/pulumi/proto/engine_pb.js"), "LogRequest" | "LogSeverity"> & {
    readonly credentials: { readonly createInsecure: () => ConstructorParameters<EngineService["EngineClient"]>[1] };
  };
