import type { IncomingHttpHeaders } from "node:http";
import type { CommonCode } from "../operation/errors.ts";
import { type Caller, findAccessKey, type KnownKey } from "../local/accounts/accounts.ts";
import type { Identification } from "../local/platform.ts";
import type { World } from "../local/store/world.ts";
import { type WireFormat, neutral, publicApi } from "../wire-format/wire-format.ts";
import { type Claim, isSigned, readAuthorization, type Signable } from "../transport/signature.ts";
import { headerOf, type Incoming } from "./http-messages.ts";

/** The most seconds by which a call's timestamp and the machine's clock may differ (public API). */
const mostSkew = 300;

/** The signature of a call, unchecked. */
export interface Signed {
  /** The wire format of its signature. */
  readonly wireFormat: WireFormat;
  /** `undefined` if the call is not signed, or its signature has an unknown form. */
  readonly claim: Claim | undefined;
}

export function signedBy({ authorization = "" }: IncomingHttpHeaders): Signed {
  const wireFormat = authorization.startsWith(publicApi.algorithm) ? publicApi : neutral;
  return { wireFormat, claim: readAuthorization(wireFormat, authorization) };
}

/**
 * Checks the signature of a call. Its time is compared with the machine's clock, not with the world's: clients sign with the clock
 * of their machine.
 */
export function identified(
  world: World,
  { wireFormat, claim }: Signed,
  { headers, body }: Pick<Incoming, "headers" | "body">,
): Identification {
  const refused = (code: CommonCode, reason: string, caller?: Caller) => ({ caller, refusal: { code, reason } });
  const older = claim ? undefined : olderMethodIn(headers, body);
  if (older !== undefined) {
    const { algorithm } = publicApi;
    const reason = `the call is signed with ${older}; clients of the public API have to sign with ${algorithm}: set their signMethod to that`;
    return refused("AuthFailure.InvalidAuthorization", reason);
  }
  if (!claim) {
    const form = `${wireFormat.algorithm} Credential=<SecretId>/<date>/<product>/${wireFormat.scope}, SignedHeaders=…, Signature=…`;
    return refused("AuthFailure.InvalidAuthorization", `Authorization is not of the form ${form}`);
  }
  const key = findAccessKey(world, claim.secretId);
  // The public API has one code for an unknown key and for a disabled one.
  if (!key) return refused("AuthFailure.SecretIdNotFound", `there is no access key ${claim.secretId}`);
  if (key.disabled) return refused("AuthFailure.SecretIdNotFound", `the access key ${claim.secretId} is disabled`, key.caller);
  const refusal = signatureComplaint(wireFormat, key, claim, { headers, body }) ?? tokenComplaint(wireFormat, key, headers);
  return refusal ? { caller: key.caller, refusal } : { caller: key.caller };
}

/** The older method that a call of a client of the public API is signed with. It stands in the body, which is a form then. */
function olderMethodIn(headers: IncomingHttpHeaders, body: Uint8Array): string | undefined {
  if (!headers["content-type"]?.startsWith("application/x-www-form-urlencoded")) return undefined;
  return /(?:^|&)SignatureMethod=(HmacSHA1|HmacSHA256)(?:&|$)/.exec(Buffer.from(body).toString("latin1"))?.[1];
}

type Complaint = Identification["refusal"];

function signatureComplaint(
  wireFormat: WireFormat,
  { secretKey }: KnownKey,
  claim: Claim,
  { headers, body }: Pick<Incoming, "headers" | "body">,
): Complaint {
  const name = `${wireFormat.headers}timestamp`;
  const time = headerOf(headers, name) ?? "";
  if (!/^\d{1,12}$/.test(time)) return { code: "MissingParameter", reason: `${name} is required; it takes the time in Unix seconds` };
  const timestamp = Number(time);
  if (Math.abs(Date.now() / 1000 - timestamp) > mostSkew)
    return { code: "AuthFailure.SignatureExpire", reason: `${name} is ${time}, more than ${mostSkew} seconds from the platform's time` };
  const uncovered = wireFormat.covered.find((header) => headers[header] !== undefined && !claim.signedHeaders.includes(header));
  if (uncovered !== undefined) return { code: "AuthFailure.SignatureFailure", reason: `the signature does not cover ${uncovered}` };
  const values = claim.signedHeaders.map((header): [string, string] => [header, headerOf(headers, header) ?? ""]);
  const { unsignedBody } = wireFormat;
  const isUnsigned = unsignedBody !== undefined && headerOf(headers, `${wireFormat.headers}content-sha256`) === unsignedBody;
  const call = { headers: Object.fromEntries(values), body: isUnsigned ? unsignedBody : body, service: claim.service, timestamp };
  if (isSigned(wireFormat, secretKey, claim, call) || isSigned(wireFormat, secretKey, claim, withoutPort(call))) return undefined;
  return { code: "AuthFailure.SignatureFailure", reason: "the signature is not that of this call with this key" };
}

/** Clients of the public API sign the host without the port that they send. */
function withoutPort(call: Signable): Signable {
  const host = call.headers["host"];
  return host === undefined ? call : { ...call, headers: { ...call.headers, host: host.replace(/:\d+$/, "") } };
}

function tokenComplaint(wireFormat: WireFormat, { token, expired, secretId }: KnownKey, headers: IncomingHttpHeaders): Complaint {
  if (headerOf(headers, `${wireFormat.headers}token`) !== token)
    return { code: "AuthFailure.TokenFailure", reason: `${wireFormat.headers}token is not the token of the access key ${secretId}` };
  return expired ? { code: "AuthFailure.TokenFailure", reason: `the access key ${secretId} has expired` } : undefined;
}
