import { z } from "zod";
import { parseResourceName } from "../../formats/resource-name.ts";
import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import type { Call } from "../behaviour.ts";
import { tables } from "../store/tables.ts";
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
  const { operation, uin, account, region } = call;
  // A denial may name single operations, of the network too, where `allow` cannot.
  const named = [permissionFor(operation), `${operation.product}:${operation.action}`];
  if (!permissions.some((denied) => named.some((name) => covers(denied, name)))) return;
  const meant = resourceNamesIn(body).map((text) => parseResourceName(text) ?? { id: text, account, region });
  for (const { id, region: place } of meant)
    if (tagsOf(call, place, id).some(({ key, value }) => key === tag.key && (tag.value === undefined || tag.value === value)))
      throw call.error(
        "AuthFailure.UnauthorizedOperation",
        `sub-account ${uin} is denied ${operation.action} on ${id}, which has the tag ${tag.key}`,
      );
}

/** The ids and six-segment names of resources in a body, at any depth: the values of all fields whose names say so. */
function resourceNamesIn(value: Json): string[] {
  if (isList(value)) return value.flatMap(resourceNamesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!/(Id|Ids|ids)$|^Resource$/.test(name)) return resourceNamesIn(inner);
    return (isList(inner) ? inner : [inner]).filter((item) => typeof item === "string");
  });
}

const stored = z.object({ data: z.string() });
const tags = z.array(z.object({ key: z.string(), value: z.string() }));
/** Some tables have a plain list of tags, others groups of tags by what they are for. */
const tagged = z.object({
  tags: tags.or(z.array(z.object({ tags }).transform((group) => group.tags)).transform((groups) => groups.flat())),
});

/** The tags of the resource with an id, of any kind. */
function tagsOf({ world, account }: Call, region: string, id: string): z.output<typeof tags> {
  return tables.flatMap(({ name }) => {
    const found = world.prepare(`SELECT data FROM "${name}" WHERE id = ? AND account = ? AND region = ?`).get(id, account, region);
    const row = found && tagged.safeParse(JSON.parse(stored.parse(found).data));
    return row?.data?.tags ?? [];
  });
}
