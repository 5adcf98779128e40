import { listed, localFile, localRegions } from "@container-platform/sdk";
import type { Home } from "../schema/private-state.ts";

/** Where it works, as far as the environment may say it. */
export type Part = "endpoint" | "region";

/** Where a run works. */
export interface Here {
  readonly home: Home;
  /** The name of the `Provider`; `undefined` for the stack's own. */
  readonly provider: string | undefined;
  /** What the environment says, and so wins over the stack's configuration. */
  readonly fromEnvironment: readonly Part[];
}

/** @throws if a resource lives at another endpoint, or in another region or account, than this run works in */
export function refuseOtherHome(type: string, { home: here, provider, fromEnvironment }: Here, home: Home | undefined): void {
  if (!home) return;
  for (const part of ["endpoint", "region", "account"] as const) {
    // Not every endpoint can say which account it works in.
    if (home[part] === here[part] || (part === "account" && (home.account === "" || here.account === ""))) continue;
    const at = part === "endpoint" ? "at the endpoint" : `in ${part}`;
    const worker = provider === undefined ? "this run" : `its Provider "${provider}"`;
    const differs = `this ${type} lives ${at} ${home[part]}, but ${worker} works ${part === "endpoint" ? "at" : "in"} ${here[part]}`;
    const stray = part === "region" ? strayRegion(here) : "";
    throw new Error(`${differs}${stray}: ${remedyOf(part, { provider, fromEnvironment }, home)}`);
  }
}

/** What a platform in a file can say of a region without a call. */
function strayRegion({ endpoint, region }: Home): string {
  const all: readonly string[] = localRegions;
  if (localFile(endpoint) === undefined || all.includes(region)) return "";
  return `, and there is no such region (there are ${listed(all)})`;
}

function remedyOf(part: keyof Home, { provider, fromEnvironment }: Omit<Here, "home">, home: Home): string {
  if (part !== "account" && fromEnvironment.includes(part))
    return `that is from CONTAINER_PLATFORM_${part.toUpperCase()}: unset it, or use another stack`;
  return provider === undefined ? remedyOfStack(part) : remedyOfProvider(part, home[part]);
}

/** Refresh and destroy use the configuration of the last `up`. So the remedy is another `up`. */
function remedyOfStack(part: keyof Home): string {
  const back = part === "account" ? "use that account's keys" : `set container-platform:${part} back and run \`pulumi up\``;
  return `${back}, or use another stack`;
}

/** The state has the arguments that the program gave last, also of a Provider that is out of it. */
function remedyOfProvider(part: keyof Home, was: string): string {
  if (part === "account") return "use that account's keys";
  // The stack's is taken where the Provider is given none.
  const stack = part === "endpoint" ? ", or set container-platform:endpoint back," : "";
  return `give the Provider ${part} "${was}" in the program${stack} and run \`pulumi up\`. What is no longer in the program is put back for that, together with the Provider, and taken out afterwards`;
}
