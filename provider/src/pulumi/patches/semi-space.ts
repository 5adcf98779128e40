import { setFlagsFromString } from "node:v8";

/**
 * V8 doubles the space of its young generation again and again. What it has grown to while the provider was loaded is enough for a
 * process that mostly waits: the next doubling would take 30 MB more.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
