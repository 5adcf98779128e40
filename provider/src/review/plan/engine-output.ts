import * as z from "@container-platform/sdk/zod";

export const texts = z.array(z.string()).nullish();
const props = z.record(z.string(), z.unknown()).nullish();

/** A resource's state, as far as the reviewer needs it. Events have neither its dependencies nor its source position. */
export const stateSchema = z.object({
  urn: z.string().optional(),
  type: z.string(),
  id: z.string().optional(),
  custom: z.boolean().optional(),
  delete: z.boolean().optional(),
  inputs: props,
  outputs: props,
  protect: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  deletedWith: z.string().optional(),
  dependencies: texts,
  propertyDependencies: z.record(z.string(), texts).nullish(),
  sourcePosition: z.string().optional(),
  stackTrace: z.array(z.object({ sourcePosition: z.string().optional() })).nullish(),
});
export type RawState = z.output<typeof stateSchema>;

export const stepSchema = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: stateSchema.nullish(),
  newState: stateSchema.nullish(),
  replaceReasons: texts,
  diffReasons: texts,
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
});
export type RawStep = z.output<typeof stepSchema>;

export const diagnosticSchema = z.object({ urn: z.string().optional(), severity: z.string(), message: z.string() });
export type RawDiagnostic = z.output<typeof diagnosticSchema>;

export const policySchema = z.object({
  resourceUrn: z.string().optional(),
  message: z.string(),
  policyName: z.string(),
  policyPackName: z.string(),
  enforcementLevel: z.string(),
  severity: z.string().optional(),
});
export type RawViolation = z.output<typeof policySchema>;

export interface StackOutputs {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** What the engine has printed about one run, from a preview or an event log. */
export interface EngineOutput {
  readonly config: Readonly<Record<string, string>>;
  /** The engine's steps, in order. */
  readonly steps: readonly RawStep[];
  /** The differences that a refresh has found, one step for each resource. */
  readonly refreshed: readonly RawStep[];
  readonly diagnostics: readonly RawDiagnostic[];
  readonly violations: readonly RawViolation[];
  /** The outputs of the stack, before and after; only an event log has them. */
  readonly outputs: StackOutputs | undefined;
  /** Whether the engine has finished, and without an error; `undefined` if the output does not say so. */
  readonly finished: boolean | undefined;
  /** Whether the engine was told to look at a part of the stack alone. Of what others have printed, this may not be known. */
  readonly isPartial?: boolean;
  /** Whether resources that do not change are left out: the engine has counted more than there are. */
  readonly lacksSames: boolean;
  /** Whether the states have their dependencies. */
  readonly hasDependencies: boolean;
  /** Whether there is an event log: only that has the results of policy packs. */
  readonly hasEventLog: boolean;
}

/** The stack that a run was about, and its project: those of its first resource. */
export function stackIn({ steps, refreshed }: Pick<EngineOutput, "steps" | "refreshed">) {
  const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec((steps[0] ?? refreshed[0])?.urn ?? "") ?? [];
  return { stack, project };
}

/** The type of the resource of a URN, which also has the types of its parents. */
export function typeOf(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}
