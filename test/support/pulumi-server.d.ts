import type grpc from "@grpc/grpc-js";
import type { automation } from "@pulumi/pulumi";

declare module "@pulumi/pulumi/automation/server.js" {
  /** Pulumi's own, which it leaves out of its types: what the Automation API runs a program with. */
  class LanguageServer implements grpc.UntypedServiceImplementation {
    readonly [method: string]: grpc.UntypedHandleCall;
    constructor(program: automation.PulumiFn);
  }
}
