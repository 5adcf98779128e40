import { addressFamily, contains } from "../../formats/addresses.ts";
import type { Policy } from "./policy-rules.ts";
import type { SecurityGroupRow } from "./security-groups.ts";

/** Whether a security group lets a client connect to a TCP port. The first matching rule decides; without one it does not. */
export function allowsTcp({ ingress }: Pick<SecurityGroupRow, "ingress">, port: number, clientIp: string): boolean {
  return ingress.find((rule) => matches(rule, port, clientIp))?.action === "ACCEPT";
}

function matches({ protocol, port: ports, cidrBlock, ipv6CidrBlock }: Policy, port: number, clientIp: string): boolean {
  const range = addressFamily(clientIp) === 6 ? ipv6CidrBlock : cidrBlock;
  if (range === undefined || !isWithin(range, clientIp)) return false;
  return protocol === "ALL" || (protocol === "TCP" && (ports === "ALL" || ports.split(",").some((part) => hasPort(part, port))));
}

function hasPort(part: string, port: number): boolean {
  const [from = "", to = from] = part.split("-");
  return Number(from) <= port && port <= Number(to);
}

/** Whether an address is in a range; the range may be a single address. */
export function isWithin(range: string, address: string): boolean {
  return contains(whole(range), whole(address));
}

function whole(text: string): string {
  return text.includes("/") ? text : `${text}/${addressFamily(text) === 6 ? 128 : 32}`;
}
