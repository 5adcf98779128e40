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

/**
 * The arguments of a component, as its class takes them. What has to be known while a program runs is a value, also where a program has it
 * from a function, such as a range that is carved. What is in there besides, and comes from a resource, depends on it still.
 *
 * @param schema of the plugin, as text: it says what has to be known
 * @param token the type of the component
 */
export function argumentsOf(schema: string, token: string, given: Props): Promise<Props> {
  const { types, resources } = schemaForm.parse(JSON.parse(schema));
  const properties = resources[token]?.inputProperties ?? {};
  return new Opening(types).object(given, (key) => properties[key], undefined);
}

type From = Output<unknown> | undefined;

class Opening {
  readonly #types: Types;

  constructor(types: Types) {
    this.#types = types;
  }

  /** @param from what the whole value comes from */
  async object(value: Props, specOf: (key: string) => Spec | undefined, from: From): Promise<Props> {
    // Languages differ in how they leave an argument out.
    const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
    return Object.fromEntries(
      await Promise.all(entries.map(async ([key, inner]) => [key, await this.#value(inner, specOf(key), from)] as const)),
    );
  }

  async #value(value: unknown, spec: Spec | undefined, from: From): Promise<unknown> {
    if (Output.isInstance(value)) return this.#output(value, spec, from);
    if (!spec?.plain) return from ? depending(value, from) : value;
    if (Array.isArray(value)) {
      const { items } = among(spec, ({ type }) => type === "array");
      return Promise.all(value.map((item) => this.#value(item, items, from)));
    }
    if (!isProps(value)) return value;
    const { $ref = "", additionalProperties } = among(spec, ({ type, $ref }) => type === "object" || $ref !== undefined);
    const properties = this.#types[$ref.replace("#/types/", "")]?.properties ?? {};
    return this.object(value, (key) => additionalProperties ?? properties[key], from);
  }

  /** What is secret, not known yet, or of a resource stays an output; where it has to be known, the component refuses it by name. */
  async #output(value: Output<unknown>, spec: Spec | undefined, from: From): Promise<unknown> {
    const known = (await isSecret(value)) ? undefined : await knownValue(value);
    const isOfResource = (await outputs.getAllResources(value)).size > 0;
    if (known === undefined || (isOfResource && !spec?.plain)) return from && !spec?.plain ? depending(value, from) : value;
    return this.#value(known, spec, isOfResource ? value : from);
  }
}

/** @returns an output with the value, which depends on what another one depends on */
function depending(value: unknown, from: Output<unknown>): unknown {
  return from.apply(() => value);
}

/** What a value of some kind is, where it may be of several. */
function among(spec: Spec, fits: (spec: Spec) => boolean): Spec {
  return (spec.oneOf ?? [spec]).find(fits) ?? {};
}
