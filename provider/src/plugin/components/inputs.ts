import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { isSecret, Output } from "@pulumi/pulumi";
import outputs from "@pulumi/pulumi/output.js";
import { inputError, refusal } from "../../definition/codes.ts";
import { isInput } from "../../components/arguments.ts";
import { knownValue } from "../../dynamic/known.ts";
import { isProps, own, type Props } from "../../schema/values.ts";

/** The arguments that components have in other languages alone. */
const inOtherLanguages = { sharedNetwork: z.string(), subnetRoles: z.array(z.string()) };

type Schema = z.core.$ZodType | undefined;

interface At {
  readonly path: string;
  /** What the whole value comes from: parts of it that may be known later depend on it, too. */
  readonly from: Output<unknown> | undefined;
}

/**
 * The arguments of a component, as its class takes them. What has to be known while a program runs is a value, also where a program has it
 * from a function, such as a CIDR block of `cidrSubnet`. What is in there besides, and comes from a resource, depends on it still.
 *
 * @throws Error if a secret is given as what the names and ranges of children are made of
 */
export async function argumentsOf(schema: Schema, given: Props, { path, from }: At = { path: "", from: undefined }): Promise<Props> {
  // Languages differ in how they leave an argument out.
  const entries = Object.entries(given).filter(([, inner]) => inner !== null && inner !== undefined);
  const opened = entries.map(async ([key, inner]) => {
    const part = partOf(schema, key) ?? own(inOtherLanguages, key);
    return [key, await valueOf(inner, part, { path: path === "" ? key : `${path}.${key}`, from })] as const;
  });
  return Object.fromEntries(await Promise.all(opened));
}

async function valueOf(value: unknown, schema: Schema, at: At): Promise<unknown> {
  const { path, from } = at;
  if (Output.isInstance(value)) return valueOfOutput(value, schema, at);
  if (!isPlain(schema)) return from ? from.apply(() => value) : value;
  if (!Array.isArray(value)) return isProps(value) ? argumentsOf(schema, value, at) : value;
  return Promise.all(value.map((item, index) => valueOf(item, partOf(schema, index), { path: `${path}[${index}]`, from })));
}

/** What is secret, not known yet, or of a resource stays an output; where it has to be known, the component refuses it by name. */
async function valueOfOutput(value: Output<unknown>, schema: Schema, { path, from }: At): Promise<unknown> {
  const hidden = await isSecret(value);
  if (hidden && isPlain(schema)) {
    const inClear = "the component makes names, ranges and the number of its resources of it, which are in clear in the state";
    throw refusal([inputError(path, `is a secret, and ${inClear}: give it in clear`)]);
  }
  const known = hidden ? undefined : await knownValue(value);
  const isOfResource = (await outputs.getAllResources(value)).size > 0;
  if (known === undefined || (isOfResource && !isPlain(schema))) return from && !isPlain(schema) ? from.apply(() => value) : value;
  return valueOf(known, schema, { path, from: isOfResource ? value : from });
}

/** Whether a value has to be known while a program runs. */
function isPlain(schema: Schema): boolean {
  return schema !== undefined && !isInput(unwrapped(schema));
}

/** The schema of an item or a property of a value. */
function partOf(schema: Schema, key: string | number): Schema {
  const type = schema && unwrapped(schema);
  if (type instanceof z.ZodPipe) return partOf(type.out, key);
  if (type instanceof z.ZodUnion) return type.options.map((option) => partOf(option, key)).find((part) => part !== undefined);
  if (type instanceof z.ZodArray) return type.element;
  if (type instanceof z.ZodRecord) return type.valueType;
  return type && own(fieldsOf(type), String(key));
}
