import type { CredentialSource } from "../../config/credential-source.ts";
import { renewed } from "../../config/renewed.ts";
import { ConfigurationError } from "../../operation/errors.ts";
import { type Environment, oneOf } from "./environment.ts";
import { temporaryFrom } from "./sts.ts";

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
const longest = 43_200;

/** The role that the environment names, as the vendor's command-line client or its Terraform provider spell it. */
export function roleIn(environment: Environment): Role | undefined {
  const arn = oneOf(environment, "TENCENTCLOUD_ROLE_ARN", "TENCENTCLOUD_ASSUME_ROLE_ARN");
  if (arn === undefined) return undefined;
  const lasts = oneOf(environment, "TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION");
  const seconds = lasts === undefined ? undefined : Number(lasts);
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds > 0 && seconds <= longest))
    throw new ConfigurationError(`TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION takes a whole number of seconds, 1 to ${longest}`);
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
          `and for longer runs TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION (${longest} seconds at most)`,
      );
    const found = await temporaryFrom({ address, region, action: "AssumeRole", body, signer });
    isUsed = mfa !== undefined;
    return found;
  });
}

/** The region that the vendor's clients name in calls of `sts`: it answers the same in all. */
const region = "ap-guangzhou";
