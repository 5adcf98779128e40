import { randomUUID } from "node:crypto";
import type { ApiClient } from "../../control-plane/api-client.ts";
import { change } from "../api/changes.ts";
import { type PodObject, timestamp } from "../api/objects.ts";

interface NewEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** Writes an event of a pod, as a kubelet does. */
export async function tellEvent(api: ApiClient, pod: PodObject, { type, reason, message }: NewEvent): Promise<void> {
  const { name, namespace, uid } = pod.metadata;
  const at = timestamp();
  const body = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${randomUUID().slice(0, 13)}`, namespace },
    involvedObject: { apiVersion: "v1", kind: "Pod", name, namespace, uid },
    type,
    reason,
    message,
    source: { component: "kubelet", host: pod.spec.nodeName },
    reportingComponent: "kubelet",
    reportingInstance: pod.spec.nodeName,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
  await change(api, "POST", `/api/v1/namespaces/${namespace}/events`, { body });
}
