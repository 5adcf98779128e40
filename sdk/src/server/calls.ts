import { randomUUID } from "node:crypto";
import { type CommonCode, InputError, PlatformError } from "../operation/errors.ts";
import { LocalPlatform } from "../local/platform.ts";
import type { World } from "../local/store/world.ts";
import { type Product, products } from "../operation/operation.ts";
import { type WireFormat, neutral } from "../wire-format/wire-format.ts";
import { MissingError } from "../wire-format/translate.ts";
import { isObject, type JsonObject, mostLevels } from "../operation/codec.ts";
import { identified, signedBy, type Signed } from "./authentication.ts";
import { headerOf, type Incoming, json, type Outgoing } from "./http-messages.ts";

/** The most bytes of a call (public API). */
export const mostBytes = 10 * 1024 * 1024;

/** Answers a call of an operation; `undefined` if a fault drops the connection. */
export async function answerCall(world: World, incoming: Incoming): Promise<Outgoing | undefined> {
  if (incoming.method !== "POST") return refused("UnsupportedProtocol", `a call is a POST, not a ${incoming.method}`);
  const signed = signedBy(incoming.headers);
  const { wireFormat } = signed;
  const platform = new LocalPlatform(world, () => identified(world, signed, incoming), wireFormat.translator ? "public" : "specification");
  const call = await readCall(signed, incoming);
  if ("code" in call) return failure(await platform.refuse(call.named, call.code, call.reason), wireFormat);
  try {
    const { requestId, time, body } = await platform.answer(call, () => incoming.departure.signal);
    const told = wireFormat.translator ? await wireFormat.translator.answer(call, body, "there") : body;
    return json(200, { Response: { ...told, RequestId: requestId } }, { [`${wireFormat.headers}time`]: String(time) });
  } catch (error) {
    if (incoming.departure.isNoted) return undefined;
    if (!(error instanceof PlatformError)) throw error;
    if (error.kind === "unreachable") return undefined;
    return failure(error, wireFormat, await wireFormat.translator?.reason(call, error.reason));
  }
}

export function tooLarge(): Outgoing {
  return refused("RequestSizeLimitExceeded", `the call has more than ${mostBytes} bytes`);
}

/** The answer if the platform itself failed. */
export function broken(): Outgoing {
  return refused("InternalError", "the platform made a mistake; whoever runs it was told which");
}

/** A refusal that is recorded in no account's audit log. */
function refused(code: CommonCode, reason: string): Outgoing {
  return failure(new PlatformError(code, reason, { product: "", action: "", requestId: randomUUID() }), neutral);
}

/** Errors have status 200 too. */
function failure({ code, reason, requestId, origin }: PlatformError, { translator }: WireFormat, inWords = reason): Outgoing {
  const told = translator ? translator.code(code, "there", origin) : code;
  return json(200, { Response: { Error: { Code: told, Message: inWords }, RequestId: requestId } });
}

/** The call of a request, or why it cannot be read. */
async function readCall({ wireFormat, claim }: Signed, { headers, body }: Incoming) {
  const header = (name: string) => headerOf(headers, wireFormat.headers + name) ?? "";
  const [action, version, region] = [header("action"), header("version"), header("region")];
  const service = claim?.service ?? "";
  const own = products.find((each) => wireFormat.services[each] === service);
  const [product, ...others] = own ? [own] : await productsWith(wireFormat, action, version);
  const isOne = product !== undefined && others.length === 0;
  const named = { product: isOne ? product : service, action, region };
  const wrong = (code: CommonCode, reason: string) => ({ named, code, reason });
  if (action === "") return wrong("MissingParameter", `${wireFormat.headers}action is required`);
  if (!product) return wrong("InvalidAction", `no product has the action ${action}${version && ` of the version ${version}`}`);
  if (!isOne) {
    const all = [product, ...others].map((each) => wireFormat.services[each]).sort();
    const several = `the signature is of ${service}, which is no product, and ${all.join(", ")} have the action ${action}`;
    return wrong("InvalidAction", `${several}: sign with the product's name`);
  }
  const type = headers["content-type"];
  if (!type || !/^application\/json *(;|$)/i.test(type))
    return wrong("UnsupportedProtocol", `Content-Type is ${type ?? "not given"}; a call is application/json`);
  if (version === "" && wireFormat.versionRequired) return wrong("MissingParameter", `${wireFormat.headers}version is required`);
  const fields = readBody(body);
  if (!fields) return wrong("InvalidParameter", "the body is not an object of JSON");
  const call = { product, action, version, region };
  if (!wireFormat.translator) return { ...call, body: fields };
  try {
    return { ...call, body: await wireFormat.translator.request(call, fields, "here") };
  } catch (error) {
    if (error instanceof MissingError) return wrong("MissingParameter", error.message);
    if (error instanceof InputError) return wrong("InvalidParameter", error.message);
    throw error;
  }
}

/** The products that have an action. Clients that only know an address sign with a word of it in place of the product. */
async function productsWith({ translator }: WireFormat, action: string, version: string): Promise<Product[]> {
  const { catalogue, publicFormCatalogue } = await import("../catalogue/every-operation.ts");
  const named = [...catalogue, ...(translator ? publicFormCatalogue : [])].filter(
    (operation) => operation.action === action && (version === "" || operation.version === version),
  );
  return [...new Set(named.map((operation) => operation.product))];
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function readBody(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return isObject(value) && isShallow(value, mostLevels) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}
