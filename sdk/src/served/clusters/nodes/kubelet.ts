import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:https";
import { serverInCluster } from "../control-plane/egress.ts";

/** The port that nodes tell for their kubelets. */
export const kubeletPort = 10_250;

const noLogs =
  "there are no logs: pods of a local platform are stand-ins in which nothing runs. What they wait for is real: kubectl describe pod tells it";
const noCommands = "nothing runs in the pods of a local platform, which are stand-ins: there is no command to run, and no port to reach";

/** Why a request would reach into a pod, where nothing runs; `undefined` for all others. Its client would be told no reason by a kubelet. */
export function intoPod(url: string): string | undefined {
  return /^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+\/(exec|attach|portforward)(\?|$)/.test(url) ? noCommands : undefined;
}

/** The kubelets of a cluster, as far as an API server asks them: they have no logs of pods. */
export function kubeletServer(): Promise<Server> {
  return serverInCluster("kubelet", answer);
}

/** Of the refusals of a kubelet, Kubernetes passes on the sentence of a 403 alone. */
function answer({ url = "" }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(403, { "content-type": "text/plain", connection: "close" });
  response.end(url.startsWith("/containerLogs/") ? noLogs : noCommands);
}
