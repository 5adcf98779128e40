import * as tag from "@container-platform/sdk/tag";
import { type Cloud, resourceKinds, resourceName } from "@container-platform/sdk";

type Tags = Readonly<Record<string, string>> | undefined;

/** Tags as the platform takes them. */
export function tagList(tags: Tags): { key: string; value: string }[] {
  return Object.entries(tags ?? {}).map(([key, value]) => ({ key, value }));
}

/** Tags as programs write them; `undefined` if there are none. */
export function tagRecord(tags: readonly { readonly key: string; readonly value: string }[] = []): Record<string, string> | undefined {
  return tags.length > 0 ? Object.fromEntries(tags.map(({ key, value }) => [key, value])) : undefined;
}

/** Sets the tags of a resource whose tags the tag product keeps. Only tags that differ are changed. */
export async function retagged(cloud: Cloud, kind: keyof typeof resourceKinds, id: string, desired: Tags, live: Tags): Promise<void> {
  const changed = tagList(desired).filter(({ key, value }) => live?.[key] !== value);
  const gone = Object.keys(live ?? {}).filter((key) => desired?.[key] === undefined);
  const account = await cloud.readings.remember("account", () => cloud.account());
  await cloud.call(tag.modifyResourceTags, {
    resource: resourceName({ ...resourceKinds[kind], region: cloud.region, account, id }),
    replaceTags: changed.map(({ key, value }) => ({ tagKey: key, tagValue: value })),
    deleteTags: gone.map((tagKey) => ({ tagKey })),
  });
}
