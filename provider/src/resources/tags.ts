import * as tag from "@container-platform/sdk/tag";
import { type Cloud, resourceKinds, resourceName } from "@container-platform/sdk";
import { own } from "../schema/values.ts";

type Tags = Readonly<Record<string, string>> | undefined;
type TagList = readonly { readonly key: string; readonly value: string }[];

/** Tags as the platform takes them. */
export function tagList(tags: Tags): { key: string; value: string }[] {
  return Object.entries(tags ?? {}).map(([key, value]) => ({ key, value }));
}

/** Tags as programs write them; `undefined` if there are none. */
export function tagRecord(tags: TagList = []): Record<string, string> | undefined {
  return tags.length > 0 ? Object.fromEntries(tags.map(({ key, value }) => [key, value])) : undefined;
}

/** The same of tags that the platform keeps by the type of what bears them. */
export const specifiedTags = (specifications: readonly { readonly tags: TagList }[]) =>
  tagRecord(specifications.flatMap(({ tags }) => tags));

/** The most tags in one call (public API). */
const mostTags = 10;

/** Changes the tags of a resource through the tag product. Deletes come first, so that there are never more than a resource accepts. */
export async function retagged(cloud: Cloud, kind: keyof typeof resourceKinds, id: string, desired: Tags, live: Tags): Promise<void> {
  const changed = tagList(desired).filter(({ key, value }) => own(live, key) !== value);
  const gone = Object.keys(live ?? {}).filter((key) => own(desired, key) === undefined);
  const account = await cloud.readings.remember("account", () => cloud.account());
  const resource = resourceName({ ...resourceKinds[kind], region: cloud.region, account, id });
  const changes = [...gone.map((key) => ({ key, value: undefined })), ...changed];
  for (let start = 0; start < changes.length; start += mostTags) {
    const some = changes.slice(start, start + mostTags);
    const deleteTags = some.flatMap(({ key, value }) => (value === undefined ? [{ tagKey: key }] : []));
    const replaceTags = some.flatMap(({ key, value }) => (value === undefined ? [] : [{ tagKey: key, tagValue: value }]));
    await cloud.call(tag.modifyResourceTags, {
      resource,
      ...(deleteTags.length > 0 && { deleteTags }),
      ...(replaceTags.length > 0 && { replaceTags }),
    });
  }
}
