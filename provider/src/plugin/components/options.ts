import type { Alias, ComponentResourceOptions, CustomTimeouts } from "@pulumi/pulumi";
import type { Alias as AliasMessage } from "@pulumi/pulumi/proto/alias_pb.js";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import resources from "@pulumi/pulumi/resource.js";
import resourceRuntime from "@pulumi/pulumi/runtime/resource.js";
import rpc from "@pulumi/pulumi/runtime/rpc.js";
import { packageName } from "../../runtime/tokens.ts";

const { DependencyProviderResource, DependencyResource, rootStackResource } = resources;

/**
 * The options of a component, as Pulumi's own server of providers has them.
 *
 * @param own this provider, as the engine refers to it. Children are of the provider that makes the component, if the program names no other.
 */
export function optionsOf(request: ConstructRequest, own: string): ComponentResourceOptions {
  const of = (urn: string) => new DependencyResource(urn);
  const providers = new Map([[packageName, own], ...request.getProvidersMap().getEntryList()]);
  const hooks = resourceRuntime.hookBindingFromProto(request.getResourceHooks());
  const trigger = request.getReplacementTrigger()?.toJavaScript();
  const replacementTrigger: unknown = trigger === undefined ? undefined : rpc.deserializeProperty(trigger, true);
  return {
    ...set("parent", request.getParent(), of),
    ...set("deletedWith", request.getDeletedwith(), of),
    ...(request.hasProtect() ? { protect: request.getProtect() === true } : {}),
    ...(request.hasRetainondelete() ? { retainOnDelete: request.getRetainondelete() === true } : {}),
    ...(hooks ? { hooks } : {}),
    ...(replacementTrigger === undefined ? {} : { replacementTrigger }),
    aliases: request.getAliasesList().map(aliasOf),
    dependsOn: request.getDependenciesList().map(of),
    replaceWith: request.getReplaceWithList().map(of),
    providers: Object.fromEntries([...providers].map(([name, reference]) => [name, new DependencyProviderResource(reference)])),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    customTimeouts: timeoutsOf(request),
  };
}

function set<Key extends string, Value>(key: Key, given: string, made: (given: string) => Value): Partial<Record<Key, Value>>;
function set(key: string, given: string, made: (given: string) => unknown): Readonly<Record<string, unknown>> {
  return given === "" ? {} : { [key]: made(given) };
}

function timeoutsOf(request: ConstructRequest): CustomTimeouts {
  const given = Object.entries(request.getCustomtimeouts()?.toObject() ?? {});
  return Object.fromEntries(given.filter(([, time]) => time !== ""));
}

function aliasOf(message: AliasMessage): string | Alias {
  const spec = message.getSpec();
  if (!spec) return message.getUrn();
  return {
    ...set("name", spec.getName(), String),
    ...set("type", spec.getType(), String),
    ...set("project", spec.getProject(), String),
    ...set("stack", spec.getStack(), String),
    ...set("parent", spec.getParenturn(), String),
    ...(spec.getNoparent() ? { parent: rootStackResource } : {}),
  };
}
