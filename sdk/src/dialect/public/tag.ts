import { attachResourcesTag, getResources, modifyResourceTags } from "../../catalogue/tag.ts";
import { callRegion, type Difference, differs } from "../rule.ts";

/** A resource's name. */
const resource = { prefix: ["cp::", "qcs::"] } as const;

export const tagDifferences: readonly Difference[] = [
  differs(modifyResourceTags, { request: { resource } }),
  differs(getResources, { request: { resourceList: resource }, answer: { resourceTagMappingList: { fields: { resource } } } }),
  differs(attachResourcesTag, { request: { resourceRegion: { usual: callRegion } } }),
];
