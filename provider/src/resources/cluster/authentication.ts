import * as cluster from "@container-platform/sdk/cluster";
import type { Cloud } from "@container-platform/sdk";
import type * as z from "@container-platform/sdk/zod";
import { taskError } from "@container-platform/sdk/finders/cluster";
import { ProviderError } from "../../definition/codes.ts";
import type { Step } from "../../definition/definition.ts";
import { isProps, orNone } from "../../schema/values.ts";

/** `serviceAccounts` that leave the tokens to the platform mean the same as none. */
export function platformsIfDefault(value: unknown): unknown {
  return isProps(value) && value["useServiceDefault"] === true ? undefined : value;
}

export const noOptions = { serviceAccounts: undefined, oidcConfig: undefined, issuer: undefined, jwksUri: undefined };

/** How a cluster issues and checks tokens. The platform's defaults are returned as `undefined`. */
export async function liveOptions(cloud: Cloud, clusterId: string) {
  const { serviceAccounts, oidcConfig } = await cloud.call(cluster.describeClusterAuthenticationOptions, { clusterId });
  const { useServiceDefault, issuer, jwksUri } = serviceAccounts;
  return {
    serviceAccounts: useServiceDefault === true ? undefined : { useServiceDefault, issuer, jwksUri },
    oidcConfig: orNone(oidcConfig),
    issuer,
    jwksUri,
  };
}

/** The options, as a call that changes them takes them. */
export type Options = z.input<typeof cluster.modifyClusterAuthenticationOptions.input>;

/** Sets how a cluster issues and checks tokens, and waits until the platform has applied it. */
export const settleOptions: Step<Options, unknown> = async (cloud, { clusterId, serviceAccounts, oidcConfig }, _live, wait) => {
  await cloud.call(cluster.modifyClusterAuthenticationOptions, {
    clusterId,
    serviceAccounts: serviceAccounts ?? { useServiceDefault: true },
    oidcConfig: oidcConfig ?? {},
  });
  await wait(async () => {
    const { latestOperationState: state, requestId } = await cloud.call(cluster.describeClusterAuthenticationOptions, { clusterId });
    if (state !== "Failed" && state !== "TimeOut") return state === "Updating" ? "the authentication options are Updating" : undefined;
    const reason = (await taskError(cloud, clusterId, "modify_authentication_options")) ?? "the platform gives no reason";
    throw new ProviderError(
      "Failed",
      `the authentication options ended ${state}: ${reason} (request ${requestId}). Correct serviceAccounts or oidcConfig and run \`pulumi up\` again`,
    );
  });
};
