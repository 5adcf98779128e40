import type { Home } from "./private-state.ts";

/** Where a run works. */
export interface Here {
  readonly home: Home;
  /** The name of the `Provider`; `undefined` for the stack's own. */
  readonly provider: string | undefined;
}

/** @throws if a resource lives at another endpoint, or in another region or account, than this run works in */
export function refuseOtherHome(type: string, { home: here, provider }: Here, home: Home | undefined): void {
  if (!home) return;
  for (const part of ["endpoint", "region", "account"] as const) {
    // Not every endpoint can say which account it works in.
    if (home[part] === here[part] || (part === "account" && (home.account === "" || here.account === ""))) continue;
    const worker = provider === undefined ? "this run" : `its Provider "${provider}"`;
    const remedy = provider === undefined ? remedyOfStack(part) : remedyOfProvider(part, home[part]);
    throw new Error(`this ${type} lives in ${part} ${home[part]}, but ${worker} works in ${here[part]}: ${remedy}`);
  }
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
