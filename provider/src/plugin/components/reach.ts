import type { Cloud } from "@container-platform/sdk";
import { type ComponentResource, type Output, output } from "@pulumi/pulumi";
import { withoutTrace } from "../../functions/uncaught.ts";

// In the plugin, this takes the place of `components/reading.ts`: components read through the provider that makes them.

let connect: (() => Promise<Cloud>) | undefined;

/** Has components read through the provider of this process. */
export function readThrough(provider: () => Promise<Cloud>): void {
  connect = provider;
}

/** What the provider lacks, each child says. */
export function lackingFor(): readonly string[] {
  return [];
}

/** What a component reads from the platform. */
export function reading<T>(_component: ComponentResource, read: (cloud: Cloud) => Promise<T>): Output<T> {
  return output(undefined).apply(async () => {
    if (!connect) throw new TypeError("components need a provider that is configured");
    try {
      return await read(await connect());
    } catch (error) {
      throw withoutTrace(error);
    }
  });
}
