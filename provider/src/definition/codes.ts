import { ConfigurationError, InputError } from "@container-platform/sdk";

/** The codes of the provider's errors and warnings, each with its meaning and its remedy. */
export const codes = {
  AlreadyExists: ["A resource on the platform has the name, CIDR block or ID", "Use another value, or import the resource"],
  CannotChange: ["The platform cannot make this change, neither in place nor by a replacement", "Undo the change, or follow the message"],
  CannotImport: ["The option `import` does not fit the resource", "Correct the option, or set the inputs to the live values"],
  Configuration: ["The provider's configuration is wrong", "Correct `container-platform:…`, the environment or the profile"],
  Conflict: ["Two resources of the program exclude each other", "Change or remove one of them"],
  Failed: ["The platform reports a failure, or something else than was written", "Read the reason, then run `pulumi up` again"],
  ImportChanges: ["An import changes the resource to match the program", "Read the changes, which follow one per line"],
  InUse: ["A resource that is to be deleted is used by another one", "Change or remove its user first, or keep the resource"],
  InUseByNodes: ["A resource that is to be deleted is used by nodes of a pool", "Keep the resource until these nodes are deleted"],
  Interrupted: ["The operation was canceled", "Run the command again: it continues"],
  InvalidInput: ["An input or an argument is not accepted", "Correct the property that the message names"],
  InvalidState: [
    "The provider cannot read the resource, in the state or on the platform",
    "Install the newest version, or follow the message",
  ],
  NotFound: ["A resource does not exist in this region and account", "Check the ID; run `pulumi up --refresh` if it was deleted"],
  NotOffered: ["The platform does not offer or accept the value at present", "Use one of the values that the message lists"],
  Orphan: ["An interrupted update created the resource, and the state does not have it", "Follow the message: import or delete it"],
  OtherOwner: ["Another resource or stack manages the resource", "Remove it from one of the two programs"],
  Protected: ["A protection keeps the resource from being deleted or replaced", "Set the protection to `false`, then run `pulumi up`"],
  SideEffect: ["The operation also changes, deletes or keeps something else", "Read the message before you continue"],
  Skipped: ["Another resource of the program failed validation", "Correct that resource first"],
  StaleReference: ["A property has the literal ID of a resource that is replaced or removed", "Use the output of that resource"],
  TimedOut: ["The operation did not end in time", "Run the command again: it continues; or set `customTimeouts`"],
  TooFewAddresses: [
    "The pods of a full node pool need more IP addresses than its subnets have",
    "Lower the number of nodes or of pods on a node, or use larger subnets",
  ],
  Unchecked: ["The provider lacks a permission or a response for a check", "Allow the account the operation, or run the command again"],
  UnmetRequirement: ["Another resource lacks something that this one needs", "Change that resource first, or refer to another one"],
  Unwise: ["An input or an option is accepted, and has another effect than you may expect", "Follow the message"],
  WrongTarget: ["The resource is in another region or account, or at another endpoint", "Set the configuration back"],
  WrongVersion: ["Pulumi or this package is too old or too new", "Install the version that the message names"],
} as const;

export type Code = keyof typeof codes;

/** The facts of a message besides its sentence. */
export interface About {
  /** The input that it is about. */
  readonly path?: string | undefined;
  /** The resource that cannot be changed or deleted. */
  readonly of?: { readonly type: string; readonly id: string } | undefined;
  /** Its users, for `InUse` and `InUseByNodes`. The path is theirs. */
  readonly by?: string | undefined;
}

/** An error or a warning of the provider. */
export interface Coded extends About {
  readonly code: Code;
  readonly message: string;
}

/** An error of the provider. The errors of the platform have its codes. */
export class ProviderError extends Error {
  readonly code: Code;
  readonly about: About;

  constructor(code: Code, message: string, { cause, ...about }: About & ErrorOptions = {}) {
    super(message, { cause });
    [this.code, this.about] = [code, about];
  }
}

export function inputError(path: string, sentence: string, code: Code = "InvalidInput"): Coded {
  return { code, path, message: `${path}: ${sentence}` };
}

/** One error of several messages about the same. The code is that of the first. */
export const refusal = (all: readonly Coded[], before = "", between = "\n"): ProviderError => {
  const { code = "InvalidInput", path, of, by }: Partial<Coded> = all[0] ?? {};
  return new ProviderError(code, before + all.map(({ message }) => message).join(between), { path, of, by });
};

/** An error that a program gets, and not the engine. Its message has the code from the beginning. */
export const programError = (code: Code, message: string): ProviderError => new ProviderError(code, render({ code, message }));

/** The path that a message begins with, such as `native.subnetIds[0]: …`. */
export const pathIn = (message: string): string | undefined => /^([a-z]\w*(?:\.\w+|\[\d+\])*): /.exec(message)?.[1];

/** Text in which no character ends a part of a tag. */
const escaped = (text: string, odd: RegExp): string => text.replace(odd, (one) => `%${one.charCodeAt(0).toString(16)};`);
const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{1,4});/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/**
 * A message with its code at the end of its first line: `zone: … [Provider.NotOffered]`. The facts that the message does not begin with follow
 * the code: `[Provider.InUse: vpcId of Vpc/vpc-1 by Subnet "a"]`, with `-` if it is about no input.
 */
export function render({ code, message, path, of, by }: Coded): string {
  const [first = "", ...rest] = message.split("\n");
  const place = path === undefined ? "-" : escaped(path, /[\s%]/g);
  const resource = of ? ` of ${of.type}/${escaped(of.id, /[\s%]/g)}` : "";
  const user = by === undefined ? "" : ` by ${escaped(by, /[^\S ]|%/g)}`;
  const about = of || by !== undefined || path !== pathIn(first) ? `: ${place}${resource}${user}` : "";
  return [`${first} [Provider.${code}${about}]`, ...rest].join("\n");
}

/** The message that `render` has made the text of; `undefined` for any other text. */
export function parse(text: string): Coded | undefined {
  const [all = "", first = "", code = "", place, type, id, by] =
    /^([^\n]*) \[Provider\.(\w+)(?:: (\S+)(?: of (\w+)\/(\S+))?(?: by ([^\n]*))?)?\](?=\n|$)/.exec(text) ?? [];
  if (!isCode(code)) return undefined;
  const path = place === undefined ? pathIn(first) : place === "-" ? undefined : unescaped(place);
  const of = type === undefined || id === undefined ? undefined : { type, id: unescaped(id) };
  return { code, message: `${first}${text.slice(all.length)}`, path, of, by: by === undefined ? undefined : unescaped(by) };
}

const isCode = (text: string): text is Code => Object.hasOwn(codes, text);

/** An error as the user sees it: with the code, if the provider has made it, or its cause. */
export function messageOf(error: Error): string {
  const coded = codedIn(error);
  if (coded === undefined || parse(error.message)) return error.message;
  // It begins with the input or the function that it is about.
  const path = error instanceof InputError ? pathIn(error.message) : undefined;
  return render({ path, ...coded, message: error.message });
}

function codedIn(error: unknown): Omit<Coded, "message"> | undefined {
  if (error instanceof ProviderError) return { code: error.code, ...error.about };
  if (error instanceof InputError) return { code: error instanceof ConfigurationError ? "Configuration" : "InvalidInput" };
  return error instanceof Error ? codedIn(error.cause) : undefined;
}
