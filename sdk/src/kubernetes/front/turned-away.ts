/** Tells why clients are not let in: they hear nothing, as their connection just ends. Each reason is told once, until somebody is let in. */
export class TurnedAway {
  readonly #told: (line: string) => void;
  /** What was told last, by cluster and place. */
  readonly #reasons = new Map<string, string>();

  constructor(told: (line: string) => void) {
    this.#told = told;
  }

  /** @param clusterId that of the cluster that the client has named, if it has */
  tell(clusterId: string | undefined, vpcId: string | undefined, reason: string): void {
    const key = keyOf(clusterId, vpcId);
    if (this.#reasons.get(key) === reason) return;
    this.#reasons.set(key, reason);
    const which = clusterId === undefined ? "clusters" : `cluster ${clusterId}`;
    this.#told(`${which}: a client from ${vpcId ?? "the internet"} was not let in: ${reason}`);
  }

  /** Somebody was let in. */
  forget(clusterId: string, vpcId: string | undefined): void {
    this.#reasons.delete(keyOf(clusterId, vpcId));
  }
}

function keyOf(...parts: readonly (string | undefined)[]): string {
  return parts.join("/");
}
