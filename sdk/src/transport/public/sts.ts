import { z } from "zod";
import type { CredentialSource } from "../../config/credential-source.ts";
import type { Temporary } from "../../config/renewed.ts";
import { publicApi } from "../../dialect/dialect.ts";
import type { JsonObject } from "../../operation/codec.ts";
import { ConfigurationError, PlatformError } from "../../operation/errors.ts";
import { withoutSecrets } from "../../operation/redact.ts";
import { HttpTransport } from "../http.ts";

/** One call of the public API's product `sts` that answers temporary credentials. */
export interface StsCall {
  readonly address: URL;
  readonly region: string;
  readonly action: "AssumeRole" | "AssumeRoleWithWebIdentity";
  readonly body: JsonObject;
  /** What the call is signed with; `undefined` if it is not signed. */
  readonly signer: CredentialSource | undefined;
}

const keysForm = { TmpSecretId: z.string().min(1), TmpSecretKey: z.string().min(1), Token: z.string().min(1) };
const answerForm = z.object({ Credentials: z.object(keysForm), ExpiredTime: z.number() });
/** What the metadata of an instance answers. */
export const instanceForm = z.object({ ...keysForm, Code: z.literal("Success"), ExpiredTime: z.number() });

export async function temporaryFrom({ address, region, action, body, signer }: StsCall): Promise<Temporary> {
  const transport = new HttpTransport(address, signer, { dialect: publicApi });
  try {
    const reply = await transport.send({ product: "identity", action, version: "2018-08-13", region, body });
    const answer = answerForm.safeParse(reply.body);
    if (!answer.success) throw new ConfigurationError(`${action} answered no credentials (request ${reply.requestId})`);
    const { Credentials: keys, ExpiredTime } = answer.data;
    return temporary(keys, ExpiredTime, reply.time);
  } catch (error) {
    throw error instanceof PlatformError ? refused(error, body) : error;
  } finally {
    await transport.close();
  }
}

/** The fields of these calls that prove who asks: a refusal may repeat them. */
const proofs = ["WebIdentityToken", "TokenCode", "ExternalId"];

/** New credentials are asked for so many milliseconds before the end, or when nine tenths of the time are over. */
const early = 300_000;

/** `expired` is in seconds, `now` in milliseconds, both by the clock of who answered: clocks differ. */
export function temporary(keys: z.output<z.ZodObject<typeof keysForm>>, expired: number, now: number): Temporary {
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
