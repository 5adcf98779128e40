import * as z from "@container-platform/sdk/zod";
import { type ComponentResource, type Input, Output, ResourceError } from "@pulumi/pulumi";
import { type Code, pathIn, render } from "../definition/codes.ts";
import { asItIs } from "../functions/uncaught.ts";
import { describeValue } from "../dynamic/describe-value.ts";
import { marksOf } from "../schema/marks.ts";
import { namedOtherwise, type OtherNames, placeOf } from "../schema/paths.ts";
import { sentenceOf } from "../schema/validate.ts";
import { isProps } from "../schema/values.ts";
import { lackingFor } from "./reading.ts";

/** A schema for each argument, or it does not compile. */
export type Schemas<Args> = Readonly<Record<keyof Required<Args>, z.ZodType>>;

/** The words for a value of another type than `what`. */
export function takes(what: string): { readonly error: z.core.$ZodErrorMap } {
  return { error: ({ input }) => (input === undefined ? `is required: ${what}` : `takes ${what}, not ${describeValue(input)}`) };
}

const isLater = (given: unknown): boolean => Output.isInstance(given) || given instanceof Promise;

/** An object with these properties alone, which is known in the preview. */
export function parts<Shape extends z.core.$ZodShape>(what: string, shape: Shape) {
  // An Output would have each property.
  return z.custom<object>((given) => isProps(given) && !isLater(given), takes(what)).pipe(z.strictObject(shape));
}

/** What works as an Output as well, although its type has none. */
export function orLater<Of extends z.ZodType>(what: string, schema: Of) {
  return z.union([schema, z.custom<Output<never>>(isLater)], takes(what));
}

/** Adds a flaw of a value, or of what is at a path inside it. */
export function fail(context: z.core.$RefinementCtx, message: string, path: string[] = []): void {
  context.addIssue({ code: "custom", message, path });
}

/** Parts of a component by name, at least one. Their names become parts of the names of children. */
export function byName<Part extends z.ZodType>(what: string, part: Part) {
  return z.record(z.string(), part, takes(what)).superRefine((given, context) => {
    const names = Object.keys(given);
    if (names.length === 0) fail(context, `is empty: it takes ${what}`);
    // A name that is a number would also change the order of the others.
    for (const name of names.filter((one) => !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(one)))
      fail(context, `"${name}" is not a name: it takes lower-case letters, digits and single - between them, and begins with a letter`);
  });
}

const inputs = new WeakSet<z.core.$ZodType>();

/** A value that may be known only in the update. The child that gets it checks it. */
export function input<Value>(what = "a value"): z.ZodType<Input<Value>> {
  const schema = z.custom<Input<Value>>((given) => given !== undefined && given !== null, takes(what));
  inputs.add(schema);
  return schema;
}

/** Whether a value may be known only in the update. Any other has to be known in the preview. */
export const isInput = (schema: z.core.$ZodType): boolean => inputs.has(schema);

/** A schema with the rules that resources check besides types. */
export function enforced<Schema extends z.ZodType>(schema: Schema, rules: z.ZodType = schema): Schema {
  return schema.superRefine((value, context) => {
    for (const flaw of (marksOf(rules).rules ?? []).map((flawIn) => flawIn(value))) if (typeof flaw === "string") fail(context, flaw);
  });
}

/** Returns the arguments of a component with defaults. Ends the preview if they are wrong, or if the stack is not configured. */
export function checked<Schema extends z.ZodType>(component: ComponentResource, type: string, schema: Schema, args: object) {
  const own = names.get(args);
  if (own) names.set(component, own);
  const { success, data, error } = z.safeParse(schema, args, { error: wording });
  const flaws = error?.issues.flatMap(meant).map(({ path, message }) => `${path.length === 0 ? type : placeOf(path)}: ${message}`);
  if (!success) throw refusal(component, flaws ?? []);
  refuse(component, lackingFor(component));
  return data;
}

const wording: z.core.$ZodErrorMap = ({ inst, input: given, ...issue }) => {
  const keys = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  return sentenceOf({ ...issue, message: issue.message ?? "", path: [] }, given, keys);
};

/** The flaws of a value that may be of several types, inside the type that is meant. */
function meant(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const option = issue.errors.find((issues) => issues.every(({ code, path }) => path.length > 0 || code === "unrecognized_keys"));
  return option ? option.flatMap((inside) => meant({ ...inside, path: [...issue.path, ...inside.path] })) : [issue];
}

/** A message about the arguments of a component, with its code. */
export const coded = (message: string, code: Code = "InvalidInput"): string => render({ code, path: pathIn(message), message });

/** Ends the preview with these sentences about the arguments of a component, if there are any. */
export function refuse(component: ComponentResource, flaws: readonly string[]): void {
  if (flaws.length > 0) throw refusal(component, flaws);
}

function refusal(component: ComponentResource, flaws: readonly string[]): Error {
  // The stack trace would only show our own constructor.
  return asItIs(new ResourceError(flaws.map((flaw) => coded(asCalled(component, flaw))).join("\n"), component, true));
}

const names = new WeakMap<object, OtherNames>();

/** Has the component with these arguments, which another component makes, call them as the program does. */
export function goingBy(args: object, own: OtherNames): void {
  names.set(args, own);
}

/** A sentence about an argument of a component, as the program calls that. */
export function asCalled(component: object, sentence: string): string {
  return namedOtherwise(names.get(component) ?? {}, sentence);
}
