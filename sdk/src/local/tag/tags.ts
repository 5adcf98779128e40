import type { taggingErrors } from "../../catalogue/shared.ts";
import { attachResourcesTag, getResources, modifyResourceTags } from "../../catalogue/tag.ts";
import { parseResourceName, resourceKinds, type ResourceName, resourceName } from "../../formats/resource-name.ts";
import { type Behaviour, type Call, on } from "../behaviour.ts";
import { isRegion } from "../regions.ts";
import { namespaces, registries, serviceAccounts } from "../registry/tables.ts";
import { refuseTags, type Tag } from "../requests/names-and-tags.ts";
import { refuseTooMany } from "../requests/listing.ts";
import type { Table } from "../store/table.ts";
import { elasticIps, natGateways, routeTables, securityGroups, subnets, vpcs } from "../vpc/tables.ts";

/** A kind of resource whose tags the tag product reads and changes. */
interface Taggable {
  readonly service: string;
  readonly type: string;
  readonly of: Table<{ id: string; tags?: Tag[] | undefined }>;
}

/** A service account, as the public API's clients name it: `<registry>#<account>`, of the type of registries. */
const serviceAccount: Taggable = { ...resourceKinds.registry, of: serviceAccounts };

const taggables: readonly Taggable[] = [
  { ...resourceKinds.vpc, of: vpcs },
  { ...resourceKinds.subnet, of: subnets },
  { ...resourceKinds.securityGroup, of: securityGroups },
  { ...resourceKinds.elasticIp, of: elasticIps },
  { ...resourceKinds.natGateway, of: natGateways },
  { ...resourceKinds.routeTable, of: routeTables },
  { ...resourceKinds.registry, of: registries },
  { ...resourceKinds.namespace, of: namespaces },
];

/** The most names in one call, and resources on one page (public API). */
const most = { noun: "names", most: 50 };
const mostResults = 200;
const usualResults = 50;

export const tagBehaviours: readonly Behaviour[] = [
  on(modifyResourceTags, (call, { resource, replaceTags = [], deleteTags = [] }) => {
    const target = named(call, resource);
    if (replaceTags.length + deleteTags.length === 0) throw call.error("MissingParameter", "one of ReplaceTags and DeleteTags is required");
    const gone = new Set(deleteTags.map(({ tagKey }) => tagKey));
    const replaced = replaceTags.map(({ tagKey, tagValue }) => ({ key: tagKey, value: tagValue }));
    const both = replaced.find(({ key }) => gone.has(key));
    if (both)
      throw call.error(
        "InvalidParameterValue.DeleteTagsParamError",
        `tag ${both.key} is in ReplaceTags and in DeleteTags; give it in one of them`,
      );
    refuseTags(call, replaced);
    retag(call, target, (present) => merged(present, replaced).filter(({ key }) => !gone.has(key)));
  }),

  on(attachResourcesTag, (call, { serviceType, resourcePrefix, resourceIds, tagKey, tagValue, resourceRegion: region = call.region }) => {
    refuseTooMany(call, "ResourceIds", resourceIds, most);
    const tag = { key: tagKey, value: tagValue };
    refuseTags(call, [tag]);
    for (const id of resourceIds) {
      const { account } = call;
      const name = resourceName({ service: serviceType, type: resourcePrefix, region, account, id });
      retag(call, named(call, name), (present) => merged(present, [tag]));
    }
  }),

  on(getResources, (call, { resourceList = [], tagFilters = [], paginationToken = "", maxResults = usualResults }) => {
    refuseTooMany(call, "ResourceList", resourceList, most);
    if (maxResults < 1 || maxResults > mostResults)
      throw call.error("InvalidParameterValue.Range", `MaxResults is ${maxResults}; it takes 1 to ${mostResults}`);
    if (!/^\d{0,9}$/.test(paginationToken))
      throw call.error("InvalidParameter", "PaginationToken is not one that was answered with the page before");
    const found = resourceList.length > 0 ? resourceList.flatMap((text) => tagsOfOne(call, text)) : everything(call);
    const matching = found.filter(({ tags }) =>
      tagFilters.every(({ tagKey, tagValue = [] }) =>
        tags.some(({ key, value }) => key === tagKey && (tagValue.length === 0 || tagValue.includes(value))),
      ),
    );
    const offset = Number(paginationToken);
    const end = offset + maxResults;
    return {
      paginationToken: end < matching.length ? String(end) : "",
      resourceTagMappingList: matching.slice(offset, end).map(({ resource, tags }) => ({
        resource,
        tags: tags.map(({ key, value }) => ({ tagKey: key, tagValue: value })),
      })),
    };
  }),
];

