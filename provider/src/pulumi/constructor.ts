import { createUrn, CustomResource, type CustomResourceOptions, type ID, type Input, isSecret, output } from "@pulumi/pulumi";
import { keepAnswersOutOfLogs } from "./patches/debug-log.ts";
import type { Kind } from "../definition/definition.ts";
import { secretsOf } from "../schema/secrets.ts";
import { showProgram } from "./patches/source-positions.ts";
import { stubOf, typeToken } from "./stub.ts";
import type { Props } from "../schema/values.ts";

interface Constructed {
  readonly props: Props;
  readonly options: CustomResourceOptions;
  /** Makes the properties that the id tells known, also while an update is previewed: other outputs are not. */
  readonly known: (made: CustomResource) => void;
}

/** A class of resources, of which nothing is known but that Pulumi's are. */
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
    static get(name: string, id: Input<ID>, opts?: CustomResourceOptions) {
      return new this(name, {}, { ...opts, id });
    }
    constructor(name: string, args: Props, opts: CustomResourceOptions = {}) {
      const { props, options, known } = constructed(kind, name, args, opts);
      const shown = showProgram();
      try {
        super(typeToken(kind.type), name, { ...props, __provider: stubOf(kind.type) }, options);
      } finally {
        shown();
      }
      known(this);
    }
  };
}

/** What the constructor of a resource hands on to Pulumi. */
function constructed(kind: Kind, name: string, args: Props, opts: CustomResourceOptions): Constructed {
  const { import: adopted, ...options } = opts;
  const unset = Object.fromEntries(Object.keys(kind.outputs.shape).map((key) => [key, undefined]));
  const hidden = {
    __urn: urnOf(kind, name, opts),
    ...(opts.customTimeouts ? { __timeouts: opts.customTimeouts } : {}),
    ...(adopted === undefined ? {} : { __adopt: adopted, __veiled: secretOf(args) }),
    ...(opts.id === undefined ? {} : { __get: true }),
  };
  return {
    props: { ...unset, ...args, ...hidden },
    options: { ...options, additionalSecretOutputs: [...(options.additionalSecretOutputs ?? []), ...secretsOf(kind)] },
    known: (made) => {
      // What is adopted has its id already; an output of a thing that is previewed has none.
      if (adopted !== undefined) Object.assign(made, { id: made.urn.apply(() => adopted) });
      for (const key of Object.keys(kind.outputs.shape))
        if (kind.id.names.includes(key)) Object.assign(made, { [key]: made.id.apply((id) => kind.id.parts(id)?.[key]) });
    },
  };
}

/** A bare promise, not an output: as an output it would depend on a parent that waits for its children. */
function urnOf(kind: Kind, name: string, { parent }: CustomResourceOptions): Promise<string> {
  return new Promise((resolve) => {
    createUrn(name, typeToken(kind.type), parent).apply((urn) => {
      resolve(urn);
      return urn;
    });
  });
}

/** The names of what is given as a secret. */
async function secretOf(args: Props): Promise<string[]> {
  const names = await Promise.all(Object.entries(args).map(async ([key, value]) => ((await isSecret(output(value))) ? [key] : [])));
  return names.flat();
}
