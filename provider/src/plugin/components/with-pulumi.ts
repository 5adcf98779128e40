import errors from "@pulumi/pulumi/errors.js";
import log from "@pulumi/pulumi/log/index.js";
import outputs from "@pulumi/pulumi/output.js";
import resources from "@pulumi/pulumi/resource.js";

// In the plugin, this takes the place of Pulumi's SDK for what makes components: the parts of it that components are written with. The rest
// is for whole programs, and several times as large.

export const { RunError, ResourceError } = errors;
export const { all, isSecret, Output, output, secret } = outputs;
export const { ComponentResource, createUrn, CustomResource, ProviderResource, Resource, rootStackResource } = resources;
export { log };
