import { createUrn, type CustomResource, type CustomResourceOptions, isSecret, output } from "@pulumi/pulumi";
import { keepAnswersOutOfLogs } from "./discretion.ts";
import type { Kind } from "./kind.ts";
import { secretsOf } from "./secrets.ts";
import { typeToken } from "./stub.ts";
import type { Props } from "./values.ts";

interface Constructed {
  readonly props: Props;
  readonly options: CustomResourceOptions;
  /** Makes the properties that the id tells known, also while an update is previewed: other outputs are not. */
  readonly known: (made: CustomResource) => void;
}

keepAnswersOutOfLogs();

/** What the constructor of a resource hands on to Pulumi. */
export function constructed(kind: Kind, name: string, args: Props, opts: CustomResourceOptions): Constructed {
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
