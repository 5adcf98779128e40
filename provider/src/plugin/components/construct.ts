import type { ComponentResourceOptions, Resource } from "@pulumi/pulumi";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import server from "@pulumi/pulumi/provider/server.js";
import config from "@pulumi/pulumi/runtime/config.js";
import rpc from "@pulumi/pulumi/runtime/rpc.js";
import settings from "@pulumi/pulumi/runtime/settings.js";
import states from "@pulumi/pulumi/runtime/state.js";
import { inputError, ProviderError, refusal } from "../../definition/codes.ts";
import { Network, type NetworkArgs, networkSchema } from "../../components/network.ts";
import { Platform } from "../../components/platform.ts";
import { type PlatformArgs, platformSchema } from "../../components/platform-args.ts";
import { nativeToken } from "../../runtime/tokens.ts";
import { isProps, type Props } from "../../schema/values.ts";
import type { Constructed, Surroundings } from "../construct-requests.ts";
import { underWay } from "./child-class.ts";
import { argumentsOf } from "./inputs.ts";
import { optionsOf } from "./options.ts";
import { networkOutputs, platformOutputs } from "./outputs.ts";
import { readThrough } from "./reach.ts";
import { withRolesInOrder } from "./roles.ts";

/** The networks of this run, by URN: platforms may share them. */
const networks = new Map<string, Network<string>>();

const makers = {
  Network: {
    schema: networkSchema,
    make: (name: string, args: Props, opts: ComponentResourceOptions) => {
      const network = new Network<string>(name, typed(withRolesInOrder(args)), opts);
      return { component: network, outputs: { ...networkOutputs(network) } };
    },
  },
  Platform: {
    schema: platformSchema,
    make: (name: string, args: Props, opts: ComponentResourceOptions) => {
      const platform = new Platform<string, string>(name, typed(withNetwork(args)), opts);
      return { component: platform, outputs: { ...platformOutputs(platform) } };
    },
  },
};

/** Components find out themselves what is wrong with their arguments, as a program in JavaScript may give anything. */
function typed(args: Props): NetworkArgs & PlatformArgs {
  const isTyped = (given: object): given is NetworkArgs & PlatformArgs => isProps(given);
  if (isTyped(args)) return args;
  throw new TypeError("the arguments of a component are an object");
}

/** Makes a component as its program would, in the run that the request tells. Each has a runtime of Pulumi's of its own. */
export function construct(request: ConstructRequest, around: Surroundings): Promise<Constructed> {
  return underWay.run(around.progress, () => states.withLocalStorage(() => made(request, around)));
}

async function made(request: ConstructRequest, around: Surroundings): Promise<Constructed> {
  await settle(request, around.engine);
  readThrough(around.connect);
  const [token, name] = [request.getType(), request.getName()];
  const maker = Object.entries(makers).find(([type]) => nativeToken(type) === token)?.[1];
  if (!maker)
    throw new ProviderError(
      "WrongVersion",
      `this version of the plugin has no component ${token}; it has ${Object.keys(makers).join(", ")}: install the version that the program was written for`,
    );
  const inputs = await server.deserializeInputs(request.getInputs(), request.getInputdependenciesMap());
  const args = await argumentsOf(maker.schema, inputs);
  const { component, outputs } = maker.make(name, args, optionsOf(request, around.provider));
  const urn = await urnOf(component);
  if (component instanceof Network) networks.set(urn, component);
  const [state, sources] = await rpc.serializeResourceProperties(`construct(${token}, ${name})`, outputs);
  const dependencies = await Promise.all([...sources].map(async ([key, all]) => [key, await Promise.all(Array.from(all, urnOf))] as const));
  around.progress.component = { urn, state, dependencies: new Map(dependencies) };
  await settings.waitForRPCs();
  return around.progress.component;
}

/** Sets Pulumi's runtime up as the engine would for a program. */
async function settle(request: ConstructRequest, engine: string): Promise<void> {
  const monitor = request.getMonitorendpoint();
  const [project, stack, organization] = [request.getProject(), request.getStack(), request.getOrganization()];
  settings.resetOptions(project, stack, request.getParallel(), engine, monitor, request.getDryrun(), organization);
  await settings.awaitFeatureSupport();
  config.setAllConfig(Object.fromEntries(request.getConfigMap().getEntryList()), request.getConfigsecretkeysList());
}

/** In other languages than TypeScript, a network that is there already has another name than the arguments of one. */
function withNetwork({ sharedNetwork, ...args }: Props): Props {
  const own = args["network"];
  if (sharedNetwork === undefined) return isProps(own) ? { ...args, network: withRolesInOrder(own, "network.") } : args;
  if (own !== undefined) throw refusal([inputError("sharedNetwork", "cannot be given with network: a platform has one network")]);
  const network = typeof sharedNetwork === "string" ? networks.get(sharedNetwork) : undefined;
  if (!network) throw refusal([inputError("sharedNetwork", "takes a Network of the same program and the same provider")]);
  return { ...args, network };
}

async function urnOf(resource: Resource): Promise<string> {
  const { urn }: Props = await rpc.serializeProperties("urn", { urn: resource.urn });
  return String(urn);
}
