import { z } from "zod";
import { int, objects, operations, string, strings } from "../operation/operation.ts";
import { taggingErrors } from "./shared.ts";

const { publicApiOperation } = operations("tag", "2018-08-13");

const resource = string("Name of the resource in six segments, `cp::<service>:<region>:uin/<account>:<type>/<id>`.");
const tagKey = string("Key of the tag, 1 to 127 characters.");
const tagValue = string("Value of the tag, at most 255 characters.");

export const modifyResourceTags = publicApiOperation("ModifyResourceTags", () => ({
  summary: "Adds, changes and removes tags of a resource; its other tags remain unchanged.",
  input: {
    resource,
    replaceTags: objects("Tags to add or change. A resource has 50 at most.", { tagKey, tagValue }).optional(),
    deleteTags: objects("Keys of the tags to remove; they must not be in `ReplaceTags`.", { tagKey }).optional(),
  },
  errors: [
    "ResourceNotFound",
    "InvalidParameterValue.ResourceDescriptionError",
    "InvalidParameterValue.DeleteTagsParamError",
    ...taggingErrors,
  ],
  repeatable: true,
}));

export const attachResourcesTag = publicApiOperation("AttachResourcesTag", () => ({
  summary: "Adds a tag to several resources of one type; if the key exists already, its value is changed.",
  input: {
    serviceType: string("Service of the resources, as in their names: `vpc`, `cvm`, `tcr`."),
    resourcePrefix: string("Type of the resources, as in their names, such as `subnet`."),
    resourceIds: strings("IDs of the resources, at most 50."),
    tagKey,
    tagValue,
    resourceRegion: string("Region of the resources; that of the call unless given.").optional(),
  },
  errors: ["ResourceNotFound", "InvalidParameterValue.ResourceDescriptionError", "InvalidParameterValue.LimitExceeded", ...taggingErrors],
  repeatable: true,
}));

export const getResources = publicApiOperation("GetResources", () => ({
  summary: "Lists the tags of resources: of those given by name, or of all resources of the region that have tags.",
  input: {
    resourceList: z.array(resource).optional().describe("Names of resources, at most 50; all resources with tags unless given."),
    tagFilters: objects("Tags that a resource must have, all of them.", {
      tagKey,
      tagValue: z.array(tagValue).optional().describe("Values, any of which may match; any value unless given."),
    }).optional(),
    paginationToken: string("Token of the next page, from the response with the previous page.").optional(),
    maxResults: int("The most resources to return, 1 to 200; 50 unless given.").optional(),
  },
  output: {
    paginationToken: string("Token of the next page; empty with the last page."),
    resourceTagMappingList: objects("The resources and their tags.", { resource, tags: objects("Its tags.", { tagKey, tagValue }) }),
  },
  errors: ["InvalidParameterValue.ResourceDescriptionError", "InvalidParameterValue.LimitExceeded", "InvalidParameterValue.Range"],
  pages: { by: "token", items: "resourceTagMappingList", token: "paginationToken" },
}));
