import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto";
import type { WireFormat } from "../wire-format/wire-format.ts";

/** The parts of a call that are signed. All calls are a `POST` of `/` without a query (public API). */
export interface Signable {
  /** The headers that the signature covers, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** The product as the wire format names it. */
  readonly service: string;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** The content of an `Authorization`. */
export interface Claim {
  readonly secretId: string;
  /** The day of the timestamp, as `2026-01-31`. */
  readonly date: string;
  readonly service: string;
  /** Names of headers, in lower case. */
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

/** Writes the `Authorization` of a call. */
export function authorizationFor(
  wireFormat: WireFormat,
  { secretId, secretKey }: { secretId: string; secretKey: string },
  call: Signable,
): string {
  const credential = [secretId, dateOf(call), call.service, wireFormat.scope].join("/");
  const signed = namesOf(call).join(";");
  return `${wireFormat.algorithm} Credential=${credential}, SignedHeaders=${signed}, Signature=${signatureOf(wireFormat, secretKey, call)}`;
}

/** Reads an `Authorization`; `undefined` if it is not of the wire format's form. */
export function readAuthorization(wireFormat: WireFormat, text: string): Claim | undefined {
  const [algorithm, rest] = split(text.trim(), " ");
  if (algorithm !== wireFormat.algorithm) return undefined;
  const parts = new Map(rest.split(",").map((part) => split(part.trim(), "=")));
  const [secretId, date, service, scope, ...more] = parts.get("Credential")?.split("/") ?? [];
  const signedHeaders = parts.get("SignedHeaders")?.toLowerCase().split(";");
  const signature = parts.get("Signature");
  if (!secretId || !date || !service || !signedHeaders || !signature || scope !== wireFormat.scope || more.length > 0) return undefined;
  return { secretId, date, service, signedHeaders, signature };
}

/** Whether a call's signature is right for its key. The time that this takes does not depend on where two signatures differ. */
export function isSigned(wireFormat: WireFormat, secretKey: string, claim: Pick<Claim, "date" | "signature">, call: Signable): boolean {
  const [right, given] = [Buffer.from(signatureOf(wireFormat, secretKey, call)), Buffer.from(claim.signature)];
  return claim.date === dateOf(call) && right.length === given.length && timingSafeEqual(right, given);
}

/** The signature, in hexadecimal digits (public API, TC3-HMAC-SHA256). */
export function signatureOf(wireFormat: WireFormat, secretKey: string, call: Signable): string {
  const { service, timestamp } = call;
  const scope = [dateOf(call), service, wireFormat.scope].join("/");
  const text = [wireFormat.algorithm, timestamp, scope, sha256(canonical(call))].join("\n");
  // In digits at once: a buffer in between takes as long as the digest.
  return createHmac("sha256", signingKey(wireFormat, secretKey, dateOf(call), service))
    .update(text)
    .digest("hex");
}

/** The text that is signed. Values of headers are in lower case, without spaces around them. */
export function canonical(call: Signable): string {
  const names = namesOf(call);
  const headers = names.map((name) => `${name}:${(call.headers[name] ?? "").trim().toLowerCase()}\n`).join("");
  return ["POST", "/", "", headers, names.join(";"), sha256(call.body)].join("\n");
}

/** Derived keys, each of which is good for a day. */
const derived = new Map<string, KeyObject>();
const mostDerived = 1000;

function signingKey(wireFormat: WireFormat, secretKey: string, date: string, service: string): KeyObject {
  const name = [wireFormat.algorithm, date, service, secretKey].join("/");
  const known = derived.get(name);
  if (known) return known;
  const key = createSecretKey(hmac(hmac(hmac(wireFormat.secret + secretKey, date), service), wireFormat.scope));
  if (derived.size >= mostDerived) derived.clear();
  derived.set(name, key);
  return key;
}

function namesOf({ headers }: Signable): string[] {
  return Object.keys(headers).sort();
}

/** The last day asked for, with its number since 1970. Most calls are of the same day. */
let lastDay = { number: 0, date: "1970-01-01" };

function dateOf({ timestamp }: Signable): string {
  const number = Math.floor(timestamp / 86_400);
  if (number !== lastDay.number) lastDay = { number, date: new Date(timestamp * 1000).toISOString().slice(0, 10) };
  return lastDay.date;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

function split(text: string, at: string): [string, string] {
  const place = text.indexOf(at);
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + 1)];
}
