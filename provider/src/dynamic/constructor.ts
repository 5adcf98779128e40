import {
  createUrn,
  CustomResource,
  type CustomResourceOptions,
  type ID,
  type Input,
  isSecret,
  Output,
  output,
  RunError,
} from "@pulumi/pulumi";
import { keepAnswersOutOfLogs } from "./patches/debug-log.ts";
import type { Kind } from "../definition/definition.ts";
import { secretsOf } from "../schema/secrets.ts";
import { protectedByInput, inheritedProtection } from "./protected-by-input.ts";
import { warnOfMisspelt } from "./misspelt-settings.ts";
import { relationsOf } from "./relations.ts";
import { refuseOtherVersions } from "../runtime/one-version.ts";
import { withTimes } from "./options.ts";
import { describeValue } from "./describe-value.ts";
import { leaveOutPromiseTraces } from "./patches/traces.ts";
import { showProgram } from "./patches/source-positions.ts";
import { stubOf, typeToken } from "./stub.ts";
import { isProps, type Props } from "../schema/values.ts";

refuseOtherVersions();
leaveOutPromiseTraces();

interface Constructed {
  readonly props: Props;
  readonly options: CustomResourceOptions;
  /** Sets the outputs that are part of the id. In the preview of an update, all other outputs are unknown. */
  readonly setKnown: (resource: CustomResource) => void;
}

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
        throw new RunError(
          `${kind.type}.get("${name}", id): id is ${id === "" ? "empty" : String(id)}; it takes the id of what is there, such as ${kind.id.looks}`,
        );
      return new this(name, {}, { ...opts, id });
    }
    constructor(name: string, given: Props | undefined, opts: CustomResourceOptions = {}) {
      warnOfMisspelt();
      const args = objectOf(`${kind.type} ${name}`, given);
      refuseImportOf(kind, name, opts.import);
      const isGuarded = protectedByInput(kind, args, opts);
      withTimes(`${kind.type} ${name}`, opts);
      const undo = showProgram();
      try {
        const { props, options, setKnown } = constructed(kind, name, args, isGuarded ? { ...opts, protect: true } : opts);
        super(typeToken(kind.type), name, { ...props, __provider: stubOf(kind.type) }, options);
        setKnown(this);
      } finally {
        undo();
      }
      // Pulumi protects the children of what it protects. What is in a protected cluster may go as long as the cluster stays.
      if (isGuarded) Object.assign(this, { __protect: inheritedProtection(opts) });
    }
  };
}

/** The arguments; none where they are left out. @throws RunError for what is no object, which JavaScript lets pass */
function objectOf(called: string, given: unknown): Props {
  if (given === undefined || given === null) return {};
  if (isProps(given) && !Output.isInstance(given) && !(given instanceof Promise)) return given;
  throw new RunError(`${called}: takes its arguments as an object, such as { name: value }, not ${describeValue(given)}`);
}

/** @throws RunError for an option `import` that is no text, which JavaScript lets pass */
function refuseImportOf({ type, id }: Kind, name: string, imported: unknown): void {
  if (imported !== undefined && typeof imported !== "string")
    throw new RunError(
      `${type} ${name}: the option import takes an id that is known in the preview, such as ${id.looks}, not ${describeValue(imported)}`,
    );
}

/** What the constructor of a resource passes to Pulumi. */
function constructed(kind: Kind, name: string, args: Props, opts: CustomResourceOptions): Constructed {
  const { import: importId, ...options } = opts;
  // Pulumi makes an Output of each property that is named here: also of the inputs that the program leaves out.
  const unset = Object.fromEntries([kind.inputs, kind.outputs].flatMap(({ shape }) => Object.keys(shape)).map((key) => [key, undefined]));
  const privateInputs = {
    __urn: urnOf(kind, name, opts),
    ...(opts.customTimeouts ? { __timeouts: opts.customTimeouts } : {}),
    ...(Object.values(args).some(mayBeSecret) ? { __veiled: secretsIn(args) } : {}),
    ...(importId === undefined ? {} : { __adopt: importId }),
    ...(opts.id === undefined ? relationsOf(kind, args, opts) : { __get: true }),
  };
  return {
    props: { ...unset, ...args, ...privateInputs },
    options: { ...options, additionalSecretOutputs: [...(options.additionalSecretOutputs ?? []), ...secretsOf(kind)] },
    setKnown: (resource) => {
      // An imported resource has its id already. Pulumi gives none to a resource that is to be created, while it is previewed.
      if (importId !== undefined) Object.assign(resource, { id: resource.urn.apply(() => importId) });
      for (const key of Object.keys(kind.outputs.shape))
        if (kind.id.names.includes(key)) Object.assign(resource, { [key]: resource.id.apply((id) => kind.id.parts(id)?.[key]) });
    },
  };
}

/** It is a promise and no output: an output would depend on the parent, and the parent waits for its children. */
function urnOf(kind: Kind, name: string, { parent }: CustomResourceOptions): Promise<string> {
  return new Promise((resolve) => {
    createUrn(name, typeToken(kind.type), parent).apply((urn) => {
      resolve(urn);
      return urn;
    });
  });
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
