import type { Home } from "./private-state.ts";

/** @throws if a resource lives at another endpoint, or in another region or account, than this run works in */
export function refuseOtherHome(type: string, here: Home, home: Home | undefined): void {
  if (!home) return;
  for (const part of ["endpoint", "region", "account"] as const) {
    // Not every endpoint can say which account it works in.
    if (home[part] === here[part] || (part === "account" && (home.account === "" || here.account === ""))) continue;
    // Refresh and destroy use the configuration of the last `up`. So the remedy is another `up`.
    const remedy = part === "account" ? "use that account's keys" : `set container-platform:${part} back and run \`pulumi up\``;
    throw new Error(`this ${type} lives in ${part} ${home[part]}, but this run works in ${here[part]}: ${remedy}, or use another stack`);
  }
}
