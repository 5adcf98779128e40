import type { IncomingHttpHeaders } from "node:http";
import type { CommonCode } from "../errors.ts";
import { type Caller, findAccessKey, type KnownKey } from "../local/accounts/accounts.ts";
import type { World } from "../local/world.ts";
import { type Dialect, neutral, publicApi } from "../transport/dialect.ts";
import { type Claim, isSigned, readAuthorization, type Signable } from "../transport/signature.ts";
import { headerOf, type Incoming } from "./exchange.ts";

/** Seconds that a call's timestamp and the machine's clock may differ (public API). */
const mostSkew = 300;

/** Who makes a call, or why that is not believed. */
export interface Verdict {
  readonly dialect: Dialect;
  /** The product as the signature names it; empty if it names none. */
  readonly service: string;
  /** The owner of the key that the call names; `undefined` if it is nobody's. */
  readonly caller: Caller | undefined;
  readonly refusal: { readonly code: CommonCode; readonly reason: string } | undefined;
}

/** The dialect of a call: that of its signature. */
function dialectOf(headers: IncomingHttpHeaders): Dialect {
  return headers.authorization?.startsWith(publicApi.algorithm) ? publicApi : neutral;
}

/**
 * Checks the signature of a call. Its time is compared with the machine's clock, not with the world's: clients sign with the clocks
 * of their machines, however far the world's was moved.
 */
export function verdictOn(world: World, { headers, body }: Pick<Incoming, "headers" | "body">): Verdict {
  const dialect = dialectOf(headers);
  const claim = readAuthorization(dialect, headers.authorization ?? "");
  const said = { dialect, service: claim?.service ?? "" };
  const refused = (code: CommonCode, reason: string, caller?: Caller) => ({ ...said, caller, refusal: { code, reason } });
  if (!claim) {
    const form = `${dialect.algorithm} Credential=<SecretId>/<date>/<product>/${dialect.scope}, SignedHeaders=…, Signature=…`;
    return refused("AuthFailure.InvalidAuthorization", `Authorization is not of the form ${form}`);
  }
  const key = findAccessKey(world, claim.secretId);
  // The public API has one code for both.
  if (!key) return refused("AuthFailure.SecretIdNotFound", `there is no access key ${claim.secretId}`);
  if (key.disabled) return refused("AuthFailure.SecretIdNotFound", `the access key ${claim.secretId} is disabled`, key.caller);
  const refusal = signatureComplaint(dialect, key, claim, { headers, body }) ?? tokenComplaint(dialect, key, headers);
  return { ...said, caller: key.caller, refusal };
}

function signatureComplaint(
  dialect: Dialect,
  { secretKey }: KnownKey,
  claim: Claim,
  { headers, body }: Pick<Incoming, "headers" | "body">,
): Verdict["refusal"] {
  const name = `${dialect.headers}timestamp`;
  const time = headerOf(headers, name) ?? "";
  if (!/^\d{1,12}$/.test(time)) return { code: "MissingParameter", reason: `${name} is required; it takes the time in Unix seconds` };
  const timestamp = Number(time);
  if (Math.abs(Date.now() / 1000 - timestamp) > mostSkew)
    return { code: "AuthFailure.SignatureExpire", reason: `${name} is ${time}, more than ${mostSkew} seconds from the platform's time` };
  const uncovered = dialect.covered.find((header) => headers[header] !== undefined && !claim.signedHeaders.includes(header));
  if (uncovered !== undefined) return { code: "AuthFailure.SignatureFailure", reason: `the signature does not cover ${uncovered}` };
  const values = claim.signedHeaders.map((header): [string, string] => [header, headerOf(headers, header) ?? ""]);
  const call = { headers: Object.fromEntries(values), body, service: claim.service, timestamp };
  if (asSent(call).some((signable) => isSigned(dialect, secretKey, claim, signable))) return undefined;
  return { code: "AuthFailure.SignatureFailure", reason: "the signature is not that of this call with this key" };
}

/** Clients of the public API send the host with its port and sign it without. */
function asSent(call: Signable): Signable[] {
  const host = call.headers["host"];
  const portless = host?.replace(/:\d+$/, "");
  return portless === undefined || portless === host ? [call] : [call, { ...call, headers: { ...call.headers, host: portless } }];
}

function tokenComplaint(dialect: Dialect, { token, expired, secretId }: KnownKey, headers: IncomingHttpHeaders): Verdict["refusal"] {
  if (headerOf(headers, `${dialect.headers}token`) !== token)
    return { code: "AuthFailure.TokenFailure", reason: `${dialect.headers}token is not the token of the access key ${secretId}` };
  return expired ? { code: "AuthFailure.TokenFailure", reason: `the access key ${secretId} has expired` } : undefined;
}
