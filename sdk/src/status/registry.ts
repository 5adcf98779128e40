import { describeInstanceStatus, type ExternalEndpointState, type RegistryStatus } from "../catalogue/registry.ts";
import type { Cloud } from "../client/client.ts";
import type { registryFinder } from "../finders/registry.ts";
import type { Status } from "./readiness.ts";

type Registry = NonNullable<Awaited<ReturnType<typeof registryFinder.find>>>;

/** The status of a registry that was found. Asks for the reason if it does not run. */
export async function registryStatus(cloud: Cloud, { registryId, status: state, requestId }: Registry): Promise<Status<RegistryStatus>> {
  if (state === "Running") return { state, requestId };
  const answer = await cloud.call(describeInstanceStatus, { registryIds: [registryId] });
  const reason = answer.registryStatusSet[0]?.conditions.map((condition) => condition.reason).find((text) => text !== "");
  return { state, requestId: answer.requestId, reason };
}

/** The status of a registry's public endpoint, from the platform's answer. */
export function registryEndpointStatus({
  status: state,
  reason,
  requestId,
}: {
  readonly status: ExternalEndpointState;
  readonly reason: string | undefined;
  readonly requestId: string;
}): Status<ExternalEndpointState> {
  return { state, reason, requestId };
}
