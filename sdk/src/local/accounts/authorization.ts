import { z } from "zod";
import { parseResourceName } from "../../formats/resource-name.ts";
import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import type { Call } from "../behaviour.ts";
import { tables } from "../store/tables.ts";
import { policyOf } from "./accounts.ts";
import { covers, type Denial, permissionFor } from "./policy.ts";

/**
 * Refuses a call that a sub-account may not make (specification, Authentication 2 and Errors): `UnauthorizedOperation.AccessMgmtNoAuth`
 * where it lacks the permission, `AuthFailure.UnauthorizedOperation` for a write on what has a tag for which it is denied.
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
  const { operation, uin, account, region } = call;
  // A denial names single operations, those of networks too.
  const named = [permissionFor(operation), `${operation.product}:${operation.action}`];
  if (!permissions.some((denied) => named.some((name) => covers(denied, name)))) return;
  const meant = thingsIn(body).map((text) => parseResourceName(text) ?? { id: text, account, region });
  for (const { id, region: place } of meant)
    if (tagsOf(call, place, id).some(({ key, value }) => key === tag.key && (tag.value === undefined || tag.value === value)))
      throw call.error(
        "AuthFailure.UnauthorizedOperation",
        `sub-account ${uin} is denied ${operation.action} on ${id}, which has the tag ${tag.key}`,
      );
}

/** Values of all that is called an id, and names of resources, at any depth. */
function thingsIn(value: Json): string[] {
  if (isList(value)) return value.flatMap(thingsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!/(Id|Ids|ids)$|^Resource$/.test(name)) return thingsIn(inner);
    return (isList(inner) ? inner : [inner]).filter((item) => typeof item === "string");
  });
}

const stored = z.object({ data: z.string() });
const tags = z.array(z.object({ key: z.string(), value: z.string() }));
/** Some kinds have their tags by what these are for. */
const tagged = z.object({
  tags: tags.or(z.array(z.object({ tags }).transform((group) => group.tags)).transform((groups) => groups.flat())),
});

/** The tags of whatever has an id, of any kind. */
function tagsOf({ world, account }: Call, region: string, id: string): z.output<typeof tags> {
  return tables.flatMap(({ name }) => {
    const found = world.prepare(`SELECT data FROM "${name}" WHERE id = ? AND account = ? AND region = ?`).get(id, account, region);
    const row = found && tagged.safeParse(JSON.parse(stored.parse(found).data));
    return row?.data?.tags ?? [];
  });
}
