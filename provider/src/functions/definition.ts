import { InputError } from "@container-platform/sdk";
import { type Input, Output, output, type ProviderResource, type Resource, secret } from "@pulumi/pulumi";
import { describeValue } from "../dynamic/describe-value.ts";
import { isProps, type Props } from "../schema/values.ts";
import { answerOf, type AnyFunction, type Reading } from "./asking.ts";
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

/** What a function of a program is written from. */
const definitions = new WeakMap<object, AnyFunction>();

/** What a function of a program is written from; `undefined` for what is none. @internal */
export function definitionOf(get: object | undefined): AnyFunction | undefined {
  return get && definitions.get(get);
}

/** A function that reads the platform while a program runs. @internal */
export function reading<Args extends object, Result>(
  definition: NoInfer<Reading<Args, Result>>,
): (args?: Args, opts?: FunctionOptions) => Promise<Result>;
// Inside, the types of the arguments are erased: the schemas have checked them.
export function reading<Result>(definition: Reading<Props, Result>) {
  const { name, args: schemas } = definition;
  const result = async (args: Props, opts: FunctionOptions): Promise<Result> => {
    const settings = settingsOf(name, opts);
    refuseForms(name, Object.keys(schemas), args);
    return answerOf(definition, args, () => connected(name, settings));
  };
  const get = async (args: Props = {}, opts: FunctionOptions = {}, ...surplus: readonly unknown[]): Promise<Result> => {
    refuseSurplus(name, surplus);
    return result(args, opts).catch((error: unknown) => {
      throw withoutTrace(error);
    });
  };
  definitions.set(get, definition);
  return Object.defineProperty(get, "name", { value: name });
}

/** The same function for arguments that may not be known yet. It reads once they are, after the resources that they come from. @internal */
export function outputOf<Args, Result>(
  get: (args: Args, opts?: FunctionOptions) => Promise<Result>,
): (args?: FunctionInputs<NonNullable<Args>>, opts?: FunctionOptions) => Output<Result>;
export function outputOf(get: (args: Props, opts?: FunctionOptions) => Promise<unknown>) {
  const { secret: hidden } = definitionOf(get) ?? {};
  return (args: FunctionInputs<Props> = {}, opts: FunctionOptions = {}, ...surplus: readonly unknown[]): Output<unknown> => {
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

/** Refuses what is no object of arguments: programs in JavaScript have no compiler. */
function refuseForms(name: string, names: readonly string[], given: unknown): void {
  const refusal = (reason: string) => new InputError(`${name}: ${reason}`);
  if (isPending(given)) throw refusal(`takes no Output and no promise; use ${name}Output`);
  if (!isProps(given))
    throw refusal(`takes ${names.length > 0 ? `an object, { ${names.join(", ")} }` : "no arguments"}, not ${describeValue(given)}`);
  const misplaced = ["provider", "parent"].find((key) => key in given && !names.includes(key));
  if (misplaced !== undefined) throw refusal(`${misplaced} is an option: it goes into the second object, ${name}({}, { ${misplaced} })`);
  const pending = names.find((key) => isPending(given[key]));
  if (pending !== undefined) throw refusal(`${pending} is an Output or a promise; use ${name}Output`);
}

function isPending(value: unknown): boolean {
  return Output.isInstance(value) || value instanceof Promise;
}
