import { z } from "zod";
import { parseResourceName } from "../../formats/resource-name.ts";
import type { JsonObject } from "../../operation/codec.ts";
import { type Named, valuesIn } from "../../operation/named-values.ts";
import { once } from "../../operation/operation.ts";
import { tables } from "../store/table.ts";
import type { Context } from "../behaviour.ts";

/** The account whose resources are looked up, and its world. */
type Owner = Pick<Context, "world" | "account">;

/** Some tables have a plain list of tags, others groups of tags by what they are for. */
const tagged = once(() => {
  const tags = z.array(z.object({ key: z.string(), value: z.string() }));
  return z.object({ tags: tags.or(z.array(z.object({ tags }).transform((group) => group.tags)).transform((groups) => groups.flat())) });
});
const stored = once(() => z.object({ id: z.string(), data: z.string() }));

/**
 * The resources with tags that a call is about: those whose id is anywhere in its body, in whichever field and region, as an id is that
 * of one resource in the whole world; and those that it names in another way.
 */
export function resourcesMeant(owner: Owner, body: JsonObject) {
  const values = valuesIn(body);
  const texts = values.flatMap(({ value }) => (typeof value === "string" ? (parseResourceName(value)?.id ?? value) : []));
  const ids = [...new Set([...texts, ...namespacesMeant(owner, values)])];
  return tables.flatMap(({ name }) =>
    found(owner, name, ids).flatMap(({ id, data }) => {
      const row = tagged().safeParse(JSON.parse(data));
      return row.data ? [{ id, tags: row.data.tags }] : [];
    }),
  );
}

function found({ world, account }: Owner, table: string, ids: readonly string[]): z.output<ReturnType<typeof stored>>[] {
  return world
    .prepare(`SELECT id, data FROM "${table}" WHERE id IN (SELECT value FROM json_each(?)) AND account = ?`)
    .all(JSON.stringify(ids), account)
    .map((row) => stored().parse(row));
}

/** The ids of the namespaces that a call names beside their registry, or by a number. */
function namespacesMeant(owner: Owner, values: readonly Named[]): string[] {
  const names = values.flatMap(({ name, value }) =>
    // The resource of a permission is the namespace's name with a slash.
    typeof value === "string" && /(NamespaceName|Namespace|Namespaces|^Resource)$/.test(name) ? [value.replace(/\/$/, "")] : [],
  );
  const named = names.length === 0 ? [] : registriesIn(owner, values).flatMap((id) => names.map((name) => `${id}/${name}`));
  return [...named, ...numberedNamespaces(owner, values)];
}

/** The ids of the namespaces that a call means by their number, or by that of their retention rule, which has the id of its namespace. */
export function numberedNamespaces(owner: Owner, values: readonly Named[]): string[] {
  const numbers = values.flatMap(({ name, value }) => (typeof value === "number" && /^(Namespace|Retention)Id$/.test(name) ? [value] : []));
  if (numbers.length === 0) return [];
  return registriesIn(owner, values).flatMap((registryId) =>
    ["namespaces", "retentionRules"].flatMap((table) =>
      owner.world
        .prepare(
          `SELECT id, data FROM "${table}" WHERE parent = ? AND account = ? AND data ->> '$.number' IN (SELECT value FROM json_each(?))`,
        )
        .all(registryId, owner.account, JSON.stringify(numbers))
        .map((row) => stored().parse(row).id),
    ),
  );
}

function registriesIn(owner: Owner, values: readonly Named[]): string[] {
  const ids = values.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  return found(owner, "registries", ids).map(({ id }) => id);
}
