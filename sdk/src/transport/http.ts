import { Agent, type Dispatcher, EnvHttpProxyAgent, request as exchange } from "undici";
import type { Credentials, CredentialSource } from "../config/credential-source.ts";
import { type ErrorOrigin, PlatformError } from "../operation/errors.ts";
import { isObject, type JsonObject } from "../operation/codec.ts";
import type { Product } from "../operation/operation.ts";
import { type WireFormat, neutral } from "../wire-format/wire-format.ts";
import { faultOf, gatewayFault } from "./network-faults.ts";
import { authorizationFor } from "./signature.ts";
import type { Identity, Reply, Request, Transport } from "./transport.ts";

/** In milliseconds. */
interface Timeouts {
  /** For the connection. */
  readonly connect: number;
  /** For an answer to begin, and for each further part of it. */
  readonly answer: number;
}

export interface HttpOptions {
  readonly timeouts?: Timeouts;
  readonly wireFormat?: WireFormat;
  /** Where the credentials were found, for messages about them. */
  readonly place?: string | undefined;
  /** The machine's clock: milliseconds since 1970. */
  readonly clock?: () => number;
}

/** How many connections there are at most. Further calls wait for one of them. */
const connections = 64;

/** Calls of a product in a second. Real platforms limit them by account and action; this leaves room for other programs. */
const callsPerSecond = 15;

/** What stands in the place of a signature. */
const unsigned = "SKIP";

/** The code with which a call is refused for its time: this machine's clock and the platform's differ. */
const outdatedCode = "AuthFailure.SignatureExpire";

/** Codes with which temporary keys are refused that have ended. */
const endedCodes: ReadonlySet<string> = new Set(["AuthFailure.TokenFailure", "AuthFailure.SecretIdNotFound"]);

/** Codes with which keys are refused. */
const keyCodes: ReadonlySet<string> = new Set([...endedCodes, "AuthFailure.InvalidAuthorization", "AuthFailure.SignatureFailure"]);

/** The address of a product. Most platforms have one for all products. */
export type Addresses = (product: Product) => URL;

/** Reaches a platform over HTTP, with signed calls. Connections are kept and reused. */
export class HttpTransport implements Transport {
  readonly callsPerSecond: number;
  readonly #addresses: Addresses;
  readonly #credentials: CredentialSource | undefined;
  readonly #timeouts: Timeouts;
  readonly #wireFormat: WireFormat;
  readonly #place: string | undefined;
  readonly #clock: () => number;
  readonly #dispatcher: Dispatcher;
  /** Milliseconds that the platform's machine is ahead of this one. */
  #ahead = 0;
  #closed: Promise<void> | undefined;

  /** Without credentials, calls are not signed: of the public API, only what exchanges another proof takes these. */
  constructor(
    endpoint: URL | Addresses,
    credentials: CredentialSource | undefined,
    { timeouts = { connect: 10_000, answer: 60_000 }, wireFormat = neutral, place, clock = Date.now }: HttpOptions = {},
  ) {
    this.#addresses = endpoint instanceof URL ? () => endpoint : endpoint;
    this.#credentials = credentials;
    this.#timeouts = timeouts;
    this.#wireFormat = wireFormat;
    this.#place = place;
    this.#clock = clock;
    const settings = { connections, connect: { timeout: timeouts.connect } };
    // A platform on this machine is not behind a proxy, and serves nobody else.
    const own = endpoint instanceof URL && isLoopback(endpoint);
    this.callsPerSecond = own ? Infinity : callsPerSecond;
    this.#dispatcher = own ? new Agent(settings) : new EnvHttpProxyAgent(settings);
  }

  async send(request: Request, signal?: AbortSignal): Promise<Reply> {
    const credentials = await this.#credentials?.();
    const before = this.#ahead;
    try {
      return await this.#send(request, credentials, signal);
    } catch (error) {
      // What is refused for its time or its keys had no effect.
      const isOutdated = error instanceof PlatformError && error.code === outdatedCode && this.#ahead !== before;
      return this.#send(request, isOutdated ? credentials : await this.#renewed(error, credentials), signal);
    }
  }

