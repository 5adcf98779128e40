import { z } from "zod";
import { operations } from "../operation/operation.ts";
import { taggingErrors } from "./shared.ts";

const operation = operations("tag", "2018-08-13");

const resource = z.string().describe("Name of the resource in six segments, `cp::<service>:<region>:uin/<account>:<type>/<id>`.");
const tagKey = z.string().describe("Key of the tag, 1 to 127 characters.");
const tagValue = z.string().describe("Value of the tag, at most 255 characters.");

export const modifyResourceTags = operation("ModifyResourceTags", () => ({
  summary: "Adds, changes and removes tags of a resource; its other tags remain unchanged.",
  input: {
    resource,
    replaceTags: z.array(z.object({ tagKey, tagValue })).optional().describe("Tags to add or change. A resource has 50 at most."),
    deleteTags: z.array(z.object({ tagKey })).optional().describe("Keys of the tags to remove; they must not be in `ReplaceTags`."),
  },
  errors: [
    "ResourceNotFound",
    "InvalidParameterValue.ResourceDescriptionError",
    "InvalidParameterValue.DeleteTagsParamError",
    ...taggingErrors,
  ],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const attachResourcesTag = operation("AttachResourcesTag", () => ({
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
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const getResources = operation("GetResources", () => ({
  summary: "Lists the tags of resources: of those given by name, or of all resources of the region that have tags.",
  input: {
    resourceList: z.array(resource).optional().describe("Names of resources, at most 50; all resources with tags unless given."),
    tagFilters: z
      .array(
        z.object({ tagKey, tagValue: z.array(tagValue).optional().describe("Values, any of which may match; any value unless given.") }),
      )
      .optional()
      .describe("Tags that a resource must have, all of them."),
    paginationToken: z.string().optional().describe("Token of the next page, from the response with the previous page."),
    maxResults: z.int().optional().describe("The most resources to return, 1 to 200; 50 unless given."),
  },
  output: {
    paginationToken: z.string().describe("Token of the next page; empty with the last page."),
    resourceTagMappingList: z
      .array(z.object({ resource, tags: z.array(z.object({ tagKey, tagValue })).describe("Its tags.") }))
      .describe("The resources and their tags."),
  },
  errors: ["InvalidParameterValue.ResourceDescriptionError", "InvalidParameterValue.LimitExceeded", "InvalidParameterValue.Range"],
  effect: "read",
  pages: { by: "token", items: "resourceTagMappingList", token: "paginationToken" },
  source: "public-api",
}));
