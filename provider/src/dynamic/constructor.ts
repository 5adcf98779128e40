import { twoVersions } from "@container-platform/sdk";
import type { CustomResourceOptions, ID, Input, Resource } from "@pulumi/pulumi";
import { createUrn, CustomResource, isSecret, log, Output, output, runtime } from "@pulumi/pulumi";
import { keepAnswersOutOfLogs } from "./patches/debug-log.ts";
import { programError } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import { promised } from "./known.ts";
import { optionsOf, protectAlone, withUnset } from "./resource-options.ts";
import { relationsOf } from "./relations.ts";
import { misspelt } from "../runtime/configuration.ts";
import { misuse, withTimes } from "./options.ts";
import { describeValue } from "./describe-value.ts";
import { leaveOutTracesOfPromises, showProgram } from "./patches/stack-traces.ts";
import { stubOf, typeToken } from "./stub.ts";
import { isProps, type Props } from "../schema/values.ts";

// The provider's process has the version that the program finds. It would manage resources as another one has declared them, such as one
// that a library of components brings.
const otherVersion = twoVersions("@container-platform/pulumi", import.meta.dirname);
if (otherVersion !== undefined) {
  const error = programError("WrongVersion", otherVersion);
  // Where this was found out helps nobody.
  error.stack = error.message;
  throw error;
}
leaveOutTracesOfPromises();

/** The class of a kind of resource, with the types of its properties erased. */
interface AnyResourceClass {
  readonly kind: Kind;
  new (name: string, args: Props, opts?: CustomResourceOptions): CustomResource;
  get(name: string, id: Input<ID>, opts?: CustomResourceOptions): CustomResource;
}

/** The class with which programs declare resources of a kind. */
export function classOf(kind: Kind): AnyResourceClass {
  keepAnswersOutOfLogs();
  return class extends CustomResource {
    static readonly kind = kind;
    static get(name: string, id: Input<ID> | null | undefined, opts?: CustomResourceOptions) {
      // Without an id, Pulumi would make one instead of reading it.
      if (id === undefined || id === null || id === "")
        throw misuse(
          `${kind.type}.get("${name}", id)`,
          `id is ${id === "" ? "empty" : String(id)}, and not the ID of an existing ${kind.type}, such as ${kind.id.looks}`,
        );
      return new this(name, {}, { ...opts, id });
    }
    constructor(name: string, given: Props | undefined, opts: CustomResourceOptions = {}) {
      warnOfMisspelt();
      const args = objectOf(`${kind.type} ${name}`, given);
      refuseImportOf(kind, name, opts.import);
      withTimes(`${kind.type} ${name}`, opts);
      const undo = showProgram();
      try {
        const { import: importId, ...options } = optionsOf(kind, args, opts);
        const props = { ...withUnset(kind, args), ...privateInputs(kind, name, args, opts), __provider: stubOf(kind.type) };
        super(typeToken(kind.type), name, props, options);
        setKnown(this, kind, importId);
      } finally {
        undo();
      }
      protectAlone(this, kind, args, opts);
    }
  };
}

/** The arguments; none where they are left out. @throws RunError for what is no object, which JavaScript lets pass */
function objectOf(called: string, given: unknown): Props {
  if (given === undefined || given === null) return {};
  if (isProps(given) && !Output.isInstance(given) && !(given instanceof Promise)) return given;
  throw misuse(called, `takes its arguments as an object, such as { name: value }, not ${describeValue(given)}`);
}

/** @throws RunError for an option `import` that is no text, which JavaScript lets pass */
function refuseImportOf({ type, id }: Kind, name: string, imported: unknown): void {
  if (imported !== undefined && typeof imported !== "string")
    throw misuse(
      `${type} ${name}`,
      `the option import takes an id that is known in the preview, such as ${id.looks}, not ${describeValue(imported)}`,
    );
}

/** What the provider is passed besides the arguments. */
function privateInputs(kind: Kind, name: string, args: Props, opts: CustomResourceOptions): Props {
  const { import: importId, parent, customTimeouts } = opts;
  return {
    // A promise and no output: an output would depend on the parent, and the parent waits for its children.
    __urn: promised(createUrn(name, typeToken(kind.type), parent)),
    ...(customTimeouts ? { __timeouts: customTimeouts } : {}),
    ...(Object.values(args).some(mayBeSecret) ? { __veiled: secretsIn(args) } : {}),
    ...(importId === undefined ? {} : { __adopt: importId }),
    ...(opts.id === undefined ? relationsOf(kind, args, opts) : { __get: true }),
  };
}

/** Sets the outputs that are part of the id. In the preview of an update, all other outputs are unknown. */
function setKnown(resource: CustomResource, { id, outputs }: Kind, importId: string | undefined): void {
  // An imported resource has its id already. Pulumi gives none to a resource that is to be created, while it is previewed.
  if (importId !== undefined) Object.assign(resource, { id: resource.urn.apply(() => importId) });
  for (const key of Object.keys(outputs.shape).filter((one) => id.names.includes(one)))
    Object.assign(resource, { [key]: resource.id.apply((value) => id.parts(value)?.[key]) });
}

/** The names of the inputs that are given as secrets; `undefined` if none is. */
async function secretsIn(args: Props): Promise<string[] | undefined> {
  const given = Object.entries(args).filter(([, value]) => mayBeSecret(value));
  const names = await Promise.all(given.map(async ([key, value]) => ((await isSecret(output(value))) ? [key] : [])));
  return names.flat().length > 0 ? names.flat() : undefined;
}

/** A secret is an Output, or inside of one or of a promise. To ask plain values costs a promise for each part of them. */
function mayBeSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Output.isInstance(value) || value instanceof Promise || Object.values(value).some(mayBeSecret);
}

/** The stacks that are looked at: a process may run several programs. */
const seen = new WeakSet<Resource>();

/** Warns of what the stack's configuration has that is spelt like a setting, once. The provider's process is not told all names. */
function warnOfMisspelt(): void {
  const stack = runtime.getStackResource();
  if (!stack || seen.has(stack)) return;
  seen.add(stack);
  for (const sentence of misspelt(Object.keys(runtime.allConfig()))) void log.warn(sentence);
}