function retag(
  call: Call<"ResourceNotFound" | (typeof taggingErrors)[number]>,
  { rows, row, name }: ReturnType<typeof named>,
  change: (present: readonly Tag[]) => Tag[],
): void {
  if (!row) throw call.error("ResourceNotFound", `there is no ${name.type} ${name.id} in ${name.region}`);
  const tags = change(row.tags ?? []);
  refuseTags(call, tags);
  rows.update(row.id, { tags });
}

interface Tagged {
  readonly resource: string;
  readonly tags: readonly Tag[];
}

/** The resource of a name, which may not exist. Refuses a name that is malformed, or of an unknown kind, region or account. */
function named(call: Call<"InvalidParameterValue.ResourceDescriptionError">, text: string) {
  const given = parseResourceName(text);
  const isAccount = call.form === "public" && given?.id.includes("#");
  const kind = (isAccount ? [serviceAccount] : taggables).find(({ service, type }) => service === given?.service && type === given.type);
  const ours = given && (given.account === "" || given.account === call.account);
  if (!given || !kind || !ours || !isRegion(given.region)) {
    const kinds = taggables.map(({ service, type }) =>
      resourceName({ service, type, region: call.region, account: call.account, id: "<id>" }),
    );
    throw call.error(
      "InvalidParameterValue.ResourceDescriptionError",
      `${JSON.stringify(text)} names no resource; names are ${kinds.join(", ")}`,
    );
  }
  const rows = call.in(given.region).rows(kind.of);
  return { rows, row: rows.get(isAccount ? accountRow(given.id) : given.id), name: { ...given, account: call.account } };
}

function accountRow(id: string): string {
  const [registry = "", account = ""] = id.split("#");
  return `${registry}/reg$${account.replace(/^(tcr|reg)\$/, "")}`;
}

/** The tags of each resource of one type that exists; none of a type without tags. */
export function tagsOfResource(
  call: Call<"InvalidParameterValue.LimitExceeded" | "InvalidParameterValue.ResourceDescriptionError">,
  kind: Pick<ResourceName, "service" | "type" | "region">,
  ids: readonly string[],
): { readonly id: string; readonly tags: readonly Tag[] }[] {
  refuseTooMany(call, "ResourceIds", ids, most);
  if (!taggables.some(({ service, type }) => service === kind.service && type === kind.type)) return [];
  const { account } = call;
  return ids.flatMap((id) => tagsOfOne(call, resourceName({ ...kind, account, id })).map(({ tags }) => ({ id, tags })));
}

/** A resource that does not exist is left out: the public API has no error code for it here. */
function tagsOfOne(call: Call<"InvalidParameterValue.ResourceDescriptionError">, text: string): Tagged[] {
  const { row, name } = named(call, text);
  return row ? [{ resource: resourceName(name), tags: row.tags ?? [] }] : [];
}

function everything(call: Call): Tagged[] {
  const { region, account } = call;
  return taggables.flatMap(({ service, type, of }) =>
    call
      .list(of)
      .flatMap(({ id, tags = [] }) => (tags.length > 0 ? [{ resource: resourceName({ service, type, region, account, id }), tags }] : [])),
  );
}

/** Adds tags to those present; a key that is there already keeps its place and gets the new value. */
function merged(present: readonly Tag[], added: readonly Tag[]): Tag[] {
  const values = new Map([...present, ...added].map(({ key, value }) => [key, value]));
  return [...values].map(([key, value]) => ({ key, value }));
}
