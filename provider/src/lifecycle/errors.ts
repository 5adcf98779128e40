import { type ErrorKind, PlatformError } from "@container-platform/sdk";
import type { Hint } from "../definition/definition.ts";
import { withTodo } from "../definition/failures.ts";
import { notFoundRemedy } from "../program/messages.ts";
import type { Props } from "../schema/values.ts";

/** A resource exists, but is not as desired. Pulumi saves its ID and the properties so far, and the next `up` continues from there. */
export class Unfinished extends Error {
  readonly id: string;
  properties: Props;

  constructor(reason: string, id: string, properties: Props, cause: unknown) {
    super(reason, { cause });
    this.id = id;
    this.properties = properties;
  }

  /** The field that Pulumi reads. */
  get reasons(): readonly string[] {
    return [this.message];
  }

  /** Takes secrets out of the text that the state keeps in clear. */
  hide(without: (text: string) => string): void {
    const { __failed: why } = this.properties;
    if (typeof why === "string") this.properties = { ...this.properties, __failed: without(why) };
  }
}

/** What to do, by kind of error. */
const advice: Readonly<Partial<Record<ErrorKind, string>>> = {
  throttled: "The platform is answering too many calls: run `pulumi up` again in a while",
  transient: "This is temporary: run `pulumi up` again",
  unreachable: "The call may or may not have taken effect. Check the endpoint, then run `pulumi up --refresh`",
  unsent: "Nothing was changed: check the endpoint and the network, then run `pulumi up` again",
  unauthorized: "The account lacks permission for this operation. Ask its administrator to grant it",
  protected: "Set deletionProtection to false and run `pulumi up` first",
  inUse: "Another resource still uses it. Delete that one first, or add it to the program so that Pulumi deletes them in order",
  limit: "A quota is exhausted. Delete unused resources or request a higher quota",
  notFound: notFoundRemedy,
};

const aboutAnswers =
  "The response may come from a proxy instead of the API. Check the endpoint, then run `pulumi up --refresh`, which finds what took effect";

const aboutKeys = "Check the credentials: environment variables, the stack's configuration, or the profile";

/** Advice by code, where the kind of the error is too general. */
const adviceByCode: Readonly<Record<string, string>> = {
  "AuthFailure.InvalidAuthorization": aboutKeys,
  "AuthFailure.SecretIdNotFound": aboutKeys,
  "AuthFailure.SignatureExpire": "Set the clock of this machine, then run `pulumi up` again",
  "AuthFailure.SignatureFailure": aboutKeys,
  "AuthFailure.TokenFailure": aboutKeys,
  UnreadableAnswer: aboutAnswers,
  "UnsupportedOperation.InvalidRegion":
    "Set container-platform:region or CONTAINER_PLATFORM_REGION, or the region of the resource's Provider",
};

/** What went wrong, with the platform's code and request ID, and what to do. A resource's own advice (`hints`) wins over the general advice. */
export function sentenceAbout(error: unknown, doing: string, hints: Readonly<Record<string, Hint>> = {}): string {
  if (!(error instanceof PlatformError)) return `${doing}: ${withTodo(error, undefined)}`;
  const hint = hints[error.code];
  const own = typeof hint === "function" ? hint(error.reason) : hint;
  return `${doing}: ${withTodo(error, own ?? adviceOn(error) ?? advice[error.kind])}`;
}

/** Advice that the code alone gives. What is told by its HTTP status, and not known to be worth another try, was told by something else. */
function adviceOn({ code, kind }: PlatformError): string | undefined {
  return adviceByCode[code] ?? (kind === "failed" && code.startsWith("HttpStatus.") ? aboutAnswers : undefined);
}

/** What a call that nobody explains has failed with, and what to do now, where its code tells. */
export function unexplained(error: PlatformError): string {
  const todo = adviceOn(error);
  return todo === undefined ? error.message : `${error.message}. ${todo}`;
}
