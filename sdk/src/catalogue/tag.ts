import { z } from "zod";
import { objects, operations } from "../operation/operation.ts";
import { taggingErrors } from "./shared.ts";

const { publicApiOperation } = operations("tag", "2018-08-13");

const resource = z.string().describe("Name of the resource in six segments, `cp::<service>:<region>:uin/<account>:<type>/<id>`.");
const tagKey = z.string().describe("Key of the tag, 1 to 127 characters.");
const tagValue = z.string().describe("Value of the tag, at most 255 characters.");

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
    serviceType: z.string().describe("Service of the resources, as in their names: `vpc`, `cvm`, `tcr`."),
    resourcePrefix: z.string().describe("Type of the resources, as in their names, such as `subnet`."),
    resourceIds: z.array(z.string()).describe("IDs of the resources, at most 50."),
    tagKey,
    tagValue,
    resourceRegion: z.string().optional().describe("Region of the resources; that of the call unless given."),
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
    paginationToken: z.string().optional().describe("Token of the next page, from the response with the previous page."),
    maxResults: z.int().optional().describe("The most resources to return, 1 to 200; 50 unless given."),
  },
  output: {
    paginationToken: z.string().describe("Token of the next page; empty with the last page."),
    resourceTagMappingList: objects("The resources and their tags.", { resource, tags: objects("Its tags.", { tagKey, tagValue }) }),
  },
  errors: ["InvalidParameterValue.ResourceDescriptionError", "InvalidParameterValue.LimitExceeded", "InvalidParameterValue.Range"],
  pages: { by: "token", items: "resourceTagMappingList", token: "paginationToken" },
}));
