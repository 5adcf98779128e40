import type { Snapshot } from "@container-platform/sdk/local";
import { z } from "zod";
import type { Entry } from "./state.ts";

/** The tables whose rows are resources of their own. The others come and go with these. */
const kinds = [
  "vpcs",
  "subnets",
  "securityGroups",
  "clusters",
  "nodePools",
  "clusterEndpoints",
  "permissions",
  "registries",
  "registryTokens",
  "namespaces",
  "serviceAccounts",
  "repositories",
  "replicationRules",
] as const;

const blockRow = z.object({ ipv6CidrBlock: z.string().optional() });

/** The ids of the resources on the platform, in the form that states have. */
function idsIn({ things }: Snapshot): readonly string[] {
  const ids = kinds.flatMap((kind) => (things[kind] ?? []).map(({ id, parent }) => idInState(kind, id, parent)));
  const blocks = (things["vpcs"] ?? []).filter(({ row }) => blockRow.parse(row).ipv6CidrBlock !== undefined);
  return [...ids, ...blocks.map(({ id }) => `block of ${id}`)];
}

function idInState(kind: (typeof kinds)[number], id: string, parent: string): string {
  if (kind === "nodePools" || kind === "registryTokens") return `${parent}/${id}`;
  if (kind === "serviceAccounts") return id.replace("/reg$", "/");
  return kind === "permissions" ? id.replace("/cluster//", "/cluster/-/") : id;
}

/** The ids of resources that are on the platform, but not in the state. */
export function orphansIn(world: Snapshot, state: readonly Pick<Entry, "type" | "id" | "status">[]): readonly string[] {
  const named = state.filter(({ status }) => status !== "toRecreate").map(({ type, id }) => (type === "Ipv6Block" ? `block of ${id}` : id));
  return idsIn(world).filter((id) => !named.includes(id));
}
