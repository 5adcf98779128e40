import * as z from "@container-platform/sdk/zod";
import { isSecret, Output } from "@pulumi/pulumi";
import outputs from "@pulumi/pulumi/output.js";
import { knownValue } from "../../pulumi/known.ts";
import { isProps, type Props } from "../../schema/values.ts";

/** A property of a component, as the plugin's schema has it. */
const specForm = z.object({
  plain: z.boolean().optional(),
  type: z.string().optional(),
  $ref: z.string().optional(),
  get items() {
    return specForm.optional();
  },
  get additionalProperties() {
    return specForm.optional();
  },
  get oneOf() {
    return z.array(specForm).optional();
  },
});
type Spec = z.output<typeof specForm>;

const propertiesForm = z.record(z.string(), specForm);
const schemaForm = z.object({
  types: z.record(z.string(), z.object({ properties: propertiesForm.default({}) })),
  resources: z.record(z.string(), z.object({ inputProperties: propertiesForm })),
});
type Types = z.output<typeof schemaForm>["types"];

// The schema is a quarter of a megabyte, and stays the same as long as the process lives.
let specs: Promise<z.output<typeof schemaForm>> | undefined;

/**
 * The arguments of a component, as its class takes them. What has to be known while a program runs is a value, also where a program has it
 * from a function, such as a CIDR block of `cidrSubnet`. What is in there besides, and comes from a resource, depends on it still.
 *
 * @param schema reads that of the plugin: it says what has to be known
 * @param token the type of the component
 * @throws Error if a secret is given as what the names and ranges of children are made of
 */
export async function argumentsOf(schema: () => Promise<string>, token: string, given: Props): Promise<Props> {
  specs ??= schema().then((text) => schemaForm.parse(JSON.parse(text)));
  const { types, resources } = await specs;
  const properties = resources[token]?.inputProperties ?? {};
  return new Opening(types).object(given, (key) => properties[key], { path: "", from: undefined });
}

interface At {
  readonly path: string;
  /** What the whole value comes from. */
  readonly from: Output<unknown> | undefined;
}

class Opening {
  readonly #types: Types;

  constructor(types: Types) {
    this.#types = types;
  }

  async object(value: Props, specOf: (key: string) => Spec | undefined, { path, from }: At): Promise<Props> {
    // Languages differ in how they leave an argument out.
    const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
    const below = (key: string): At => ({ path: path === "" ? key : `${path}.${key}`, from });
    return Object.fromEntries(
      await Promise.all(entries.map(async ([key, inner]) => [key, await this.#value(inner, specOf(key), below(key))] as const)),
    );
  }

  async #value(value: unknown, spec: Spec | undefined, at: At): Promise<unknown> {
    const { path, from } = at;
    if (Output.isInstance(value)) return this.#output(value, spec, at);
    if (!spec?.plain) return from ? depending(value, from) : value;
    if (Array.isArray(value)) {
      const { items } = among(spec, ({ type }) => type === "array");
      return Promise.all(value.map((item, index) => this.#value(item, items, { path: `${path}[${index}]`, from })));
    }
    if (!isProps(value)) return value;
    const { $ref = "", additionalProperties } = among(spec, ({ type, $ref }) => type === "object" || $ref !== undefined);
    const properties = this.#types[$ref.replace("#/types/", "")]?.properties ?? {};
    return this.object(value, (key) => additionalProperties ?? properties[key], at);
  }

  /** What is secret, not known yet, or of a resource stays an output; where it has to be known, the component refuses it by name. */
  async #output(value: Output<unknown>, spec: Spec | undefined, { path, from }: At): Promise<unknown> {
    const hidden = await isSecret(value);
    if (hidden && spec?.plain) throw new Error(`${path}: is a secret, and ${inClear}: give it in clear`);
    const known = hidden ? undefined : await knownValue(value);
    const isOfResource = (await outputs.getAllResources(value)).size > 0;
    if (known === undefined || (isOfResource && !spec?.plain)) return from && !spec?.plain ? depending(value, from) : value;
    return this.#value(known, spec, { path, from: isOfResource ? value : from });
  }
}

/** Why an argument that has to be known is no secret. */
const inClear = "the component makes names, ranges and the number of its resources of it, which are in clear in the state";

/** @returns an output with the value, which depends on what another one depends on */
function depending(value: unknown, from: Output<unknown>): unknown {
  return from.apply(() => value);
}

/** What a value of some kind is, where it may be of several. */
function among(spec: Spec, fits: (spec: Spec) => boolean): Spec {
  return (spec.oneOf ?? [spec]).find(fits) ?? {};
}
