import { nativeUrn, testedShell } from "../support/shell.ts";
import { urnOf, called } from "./program.ts";
import type { Entry, Pending } from "./state.ts";

const isNative = testedShell === "native";
const providerUrn = `urn:pulumi:test::throw-away::pulumi:providers:${isNative ? "container-platform" : "pulumi-nodejs"}::default`;

/** The state of a stack. */
interface Stack {
  readonly entries: readonly Entry[];
  readonly pending: readonly Pending[];
  readonly hasProvider: boolean;
  readonly providerId: string;
}

/** What `pulumi stack export` shows of a stack. */
export function exportOf({ entries, pending, hasProvider, providerId }: Stack): string {
  const stack = { urn: "urn:pulumi:test::throw-away::pulumi:pulumi:Stack::throw-away-test", type: "pulumi:pulumi:Stack" };
  const provider = { urn: providerUrn, type: providerUrn.split("::")[2], id: providerId };
  const resources = [
    stack,
    provider,
    ...entries.map((entry) => ({ ...resourceOf(entry, providerId), id: entry.id, outputs: entry.outputs })),
  ];
  return JSON.stringify({
    version: 3,
    deployment: {
      resources: hasProvider ? resources : [],
      pending_operations: pending.map(({ type, entry, provider = providerId }) => ({
        type,
        resource: { ...resourceOf(entry, provider), ...(entry.id && { id: entry.id }) },
      })),
    },
  });
}

function resourceOf(entry: Entry, providerId: string): object {
  const urn = isNative ? nativeUrn(urnOf(called(entry))) : urnOf(called(entry));
  return {
    urn,
    type: urn.split("::")[2],
    inputs: entry.inputs,
    dependencies: entry.after.map((name) => (isNative ? nativeUrn(urnOf(name)) : urnOf(name))),
    provider: `${providerUrn}::${providerId}`,
    ...(entry.protect && { protect: true }),
    ...(entry.retain && { retainOnDelete: true }),
    ...(entry.status === "toDelete" && { delete: true }),
    ...(entry.status === "toRecreate" && { pendingReplacement: true }),
  };
}
