import type { automation } from "@pulumi/pulumi";
import { nameOf, typeOf } from "../schema/urn.ts";

/** The result of a run of the engine. */
export interface Outcome {
  /**
   * What was done to each resource, or would be, in order: `{ "Vpc demo": ["create"] }`. Resources that stay as they are, the stack
   * and providers are left out.
   */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  /** Warnings that were shown. */
  readonly warnings: readonly string[];
  /** All that the engine printed. */
  readonly output: string;
}

/**
 * Collects the outcome of a run from the engine's events.
 *
 * @param reported when the engine reports the operation on a resource: before it, or, in a refresh, after it
 */
export function outcomeCollector(reported: "before" | "after") {
  const operations: Record<string, string[]> = {};
  const warnings: string[] = [];
  return {
    onEvent: ({ resourcePreEvent, resOutputsEvent, diagnosticEvent }: automation.EngineEvent): void => {
      if (diagnosticEvent?.severity === "warning") warnings.push(diagnosticEvent.message.trim());
      const { metadata } = (reported === "before" ? resourcePreEvent : resOutputsEvent) ?? {};
      if (metadata && isChange(metadata)) (operations[`${typeOf(metadata.urn)} ${nameOf(metadata.urn)}`] ??= []).push(metadata.op);
    },
    outcome: (output: string): Outcome => ({ operations, warnings, output }),
  };
}

function isChange({ op, type }: automation.StepEventMetadata): boolean {
  return !["same", "refresh", "read"].includes(op) && type !== "pulumi:pulumi:Stack" && !type.startsWith("pulumi:providers:");
}
