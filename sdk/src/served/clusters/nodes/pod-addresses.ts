import { addressAt, addressCount, addressFamily, cidrSubnet, overlaps, parseCidr } from "../../../formats/addresses.ts";
import type { PodRange } from "./desired-nodes.ts";

/** The network and its gateway have the first two addresses of a range. */
const firstPod = 2;

/** Which pods have which addresses. Clusters that share a subnet share them. */
export class PodAddresses {
  /** The uids of pods, by the number of their address in a range. */
  readonly #taken = new Map<string, Map<number, string>>();

  /**
   * Addresses for a pod: one of the range, and with it one of IPv6 that has the same number. Pods take the last ones that are free,
   * as machines in the same subnet take the first; one that has its addresses already gets them again. `undefined` if none is free.
   */
  take(uid: string, ranges: readonly PodRange[]): string[] | undefined {
    for (const { key, cidrBlock, ipv6CidrBlock } of ranges) {
      const taken = this.#takenOf(key);
      const own = [...taken].find(([, owner]) => owner === uid)?.[0];
      const number = own ?? lastFree(taken, Number(addressCount(cidrBlock)) - 2);
      if (number === undefined) continue;
      taken.set(number, uid);
      return [addressAt(cidrBlock, number), ...(ipv6CidrBlock === undefined ? [] : [addressAt(ipv6CidrBlock, number)])];
    }
    return undefined;
  }

  /** Notes the addresses that a pod has already. */
  keep(uid: string, addresses: readonly string[], ranges: readonly PodRange[]): void {
    for (const address of addresses) {
      const number = addressFamily(address) === 4 ? parseCidr(`${address}/32`)?.first : undefined;
      if (number === undefined) continue;
      for (const { key, cidrBlock } of ranges) {
        const range = parseCidr(cidrBlock);
        if (range && range.first <= number && number <= range.last) this.#takenOf(key).set(Number(number - range.first), uid);
      }
    }
  }

  release(uid: string): void {
    for (const taken of this.#taken.values()) for (const [number, owner] of taken) if (owner === uid) taken.delete(number);
  }

  #takenOf(key: string): Map<number, string> {
    const taken = this.#taken.get(key) ?? new Map<number, string>();
    this.#taken.set(key, taken);
    return taken;
  }
}

function lastFree(taken: ReadonlyMap<number, string>, last: number): number | undefined {
  for (let number = last; number >= firstPod; number--) if (!taken.has(number)) return number;
  return undefined;
}

/** The first part of a cluster's range that is free, large enough for the addresses of a node's pods; `undefined` if there is none. */
export function freePart(clusterCidr: string, podCount: number, taken: readonly string[]): string | undefined {
  const range = parseCidr(clusterCidr);
  if (!range) return undefined;
  const prefix = 32 - Math.ceil(Math.log2(podCount));
  const others = taken.flatMap((one) => parseCidr(one) ?? []);
  for (let index = 0; prefix >= range.prefix && index < 2 ** (prefix - range.prefix); index++) {
    const part = parseCidr(cidrSubnet(range, prefix, index));
    if (part && !others.some((other) => overlaps(other, part))) return part.canonical;
  }
  return undefined;
}
