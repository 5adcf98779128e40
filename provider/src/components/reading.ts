import type { Cloud } from "@container-platform/sdk";
import { type ComponentResource, Config, type Output, output } from "@pulumi/pulumi";
import { lacking, namespace } from "../runtime/configuration.ts";
import { connected, settingsFor } from "../functions/cloud.ts";
import { withoutTrace } from "../functions/uncaught.ts";

/** What the stack lacks to reach a platform: a component says it, before each of its children does. */
export function lackingFor(component: ComponentResource): readonly string[] {
  if (settingsFor({ parent: component })) return [];
  const stack = new Config(namespace);
  return lacking((key) => stack.get(key));
}

/**
 * What a component reads from the platform while the program runs: through the provider that it was given, else as the stack is
 * configured. Unknown in a preview if the provider is made of what is not known yet.
 */
export function reading<T>(component: ComponentResource, read: (cloud: Cloud) => Promise<T>): Output<T> {
  const settings = settingsFor({ parent: component });
  return output(settings).apply(() =>
    connected("a component", settings)
      .then(read)
      .catch((error: unknown) => {
        throw withoutTrace(error);
      }),
  );
}
