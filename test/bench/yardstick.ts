import { execFileSync } from "node:child_process";

/** What Node needs to do nothing, in milliseconds, on the machine for which the goals in milliseconds were set. */
const thereOnNothing = 40;

/** Goals in milliseconds hold where `node -e 0` takes 40: on another machine, everything takes longer or shorter as that does. */
export const there = "in ms where node -e 0 takes 40";

/** Milliseconds of the machine of the goals, from those that were measured beside `node -e 0`, which took so many here. */
export function thereOf(measured: number, nothing: number): number {
  return (measured / nothing) * thereOnNothing;
}

/** Milliseconds that a program of Node takes from its start to its end. */
export function timeOfNode(args: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  const begun = performance.now();
  execFileSync(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  return performance.now() - begun;
}

/** Milliseconds of processor time that Node needs to do nothing. */
export function workOfNothing(): number {
  const print = "const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)";
  return Number(execFileSync(process.execPath, ["-e", print], { encoding: "utf8" }));
}
