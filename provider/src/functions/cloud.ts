import type { Cloud } from "@container-platform/sdk";
import { Config } from "@pulumi/pulumi";
import { configurationFrom, namespace, openConnection } from "../runtime/configuration.ts";

const opened = new Map<string, Promise<Cloud>>();

/**
 * The client with which the functions of this folder read the platform while a program runs. It is configured as the resources are: by
 * environment variables, the stack's configuration, or a profile. There is one for each configuration, because programs of several
 * stacks may run in one process. A refusal of the platform is a `PlatformError`.
 */
export async function connected(): Promise<Cloud> {
  const config = new Config(namespace);
  const configuration = await configurationFrom((key) => config.get(key));
  const key = JSON.stringify(configuration);
  const known = opened.get(key) ?? openConnection(configuration).then(({ cloud }) => cloud);
  opened.set(key, known);
  return known;
}
