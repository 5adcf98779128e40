import type { Inputs, ResourceHookBinding } from "@pulumi/pulumi";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import type { Map } from "google-protobuf";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";

// What Pulumi leaves out of its types: what its own server of providers makes components with.

declare module "@pulumi/pulumi/provider/server.js" {
  /** The inputs of a component, which depend on what the engine says. */
  function deserializeInputs(inputs: Struct | undefined, dependencies: Map<string, ConstructRequest.PropertyDependencies>): Promise<Inputs>;
}

declare module "@pulumi/pulumi/runtime/config.js" {
  function setAllConfig(config: Readonly<Record<string, string>>, secretKeys?: readonly string[]): void;
}

declare module "@pulumi/pulumi/runtime/resource.js" {
  function hookBindingFromProto(binding: ConstructRequest.ResourceHooksBinding | undefined): ResourceHookBinding | undefined;
}

declare module "@pulumi/pulumi/runtime/settings.js" {
  /** Asks the engine what it can do. */
  function awaitFeatureSupport(): Promise<void>;
  /** Waits until the engine has answered all that it was asked. */
  function waitForRPCs(): Promise<void>;
}

declare module "@pulumi/pulumi/runtime/state.js" {
  /** Does work with a runtime of its own. */
  function withLocalStorage<T>(work: () => Promise<T>): Promise<T>;
}
