import { randomBytes } from "node:crypto";
import { registryFinder, tokensOf } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { secondsOf, timeText } from "../../definition/duration.ts";
import { idOf, joined } from "../../definition/ids.ts";
import { cleared, secret } from "../../definition/inputs.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { below, resource } from "../../definition/resource.ts";
import { RegistryInstance } from "./registry-instance.ts";

const defaultMargin = "10m";

/** The arguments of `Token`. */
export interface TokenArgs {
  /** The registry. A change replaces the token. */
  registryId: Input<string>;
  /**
   * `longterm`, or `temp`: valid for one hour, and replaced by the first `pulumi up` within `renewBefore` of its expiry. A change
   * replaces the token.
   */
  tokenType?: Input<"temp" | "longterm" | undefined>;
  /** Description of a long-term token. Default: empty. */
  desc?: Input<string | undefined>;
  /** Whether the login with a long-term token is enabled. `false` only with `longterm`. */
  enabled?: Input<boolean | undefined>;
  /** Time before the expiry of a temp token from which `pulumi up` replaces it, such as `20m`. Default: `10m`. */
  renewBefore?: Input<string | undefined>;
}

/** The properties of a `Token` once they are known. */
export interface TokenState extends ResolvedWithDefaults<TokenArgs, "tokenType" | "desc" | "enabled"> {
  /** ID of a long-term token. The API returns no ID for a temp token: the provider generates one. */
  tokenId: string;
  /** User name for the login. */
  username: string;
  /** Password for the login. A secret. */
  token: string;
  /** Expiry of the token, ISO 8601. */
  expTime: string;
}

/**
 * A token: a user name and a password for the login of container clients. A `temp` token is valid for an hour. A `longterm` token
 * is valid until you disable or delete it, at most until `expTime`: on the emulator, 10 years. The API returns the password only once. A
 * temp token cannot be deleted: after you remove it from the program, it remains valid until it expires.
 *
 * @example
 * const pull = new Token("pull", { registryId: images.registryId });
 */
export class Token extends resource<TokenArgs, TokenState>()("Token", {
  inputs: {
    registryId: idOf("tcr"),
    tokenType: z.enum(registry.tokenTypes).default("longterm"),
    desc: z.string().default(""),
    enabled: z.boolean().default(true),
    renewBefore: cleared(timeText("20m or 90s")),
  },
  outputs: {
    tokenId: z.string(),
    username: z.string(),
    token: secret(z.string()),
    expTime: z.string(),
  },
  id: joined("tcr-3f8a0c1e/token-5d20b7c4", "registryId", "tokenId"),
}).managed({
  within: { kind: RegistryInstance.kind, by: "registryId" },
  create: async (cloud, { registryId, tokenType, desc }) => {
    const made = await cloud.call(registry.createInstanceToken, {
      registryId,
      tokenType,
      ...(tokenType === "longterm" && desc !== "" && { desc }),
    });
    // The platform gives a temp token no id, and two of them may expire at the same moment.
    const tokenId = made.tokenId || `temp-${made.expTime}-${randomBytes(4).toString("hex")}`;
    return { ...made, tokenId, expTime: timeOf(made.expTime) };
  },
  // Only the creation returns a token's password.
  owned: { note: ({ tokenType }) => (tokenType === "temp" ? undefined : "desc") },
  read: async (cloud, known) => {
    const { registryId, tokenId } = known;
    if (tokenId.startsWith("temp-")) return (await registryFinder.find(cloud, registryId)) && { ...known, tokenType: "temp" };
    const found = (await tokensOf(cloud, registryId)).find(({ id }) => id === tokenId);
    return found && { ...known, tokenType: "longterm", desc: found.desc, enabled: found.enabled, expTime: timeOf(found.expiredAt) };
  },
  list: (cloud, { registryId: ids }) =>
    below(ids, async (registryId) => (await tokensOf(cloud, registryId)).map(({ id, desc }) => ({ registryId, tokenId: id, desc }))),
  delete: async (cloud, { registryId, tokenId }) => {
    if (!tokenId.startsWith("temp-")) await cloud.call(registry.deleteInstanceToken, { registryId, tokenId });
  },

  changes: {
    registryId: "replace",
    tokenType: "replace",
    desc: (cloud, { registryId, tokenId, desc }) => cloud.call(registry.modifyInstanceToken, { registryId, tokenId, modifyFlag: 1, desc }),
    enabled: (cloud, { registryId, tokenId, enabled }) =>
      cloud.call(registry.modifyInstanceToken, { registryId, tokenId, modifyFlag: 2, enable: enabled }),
    renewBefore: "local-only",
  },
  rules: [
    {
      of: "desc",
      broken: ({ tokenType, desc }) =>
        tokenType === "temp" && desc !== "" && 'goes only with tokenType "longterm"; the platform keeps none of a temp token',
    },
    {
      of: "enabled",
      broken: ({ tokenType, enabled }) =>
        tokenType === "temp" &&
        !enabled &&
        'only a token of tokenType "longterm" can be disabled; a temp one ends by itself within an hour',
    },
    {
      of: "renewBefore",
      broken: ({ tokenType, renewBefore }) => tokenType === "longterm" && renewBefore !== undefined && 'goes only with tokenType "temp"',
    },
  ],
  due: ({ tokenType, expTime, renewBefore = defaultMargin }, now) => {
    const end = Date.parse(expTime ?? "");
    const margin = tokenType === "temp" ? (secondsOf(renewBefore) ?? 0) * 1000 : 0;
    if (!(now >= end - margin)) return undefined;
    return { property: "expTime", why: `the token ${now >= end ? "ended" : "ends"} at ${expTime}, and \`up\` makes a new one` };
  },
}) {}
export interface Token extends Outputs<TokenState> {}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
