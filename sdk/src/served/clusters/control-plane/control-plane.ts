import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "./api-client.ts";
import type { Egress } from "./egress.ts";

/** The control plane of a cluster while it runs. */
export interface ControlPlane {
  readonly region: string;
  readonly account: string;
  readonly clusterId: string;
  /** The port of its API server on 127.0.0.1. Only who has one of its internal certificates is let in there. */
  readonly port: number;
  /** PEM: the authority of the API server's certificate. */
  readonly ca: string;
  /** Calls its API with an internal certificate of the group `system:masters`. */
  readonly api: ApiClient;
  /** What it connects to in the network of the cluster: kubelets, pods and services. */
  readonly egress: Egress;
  /** Is resolved once its process has ended, whatever has ended it. */
  readonly ended: Promise<void>;
}

/** What runs along with a control plane: begun before its first request is answered, disposed of before it is stopped, or after it has ended. */
export type Attachment = (controlPlane: ControlPlane) => Promise<AsyncDisposable>;

/** Aborts work that runs along with a control plane when that ends, or when this is disposed of. `done`: resolved once the work has ended. */
export function untilEnded({ ended }: ControlPlane, work: AbortController, done: () => Promise<void>): AsyncDisposable {
  void ended.then(() => {
    work.abort();
  });
  return {
    [Symbol.asyncDispose]: () => {
      work.abort();
      return done();
    },
  };
}

/** A control plane that ends, ends its connections first: for so long it may take until its end is known, in milliseconds. */
const grace = 1000;

/** Reports mistakes of what works with a control plane, but for those that its end makes. */
export function whileRunning({ ended }: Pick<ControlPlane, "ended">, report: (mistake: unknown) => void): (mistake: unknown) => void {
  return (mistake) => {
    const over = ended.then(() => true);
    void Promise.race([over, sleep(grace, false, { ref: false })]).then((isOver) => {
      if (!isOver) report(mistake);
    });
  };
}