  /** Other credentials for a call whose temporary ones were refused. Throws the refusal if there are none. */
  async #renewed(refusal: unknown, credentials: Credentials | undefined): Promise<Credentials> {
    const hasEnded = refusal instanceof PlatformError && endedCodes.has(refusal.code) && credentials?.token !== undefined;
    const others = hasEnded ? await this.#credentials?.(credentials) : undefined;
    if (!others || others === credentials) throw refusal;
    return others;
  }

  async whoAmI(signal?: AbortSignal): Promise<Identity> {
    const asked = { product: "identity", action: "GetCallerIdentity", version: "2018-08-13", region: "", body: {} } as const;
    const { body, time, requestId } = await this.send(asked, signal);
    const account = body["AccountId"];
    if (typeof account !== "string" || account === "") throw unreadable({ ...asked, requestId }, "it does not tell the account");
    return { account, time, requestId };
  }

  /** Waits for the calls under way. */
  close(): Promise<void> {
    this.#closed ??= this.#dispatcher.close();
    return this.#closed;
  }

  async #send(request: Request, credentials: Credentials | undefined, signal: AbortSignal | undefined): Promise<Reply> {
    signal?.throwIfAborted();
    const origin = { product: request.product, action: request.action, requestId: "" };
    const { translator } = this.#wireFormat;
    const text = JSON.stringify(translator ? await translator.request(request, request.body, "there") : request.body);
    const address = this.#addresses(request.product);
    const headers = this.#headers(request, address, text, credentials);
    const { statusCode, answer, header } = await this.#exchange(address, headers, text, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw faultOf(error, address.host, origin);
    });
    if (statusCode !== 200) throw gatewayFault(statusCode, origin, placeOf(header("location"), address));
    const response = responseIn(answer, origin);
    const { RequestId: id, Error: refusal, ...answered } = response;
    const requestId = typeof id === "string" ? id : "";
    const date = Date.parse(header("date") ?? "");
    if (isObject(refusal)) {
      const { Code: code, Message: reason } = refusal;
      const known = translator ? translator.code(textOf(code), "here", request) : textOf(code);
      const told = this.#discreet(textOf(reason), headers) + (keyCodes.has(known) ? this.#signedWith : "");
      const ahead = date - this.#clock();
      // The date header has whole seconds, and takes a while to arrive.
      if (known === outdatedCode && Math.abs(ahead - this.#ahead) > 60_000) this.#ahead = ahead;
      throw new PlatformError(known || "InternalError", told, { ...origin, requestId });
    }
    const body = translator ? await translator.answer(request, answered, "here", true) : answered;
    const time = Number(header(`${this.#wireFormat.headers}time`) ?? NaN);
    return { requestId, body, time: [time, date].find(Number.isFinite) ?? Date.now() };
  }

  get #signedWith(): string {
    return this.#place === undefined ? "" : `; it was signed with the keys of ${this.#place}`;
  }

  async #exchange(address: URL, headers: Record<string, string>, text: string, signal: AbortSignal | undefined) {
    const answered = await exchange(address, {
      method: "POST",
      headers,
      body: text,
      dispatcher: this.#dispatcher,
      headersTimeout: this.#timeouts.answer,
      bodyTimeout: this.#timeouts.answer,
      ...(signal && { signal }),
    });
    const header = (name: string) => [answered.headers[name]].flat()[0];
    return { statusCode: answered.statusCode, answer: await answered.body.text(), header };
  }

  /** The words of an answer. Whoever answers may repeat what was sent, and errors are shown and stored. */
  #discreet(text: string, headers: Readonly<Record<string, string>>): string {
    const secrets = [headers["authorization"], headers[`${this.#wireFormat.headers}token`]];
    return secrets.reduce<string>(
      (rest, secret) => (secret === undefined || secret === unsigned ? rest : rest.replaceAll(secret, "[secret]")),
      text,
    );
  }

  #headers({ product, action, version, region }: Request, address: URL, body: string, credentials: Credentials | undefined) {
    const { headers: prefix, services, extra } = this.#wireFormat;
    const timestamp = Math.floor((this.#clock() + this.#ahead) / 1000);
    const signed: Record<string, string> = {
      "content-type": "application/json",
      host: address.host,
      [`${prefix}action`]: action,
      [`${prefix}version`]: version,
      ...(region !== "" && { [`${prefix}region`]: region }),
      ...(credentials?.token !== undefined && { [`${prefix}token`]: credentials.token }),
    };
    const call = { headers: signed, body, service: services[product], timestamp };
    const authorization = credentials ? authorizationFor(this.#wireFormat, credentials, call) : unsigned;
    return { ...extra, ...signed, [`${prefix}timestamp`]: String(timestamp), authorization };
  }
}

function responseIn(answer: string, origin: ErrorOrigin): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer);
  } catch {
    throw unreadable(origin, "it is not JSON");
  }
  const response = isObject(parsed) ? parsed["Response"] : undefined;
  if (!isObject(response)) throw unreadable(origin, "it has no Response");
  return response;
}

/** Where a redirect leads: the host alone, as the rest may be secret. */
function placeOf(location: string | undefined, from: URL): string | undefined {
  return location !== undefined && URL.canParse(location, from.href) ? new URL(location, from).origin : undefined;
}

function unreadable(origin: ErrorOrigin, lack: string): PlatformError {
  return new PlatformError("UnreadableAnswer", `the endpoint's answer is not a platform's: ${lack}`, origin, "failed");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isLoopback({ hostname }: URL): boolean {
  return /^((.+\.)?localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname);
}
