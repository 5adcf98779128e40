import type { JsonObject } from "../../operation/codec.ts";
import type { Call } from "../behaviour.ts";
import { resourcesMeant } from "../requests/resources-meant.ts";
import { policyOf } from "./accounts.ts";
import { covers, type Denial, permissionFor } from "./policy.ts";

/**
 * Refuses a call that a sub-account may not make (specification, Authentication 2 and Errors): `UnauthorizedOperation.AccessMgmtNoAuth`
 * if it lacks the permission, `AuthFailure.UnauthorizedOperation` for a write on a resource with a tag for which it is denied.
 */
export function refuseUnauthorized(call: Call, body: JsonObject): void {
  const { account, uin, operation } = call;
  if (uin === account || operation.product === "identity") return;
  const policy = policyOf(call.world, uin);
  const needed = permissionFor(operation);
  if (!policy.allow.some((granted) => covers(granted, needed)))
    throw call.error(
      "UnauthorizedOperation.AccessMgmtNoAuth",
      `sub-account ${uin} lacks the permission ${needed}, which ${operation.action} needs`,
    );
  if (operation.effect === "write") for (const denial of policy.deny) refuseDenied(call, body, denial);
}

function refuseDenied(call: Call, body: JsonObject, { permissions, tag }: Denial): void {
  const { operation, uin } = call;
  // A denial may name single operations, of the network too, where `allow` cannot.
  const named = [permissionFor(operation), `${operation.product}:${operation.action}`];
  if (!permissions.some((denied) => named.some((name) => covers(denied, name)))) return;
  for (const { id, tags } of resourcesMeant(call, body))
    if (tags.some(({ key, value }) => key === tag.key && (tag.value === undefined || tag.value === value)))
      throw call.error(
        "AuthFailure.UnauthorizedOperation",
        `sub-account ${uin} is denied ${operation.action} on ${id}, which has the tag ${tag.key}`,
      );
}
