import { type Cloud, InputError, PlatformError } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { parse, ProviderError } from "../definition/codes.ts";
import { placeOf } from "../schema/paths.ts";
import { validated } from "../schema/validate.ts";
import { isProps, type Props } from "../schema/values.ts";

// What every shell does with a function. How it is called, and where it reads, each shell knows itself.

interface Named<Args> {
  readonly name: string;
  /** The schema of each argument. */
  readonly args: { readonly [Key in keyof Args]-?: z.ZodType<Args[Key] | undefined> };
  /** Whether the result is a secret, whatever the arguments are. */
  readonly secret?: true;
}

/** A function that reads the platform while a program runs. */
export interface Reading<Args, Result> extends Named<Args> {
  /** Reads what it answers. */
  readonly read: (cloud: Cloud, args: Args) => Promise<Result>;
}

/** A function of its arguments alone. */
export interface OfArguments<Args, Result> extends Named<Args> {
  /** What the result is called. */
  readonly result: string;
  /** What it answers. */
  readonly compute: (args: Args) => Result;
}

/** A function with its types erased: the schemas check its arguments. */
export type AnyFunction<Result = unknown> = Reading<Props, Result> | OfArguments<Props, Result>;

/**
 * What a function answers.
 *
 * @param connect opens the platform, once the arguments are found to be right
 * @throws InputError or PlatformError in the function's words
 */
export async function answerOf<Result>(asked: AnyFunction<Result>, given: Props, connect: () => Promise<Cloud>): Promise<Result> {
  refuseArguments(asked, given);
  // What the connection refuses is not the function's.
  const work = "compute" in asked ? asked.compute : asked.read.bind(undefined, await connect());
  try {
    return await work(given);
  } catch (error) {
    throw inItsWords(asked, error);
  }
}

/** Refuses arguments that the schemas do not take: not every language has a compiler. */
function refuseArguments({ name, args: schemas }: AnyFunction, given: Props): void {
  const [surplus] = Object.keys(given);
  if (Object.keys(schemas).length === 0 && surplus !== undefined)
    throw new InputError(`${name}: takes no arguments, and ${surplus} is given`);
  const { issues } = validated(z.strictObject(schemas), given, []);
  const sentences = issues.map(({ path, sentence }) => (path.length === 0 ? sentence : `${placeOf(path)}: ${sentence}`));
  if (sentences.length > 0) throw new InputError(`${name}: ${sentences.join("; ")}`);
}

/** An error of an operation, with the names of the function and its arguments instead of the operation's. */
function inItsWords({ name, args }: AnyFunction, error: unknown): unknown {
  // Those of one word are not told from other words of a sentence.
  const fields = Object.keys(args).flatMap((arg) =>
    /[A-Z]/.test(arg) ? [[`${arg.charAt(0).toUpperCase()}${arg.slice(1)}`, arg] as const] : [],
  );
  const withArgumentNames = (text: string) =>
    fields.reduce((rest, [field, arg]) => rest.replaceAll(new RegExp(`\\b${field}\\b`, "g"), arg), text);
  if (error instanceof PlatformError) return new PlatformError(error.code, withArgumentNames(error.reason), error.origin, error.kind);
  // An error with its code in the message is not about an operation.
  if (error instanceof ProviderError && !parse(error.message))
    return new ProviderError(error.code, `${name}: ${withArgumentNames(error.message)}`, { path: name, ...error.about });
  if (error instanceof InputError)
    return new InputError(`${name}: ${withArgumentNames(error.message.replace(/^[A-Z]\w+: /, ""))}`, { cause: error });
  return error;
}

/** What the answer of a function is called, unless it is a record: `zones` of `getZones`. */
export function resultNameOf(asked: AnyFunction): string {
  if ("compute" in asked) return asked.result;
  const [first = "", ...rest] = asked.name.replace(/^(get|lookUp)/, "");
  return first.toLowerCase() + rest.join("");
}

/** What a function answers as an object, as every language has it. */
export async function recordOf(asked: AnyFunction, given: Props, connect: () => Promise<Cloud>): Promise<Props> {
  const answer = await answerOf(asked, given, connect);
  return isProps(answer) ? answer : { [resultNameOf(asked)]: answer };
}
