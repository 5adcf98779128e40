import { setFlagsFromString } from "node:v8";

/**
 * V8 doubles the space of its young generation again and again. Its size after the provider is loaded is enough for a process that
 * mostly waits: the next doubling would take 30 MB more. This stops the growth.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
