import { addressFamily, contains } from "../../formats/addresses.ts";
import type { Policy } from "./policy-rules.ts";
import type { SecurityGroupRow } from "./security-groups.ts";

/** Whether a group lets a client in to a TCP port: the first rule that is about it decides. Without one it is kept out. */
export function letsIn({ ingress }: Pick<SecurityGroupRow, "ingress">, port: number, clientIp: string): boolean {
  return ingress.find((rule) => isAbout(rule, port, clientIp))?.action === "ACCEPT";
}

function isAbout({ protocol, port: ports, cidrBlock, ipv6CidrBlock }: Policy, port: number, clientIp: string): boolean {
  const range = addressFamily(clientIp) === 6 ? ipv6CidrBlock : cidrBlock;
  if (range === undefined || !isWithin(range, clientIp)) return false;
  return protocol === "ALL" || (protocol === "TCP" && (ports === "ALL" || ports.split(",").some((part) => hasPort(part, port))));
}

function hasPort(part: string, port: number): boolean {
  const [from = "", to = from] = part.split("-");
  return Number(from) <= port && port <= Number(to);
}

/** Whether an address is in a range, or the same as an address. */
export function isWithin(range: string, address: string): boolean {
  return contains(whole(range), whole(address));
}

function whole(text: string): string {
  return text.includes("/") ? text : `${text}/${addressFamily(text) === 6 ? 128 : 32}`;
}
