import { type Cloud, InputError, PlatformError } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { type Input, Output, output, type ProviderResource, type Resource, secret } from "@pulumi/pulumi";
import { inWords } from "../pulumi/in-words.ts";
import { validated } from "../schema/validate.ts";
import { isProps, type Props } from "../schema/values.ts";
import { connected, settingsFor } from "./cloud.ts";
import { withoutTrace } from "./uncaught.ts";

/** Where a function reads. */
export interface FunctionOptions {
  /** The platform, region and account of this `Provider`. Default: those of `parent`. */
  readonly provider?: ProviderResource | undefined;
  /** The platform, region and account of this resource. Default: those of the stack's configuration. */
  readonly parent?: Resource | undefined;
}

/** Arguments of which each may be an Output or a promise, at any depth. */
export type FunctionInputs<Args> = { [Key in keyof Args]: Input<Inside<Args[Key]>> };
type Inside<T> = T extends object ? { [Key in keyof T]: Input<T[Key]> } : T;

/** The arguments of a function that takes none. */
export interface NoArgs {
  /** None. */
  readonly [name: string]: never;
}

/** The arguments may be left out if each of them may be. */
type Get<Args, Result> = [Args] extends [NoArgs]
  ? (args?: Args, opts?: FunctionOptions) => Promise<Result>
  : Partial<Args> extends Args
    ? (args?: Args, opts?: FunctionOptions) => Promise<Result>
    : (args: Args, opts?: FunctionOptions) => Promise<Result>;

type GetOutput<Args, Result> = undefined extends Args
  ? (args?: FunctionInputs<NonNullable<Args>>, opts?: FunctionOptions) => Output<Result>
  : (args: FunctionInputs<Args>, opts?: FunctionOptions) => Output<Result>;

interface Definition<Args, Result> {
  readonly name: string;
  /** The schema of each argument. */
  readonly args: { readonly [Key in keyof Args]-?: z.ZodType<Args[Key] | undefined> };
  readonly read: (cloud: Cloud, args: Args) => Promise<Result>;
}

/** A function that reads the platform while a program runs. */
export function reading<Args extends object, Result>(definition: Definition<Args, Result>): Get<Args, Result>;
// Inside, the types of the arguments are erased: the schemas have checked them.
export function reading<Result>({ name, args: schemas, read }: Definition<Props, Result>) {
  const result = async (args: Props, opts: FunctionOptions): Promise<Result> => {
    const settings = settingsOf(name, opts);
    refuseArguments(name, schemas, args);
    const cloud = await connected(name, settings);
    try {
      return await read(cloud, args);
    } catch (error) {
      throw inItsWords(name, Object.keys(schemas), error);
    }
  };
  const get = async (args: Props = {}, opts: FunctionOptions = {}, ...surplus: readonly unknown[]): Promise<Result> => {
    refuseSurplus(name, surplus);
    return result(args, opts).catch((error: unknown) => {
      throw withoutTrace(error);
    });
  };
  return Object.defineProperty(get, "name", { value: name });
}

/**
 * The same function for arguments that may not be known yet. It reads once they are, after the resources that they come from.
 *
 * @param hidden whether the result is a secret, whatever the arguments are
 */
export function outputOf<Args, Result>(
  get: (args: Args, opts?: FunctionOptions) => Promise<Result>,
  hidden?: { readonly secret: true },
): GetOutput<Args, Result>;
export function outputOf<Result>(get: (args: Props, opts?: FunctionOptions) => Promise<Result>, hidden?: { readonly secret: true }) {
  return (args: FunctionInputs<Props> = {}, opts: FunctionOptions = {}, ...surplus: readonly unknown[]): Output<Result> => {
    const name = `${get.name}Output`;
    refuseSurplus(name, surplus);
    // The settings of a Provider may be unknown, too. A result is as secret as what it is made of.
    return output([args, settingsOf(name, opts), hidden && secret("")] as const).apply(([known]) => get(known, opts));
  };
}

/** Arguments after the second one, which `ids.map(getCluster)` gives, too. */
function refuseSurplus(name: string, surplus: readonly unknown[]): void {
  if (surplus.length > 0)
    throw withoutTrace(new InputError(`${name}: takes two arguments at most, ${name}(args, opts), and ${2 + surplus.length} are given`));
}

function settingsOf(name: string, options: FunctionOptions): ReturnType<typeof settingsFor> {
  try {
    return settingsFor(options);
  } catch (error) {
    throw withoutTrace(error instanceof InputError ? new InputError(`${name}: ${error.message}`, { cause: error }) : error);
  }
}

/** Refuses arguments that the schemas do not take: programs in JavaScript have no compiler. */
function refuseArguments(name: string, schemas: Definition<Props, unknown>["args"], given: unknown): void {
  const refusal = (reason: string) => new InputError(`${name}: ${reason}`);
  const names = Object.keys(schemas);
  if (isPending(given)) throw refusal(`takes no Output and no promise; use ${name}Output`);
  if (!isProps(given))
    throw refusal(`takes ${names.length > 0 ? `an object, { ${names.join(", ")} }` : "no arguments"}, not ${inWords(given)}`);
  const misplaced = ["provider", "parent"].find((key) => key in given && !names.includes(key));
  if (misplaced !== undefined) throw refusal(`${misplaced} is an option: it goes into the second object, ${name}({}, { ${misplaced} })`);
  const [surplus] = Object.keys(given);
  if (names.length === 0 && surplus !== undefined) throw refusal(`takes no arguments, and ${surplus} is given`);
  const pending = names.find((key) => isPending(given[key]));
  if (pending !== undefined) throw refusal(`${pending} is an Output or a promise; use ${name}Output`);
  const { issues } = validated(z.strictObject(schemas), given, []);
  if (issues.length > 0) throw refusal(issues.map(({ sentence }) => sentence.replace(/^: /, "")).join("; "));
}

/** An error of an operation, with the names of the function and its arguments instead of the operation's. */
function inItsWords(name: string, args: readonly string[], error: unknown): unknown {
  // Those of one word are not told from other words of a sentence.
  const fields = args.filter((arg) => /[A-Z]/.test(arg)).map((arg) => [`${arg.charAt(0).toUpperCase()}${arg.slice(1)}`, arg] as const);
  const inWords = (text: string) => fields.reduce((rest, [field, arg]) => rest.replaceAll(new RegExp(`\\b${field}\\b`, "g"), arg), text);
  if (error instanceof PlatformError) return new PlatformError(error.code, inWords(error.reason), error.origin, error.kind);
  if (error instanceof InputError) return new InputError(`${name}: ${inWords(error.message.replace(/^[A-Z]\w+: /, ""))}`, { cause: error });
  return error;
}

function isPending(value: unknown): boolean {
  return Output.isInstance(value) || value instanceof Promise;
}
