import { Agent, request } from "undici";
import { z } from "zod";
import { type CredentialSource, renewed, type Temporary } from "../../config/credential-source.ts";
import type { CredentialPlace } from "../../config/credentials.ts";
import { jsonIn } from "../../formats/texts.ts";
import type { JsonObject } from "../../operation/codec.ts";
import { ConfigurationError, PlatformError } from "../../operation/errors.ts";
import { withoutSecrets } from "../../operation/redact.ts";
import { publicApi } from "../../wire-format/wire-format.ts";
import { HttpTransport } from "../http.ts";
import { faultOf } from "../network-faults.ts";
import type { Request } from "../transport.ts";
import { type Environment, oneOf, textIfThere } from "./keys.ts";

const keysForm = { TmpSecretId: z.string().min(1), TmpSecretKey: z.string().min(1), Token: z.string().min(1) };
const answerForm = z.object({ Credentials: z.object(keysForm), ExpiredTime: z.number() });
/** What the metadata of an instance answers. */
const instanceForm = z.object({ ...keysForm, Code: z.literal("Success"), ExpiredTime: z.number() });

/** The credentials that a call of the public API's product `sts` returns. It is signed, unless its body proves who asks. */
async function temporaryFrom(
  address: URL,
  call: Pick<Request, "action" | "region" | "body">,
  signer?: CredentialSource,
): Promise<Temporary> {
  const transport = new HttpTransport(address, signer, { wireFormat: publicApi });
  try {
    const reply = await transport.send({ product: "identity", version: "2018-08-13", ...call });
    const answer = answerForm.safeParse(reply.body);
    if (!answer.success) throw new ConfigurationError(`${call.action} answered no credentials (request ${reply.requestId})`);
    const { Credentials: keys, ExpiredTime } = answer.data;
    return temporary(keys, ExpiredTime, reply.time);
  } catch (error) {
    throw error instanceof PlatformError ? refused(error, call.body) : error;
  } finally {
    await transport.close();
  }
}

/** The fields of these calls that prove who asks: a refusal may repeat them. */
const proofs = ["WebIdentityToken", "TokenCode", "ExternalId"];

/** New credentials are asked for so many milliseconds before the end, or when nine tenths of the time are over. */
const early = 300_000;

/** `expired` is in seconds, `now` in milliseconds, both by the clock of who answered: clocks differ. */
function temporary(keys: z.output<z.ZodObject<typeof keysForm>>, expired: number, now: number): Temporary {
  const lasts = expired * 1000 - now;
  const end = Date.now() + lasts;
  const credentials = { secretId: keys.TmpSecretId, secretKey: keys.TmpSecretKey, token: keys.Token };
  return { credentials, renewal: end - Math.min(early, lasts / 10), end };
}

/**
 * A call that had no credentials was not sent, whatever the reason. The code of the failure is not the call's: that a role is not found
 * must not read as if the call's resource were gone.
 */
function refused({ code, kind, reason, origin }: PlatformError, body: JsonObject): Error {
  const secrets = proofs.map((name) => body[name]).filter((proof) => typeof proof === "string");
  const sentence = `no temporary credentials: ${origin.action} of sts: ${withoutSecrets(reason, secrets)}`;
  if (["transient", "throttled", "unreachable", "unsent"].includes(kind)) return new PlatformError(code, sentence, origin, "unsent");
  const id = origin.requestId && `, request ${origin.requestId}`;
  return new ConfigurationError(`${sentence} (${code}${id})`);
}

/** A role that is assumed with other credentials. */
export interface Role {
  readonly arn: string;
  readonly session: string | undefined;
  readonly seconds?: number | undefined;
  readonly externalId?: string | undefined;
  /** The device of a second factor, and the code that it shows: good for one call. */
  readonly mfa?: { readonly device: string; readonly code: string } | undefined;
}

/** The most seconds that a role can be assumed for. */
const longestSession = 43_200;

/** The role that the environment names, as the vendor's command-line client or its Terraform provider spell it. */
export function roleIn(environment: Environment): Role | undefined {
  const arn = oneOf(environment, "TENCENTCLOUD_ROLE_ARN", "TENCENTCLOUD_ASSUME_ROLE_ARN");
  if (arn === undefined) return undefined;
  const lasts = oneOf(environment, "TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION");
  const seconds = lasts === undefined ? undefined : Number(lasts);
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds > 0 && seconds <= longestSession))
    throw new ConfigurationError(`TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION takes a whole number of seconds, 1 to ${longestSession}`);
  const device = oneOf(environment, "TENCENTCLOUD_ASSUME_ROLE_SERIAL_NUMBER");
  const code = oneOf(environment, "TENCENTCLOUD_ASSUME_ROLE_TOKEN_CODE");
  if ((device === undefined) !== (code === undefined))
    throw new ConfigurationError(
      "a second factor takes both TENCENTCLOUD_ASSUME_ROLE_SERIAL_NUMBER (the device) and TENCENTCLOUD_ASSUME_ROLE_TOKEN_CODE",
    );
  return {
    arn,
    session: oneOf(environment, "TENCENTCLOUD_ROLE_SESSION_NAME", "TENCENTCLOUD_ASSUME_ROLE_SESSION_NAME"),
    seconds,
    externalId: oneOf(environment, "TENCENTCLOUD_ASSUME_ROLE_EXTERNAL_ID"),
    mfa: device === undefined || code === undefined ? undefined : { device, code },
  };
}

