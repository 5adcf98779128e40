import { attachResourcesTag, getResources, modifyResourceTags } from "../../catalogue/tag.ts";
import { callRegion, type Difference, differs } from "../rule.ts";

/** A resource's name. */
const resource = { prefix: ["cp::", "qcs::"] } as const;

const ten = { most: 10 } as const;

export const tagDifferences: readonly Difference[] = [
  differs(modifyResourceTags, { request: { resource, replaceTags: ten, deleteTags: ten } }),
  differs(getResources, {
    request: { resourceList: { ...resource, ...ten } },
    answer: { resourceTagMappingList: { fields: { resource } } },
  }),
  differs(attachResourcesTag, { request: { resourceRegion: { usual: callRegion } } }),
];
