import { createRequire } from "node:module";
import type { Kind } from "../definition/definition.ts";
import { type EngineLibrary, engineOf } from "./engine.ts";
import { inThisProcess, type ProviderProcess } from "./provider-process.ts";
import { onCancel } from "./patches/cancel.ts";
import { leaveOutEchoes } from "./patches/error-echo.ts";
import { typeToken } from "./stub.ts";

// The only state of a module. Pulumi's dynamic host creates one object for each kind of resource, all of them in one process.
let current: ProviderProcess | undefined;

/** What all kinds of resources share in the process of the dynamic host. @param kinds loads all kinds, with dependencies first */
export function dynamicProcess(kinds: () => Promise<readonly Kind[]>): ProviderProcess {
  return (current ??= inThisProcess({
    kinds,
    announce: leaveOutEchoes(),
    engine: engineOf(pulumisOwn, onCancel),
    inEngineWords: (text) => text,
    tokenOf: typeToken,
  }));
}

/** Pulumi's own client of the engine, and its gRPC library. Both are loaded in this process already. */
function pulumisOwn(): EngineLibrary {
  const require = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
  const parts = ["@pulumi/pulumi/proto/engine_grpc_pb.js", "@pulumi/pulumi/proto/engine_pb.js", "@grpc/grpc-js"].map(
    (name) => require(name) as EngineLibrary,
  );
  return Object.assign({}, ...parts) as EngineLibrary;
}