/** The credentials of a role, which is assumed again before they expire. */
export function assumed({ arn, session, seconds, externalId, mfa }: Role, signer: CredentialSource, address: URL): CredentialSource {
  let isUsed = false;
  const body = {
    RoleArn: arn,
    RoleSessionName: session ?? "container-platform",
    ...(seconds !== undefined && { DurationSeconds: seconds }),
    ...(externalId !== undefined && { ExternalId: externalId }),
    ...(mfa && { SerialNumber: mfa.device, TokenCode: mfa.code }),
  };
  return renewed(async () => {
    if (isUsed)
      throw new ConfigurationError(
        "the credentials of the role have expired, and a code of a second factor is good once: set a new TENCENTCLOUD_ASSUME_ROLE_TOKEN_CODE, " +
          `and for longer runs TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION (${longestSession} seconds at most)`,
      );
    const found = await temporaryFrom(address, { region, action: "AssumeRole", body }, signer);
    isUsed = mfa !== undefined;
    return found;
  });
}

/** The region that the vendor's clients name in calls of `sts`: it answers the same in all. */
const region = "ap-guangzhou";

const names = ["TKE_REGION", "TKE_PROVIDER_ID", "TKE_WEB_IDENTITY_TOKEN_FILE", "TKE_ROLE_ARN"] as const;

/** @throws ConfigurationError if the file is not there, or has nothing in it. */
function tokenIn(file: string): string {
  const token = textIfThere(file)?.trim();
  if (token) return token;
  const lacks = token === undefined ? "does not exist" : "is empty";
  throw new ConfigurationError(`TKE_WEB_IDENTITY_TOKEN_FILE names ${file}, which ${lacks}: correct it, or unset the four variables TKE_…`);
}

/** The identity that a cluster gives a pod: a token in a file, which is exchanged for the credentials of a role. */
export function podIdentity(environment: Environment, address: URL): CredentialPlace {
  return {
    name: "the identity of the pod (TKE_…)",
    look: () => {
      const [region, provider, file, role] = names.map((name) => environment[name]);
      if (!region || !provider || !file || !role) {
        const missing = names.filter((name) => !environment[name]);
        return Promise.resolve({ lacks: `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set` });
      }
      const source = renewed(() => {
        const body = {
          ProviderId: provider,
          // The cluster writes a new token before the old one ends.
          WebIdentityToken: tokenIn(file),
          RoleArn: role,
          RoleSessionName: "container-platform",
        };
        return temporaryFrom(address, { region, action: "AssumeRoleWithWebIdentity", body });
      });
      return Promise.resolve({ source });
    },
  };
}

/** Where a virtual machine of the cloud finds its own metadata. */
export const metadataAddress: URL = new URL("http://metadata.tencentyun.com/");

/** How long all of the metadata may take, in milliseconds: on any other machine nobody answers. */
const patience = 1000;

const origin = { product: "metadata", action: "the role of the instance", requestId: "" };

/** The credentials of the role that a virtual machine has. A renewal that fails is tried again with the next call. */
export function ofInstance(address: URL): CredentialSource {
  return renewed(async () => {
    // Metadata is of this machine: no proxy may be asked for it.
    const dispatcher = new Agent();
    const signal = AbortSignal.timeout(patience);
    const read = async (path: string) => {
      const { statusCode, body, headers } = await request(new URL(path, address), { dispatcher, signal });
      const answer = await body.text();
      if (statusCode !== 200) throw lacking(statusCode === 404 ? "the instance has no role" : `HTTP status ${statusCode}`);
      return { answer, date: Date.parse([headers["date"]].flat()[0] ?? "") };
    };
    try {
      return await roleRead(read);
    } catch (error) {
      if (signal.aborted) throw lacking(`${address.host} did not answer within a second`);
      throw error instanceof PlatformError ? error : faultOf(error, address.host, origin);
    } finally {
      await dispatcher.destroy();
    }
  });
}

type Read = (path: string) => Promise<{ readonly answer: string; readonly date: number }>;

const folder = "/latest/meta-data/cam/security-credentials/";

async function roleRead(read: Read): Promise<Temporary> {
  const name = (await read(folder)).answer.trim();
  // A gateway may answer for any name with a page of its own.
  if (!/^[\w+=,.@-]+$/.test(name)) throw lacking("the answer is no name of a role");
  const { answer, date } = await read(`${folder}${name}`);
  const parsed = instanceForm.safeParse(jsonIn(answer));
  if (!parsed.success) throw lacking(`there are no credentials for the role ${name}`);
  return temporary(parsed.data, parsed.data.ExpiredTime, Number.isFinite(date) ? date : Date.now());
}

/** Whatever it is, no call of the platform was sent. */
function lacking(reason: string): PlatformError {
  return new PlatformError("NoInstanceRole", reason, origin, "unsent");
}
