import { listed, localFile, localRegions } from "@container-platform/sdk";
import { ProviderError } from "../definition/codes.ts";
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

/** @throws Error if a resource was created at another endpoint, or in another region or account */
export function refuseOtherHome(type: string, { home: here, provider, fromEnvironment }: Here, home: Home | undefined): void {
  if (!home) return;
  for (const part of ["endpoint", "region", "account"] as const) {
    // Not every endpoint can say which account it works in.
    if (home[part] === here[part] || (part === "account" && (home.account === "" || here.account === ""))) continue;
    const user = provider === undefined ? "this update" : `its Provider "${provider}"`;
    const isSet = part !== "account" && fromEnvironment.includes(part);
    const uses = `this ${type} was created in ${part} ${home[part]}, but ${user} uses ${here[part]}${part === "region" ? strayRegion(here) : ""}`;
    throw new ProviderError("WrongTarget", `${uses}: ${remedyOf(part, isSet, provider, home[part])}`);
  }
}

/** The remark that the emulator does not have a region, which takes no call. */
function strayRegion({ endpoint, region }: Home): string {
  const all: readonly string[] = localRegions;
  if (localFile(endpoint) === undefined || all.includes(region)) return "";
  return `, which is not one of its regions (${listed(all)})`;
}

/** Refresh and destroy use the configuration of the last `up`, also of a Provider that the program does not have any more. So the remedy is an `up`. */
function remedyOf(part: keyof Home, isSet: boolean, provider: string | undefined, was: string): string {
  if (isSet) return `that is from CONTAINER_PLATFORM_${part.toUpperCase()}: unset it, or use another stack`;
  if (part === "account") return `use that account's keys${provider === undefined ? ", or use another stack" : ""}`;
  if (provider === undefined) return `set container-platform:${part} back and run \`pulumi up\`, or use another stack`;
  // A Provider without an endpoint uses that of the stack.
  const stack = part === "endpoint" ? ", or set container-platform:endpoint back," : "";
  return `set ${part}: "${was}" on the Provider${stack} and run \`pulumi up\`. If the resource is no longer in the program, put it and its Provider back, run \`pulumi up\`, then remove them`;
}
