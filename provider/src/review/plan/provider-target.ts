import { packageName } from "../../runtime/tokens.ts";
import { isProps, same } from "../../schema/values.ts";
import { type RawStep, typeOf } from "./engine-output.ts";
import { jsonIn } from "./event-log.ts";

/** Settings that do not say where resources are. Their effect on resources is a change of the resources. */
const placeless: readonly string[] = ["callsPerSecond", "defaultTags", "record", "secretKey", "token"];

/**
 * Whether the resources of a provider stay in the same target: endpoint, region, account. Pulumi gives its own dynamic provider
 * (`pulumi-nodejs`) the configuration of all packages and of the program; the keys of this package begin with its name.
 *
 * @param hasOtherDynamic whether the stack may have dynamic resources of another package, whose target a key of that package may be
 */
export function keepsTarget({ urn, oldState, newState }: RawStep, hasOtherDynamic: boolean): boolean {
  const states = [oldState?.inputs ?? {}, newState?.inputs ?? {}];
  const isDynamic = typeOf(urn) === "pulumi:providers:pulumi-nodejs";
  const isOwn = /::default(?:_|$)/.test(urn) ? !hasOtherDynamic : states.every((inputs) => `${packageName}:provider` in inputs);
  if (isDynamic ? !isOwn : typeOf(urn) !== `pulumi:providers:${packageName}`) return false;
  const [before, after] = states.map((inputs) => targetOf(isDynamic ? settingsIn(inputs) : inputs));
  return same(before, after);
}

/** The settings of this package in the inputs of a dynamic provider, without the namespace. */
function settingsIn(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const prefix = `${packageName}:`;
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])),
  );
}

/** The settings that decide about the target. `provider` lists those that the program gives: they win over the environment. */
function targetOf(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { provider, ...others } = settings;
  const deciding = Object.entries(others).filter(([key]) => !placeless.includes(key));
  const own = typeof provider === "string" ? jsonIn(provider) : undefined;
  const given = isProps(own) && Array.isArray(own["given"]) ? own["given"].filter((name) => !placeless.includes(String(name))) : provider;
  return { ...Object.fromEntries(deciding), provider: given };
}
