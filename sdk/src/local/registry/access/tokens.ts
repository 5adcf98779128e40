import {
  createInstanceToken,
  deleteInstanceToken,
  describeInstanceToken,
  modifyInstanceToken,
} from "../../../catalogue/registry/tokens.ts";
import { type Call, on } from "../../behaviour.ts";
import { listed, type Listing } from "../../requests/listing.ts";
import { tokenValidTime } from "../instances/instances.ts";
import { fingerprintOf, newSecret } from "./secrets.ts";
import { registryOf, runningRegistry } from "../states.ts";
import { registryTokens, type TokenRow } from "../tables.ts";

/** How long a long-term token is valid, in years ("not shown" in the specification; typical of the public API). */
const longtermYears = 10;

const listing: Listing<TokenRow> = { table: registryTokens, noun: "token", filters: {} };

export const tokenBehaviours = [
  on(createInstanceToken, (call, { registryId, tokenType: type = "temp", desc = "" }) => {
    runningRegistry(call, registryId);
    const token = newSecret(call.world);
    const id = call.world.newId("token", registryTokens);
    const expiresAt = type === "temp" ? call.now + tokenValidTime * 1000 : inYears(call, longtermYears);
    const [username, fingerprint, createdAt] = [call.uin, fingerprintOf(token), call.timestamp];
    call
      .rows(registryTokens)
      .insert({ id, registryId, type, username, fingerprint, desc, enabled: true, createdAt, expiresAt }, registryId);
    if (type === "temp") call.rows(registryTokens).expire(id, expiresAt);
    return { username, token, expTime: expiresAt, tokenId: type === "temp" ? "" : id };
  }),

  on(describeInstanceToken, (call, { registryId, ...page }) => {
    registryOf(call, registryId);
    const { totalCount, rows } = listed(call, listing, { ...page, parent: registryId, where: ({ type }) => type === "longterm" });
    return {
      totalCount,
      tokens: rows.map(({ id, desc, enabled, createdAt, expiresAt }) => ({
        id,
        desc,
        registryId,
        enabled,
        createdAt,
        expiredAt: expiresAt,
      })),
    };
  }),

  on(modifyInstanceToken, (call, { registryId, tokenId, enable, desc, modifyFlag = 2 }) => {
    const { id } = longtermToken(call, registryId, tokenId);
    if (modifyFlag === 1) {
      if (desc === undefined) throw call.error("MissingParameter", "Desc is required when ModifyFlag is 1");
      call.rows(registryTokens).update(id, { desc });
    } else {
      if (enable === undefined) throw call.error("MissingParameter", "Enable is required when ModifyFlag is 2, or not given");
      call.rows(registryTokens).update(id, { enabled: enable });
    }
    return {};
  }),

  on(deleteInstanceToken, (call, { registryId, tokenId }) => {
    call.rows(registryTokens).remove(longtermToken(call, registryId, tokenId).id);
    return {};
  }),
];

function inYears({ now }: Call, years: number): number {
  const moment = new Date(now);
  moment.setUTCFullYear(moment.getUTCFullYear() + years);
  return moment.getTime();
}

function longtermToken(call: Call<"ResourceNotFound" | "ResourceNotFound.TcrResourceNotFound">, registryId: string, id: string): TokenRow {
  registryOf(call, registryId);
  const token = call.rows(registryTokens).get(id);
  if (token?.registryId !== registryId || token.type !== "longterm")
    throw call.error("ResourceNotFound.TcrResourceNotFound", `registry ${registryId} has no long-term token ${JSON.stringify(id)}`);
  return token;
}
