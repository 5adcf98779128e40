import { Unknown } from "../../plan/values.ts";
import type { Case } from "./case.fixture.ts";

const unknown = new Unknown();
const accept = { protocol: "TCP", action: "ACCEPT" };

/** Inputs with which each rule holds, is broken, and cannot be decided. */
export const networkCases: Readonly<Record<string, Case>> = {
  "CP-NET-001": {
    passes: {
      ingress: [
        { ...accept, port: "443", cidrBlock: "0.0.0.0/0" },
        { ...accept, protocol: "ALL", cidrBlock: "10.0.0.0/8" },
      ],
    },
    fails: {
      ingress: [
        { ...accept, port: "443", cidrBlock: "10.0.0.0/8" },
        { ...accept, protocol: "ALL", ipv6CidrBlock: "::/0" },
      ],
    },
    at: "ingress[1]",
    open: { ingress: [{ ...accept, protocol: "ALL", cidrBlock: unknown }] },
    lacks: "ingress[0].cidrBlock",
  },
  "CP-NET-002": {
    passes: {
      ingress: [
        { ...accept, action: "DROP", port: "22", cidrBlock: "0.0.0.0/0" },
        { ...accept, port: "20-80", cidrBlock: "0.0.0.0/0" },
      ],
    },
    fails: {
      ingress: [
        { ...accept, port: "20-80", cidrBlock: "0.0.0.0/0" },
        { ...accept, action: "DROP", port: "22", cidrBlock: "0.0.0.0/0" },
      ],
    },
    at: "ingress[0]",
    open: { ingress: [{ ...accept, port: unknown, cidrBlock: "0.0.0.0/0" }] },
    lacks: "ingress[0].port",
  },
  "CP-NET-003": {
    passes: { ingress: [{ ...accept, port: "3389", cidrBlock: "203.0.113.0/24" }] },
    fails: { ingress: [{ ...accept, protocol: "udp", port: "443,3389", cidrBlock: "0.0.0.0/0" }] },
    at: "ingress[0]",
    open: { ingress: unknown },
    lacks: "ingress",
  },
  "CP-NET-004": {
    passes: { ingress: [{ ...accept, port: "443", cidrBlock: "0.0.0.0/0" }] },
    fails: { ingress: [{ ...accept, port: "80,443", ipv6CidrBlock: "::/0" }] },
    at: "ingress[0]",
    open: { ingress: [{ ...accept, protocol: unknown, port: "80", cidrBlock: "0.0.0.0/0" }] },
    lacks: "ingress[0].protocol",
  },
  "CP-NET-005": {
    passes: { ingress: [{ ...accept, port: "5432", securityGroupId: "sg-3f8a0c1e" }] },
    fails: { ingress: [{ ...accept, port: "6379", cidrBlock: "0.0.0.0/0" }] },
    at: "ingress[0]",
    open: { ingress: [{ ...accept, port: "3306", cidrBlock: unknown }] },
    lacks: "ingress[0].cidrBlock",
  },
  "CP-NET-006": {
    passes: { ingress: [{ protocol: "ALL", self: true, action: "ACCEPT" }] },
    fails: { ingress: [{ ...accept, port: "10000-11000", cidrBlock: "0.0.0.0/0" }] },
    at: "ingress[0]",
    open: { ingress: [{ ...accept, action: unknown, port: "2379", cidrBlock: "0.0.0.0/0" }] },
    lacks: "ingress[0].action",
  },
  "CP-NET-007": {
    passes: { ingress: [{ ...accept, port: "30000-32767", cidrBlock: "10.0.0.0/16" }] },
    fails: { ingress: [{ ...accept, port: "31080", cidrBlock: "0.0.0.0/0" }] },
    at: "ingress[0]",
    open: { ingress: [{ ...accept, port: "30000-32767", cidrBlock: unknown }] },
    lacks: "ingress[0].cidrBlock",
  },
  "CP-NET-008": {
    passes: {
      ingress: [
        { ...accept, port: "443", cidrBlock: "0.0.0.0/0" },
        { ...accept, protocol: "tcp", port: "443", ipv6CidrBlock: "::/0" },
      ],
    },
    fails: {
      ingress: [
        { ...accept, port: "443", cidrBlock: "203.0.113.0/24" },
        { ...accept, port: "443", ipv6CidrBlock: "::/0" },
      ],
    },
    at: "ingress[1]",
    open: {
      ingress: [
        { ...accept, port: "443", cidrBlock: unknown },
        { ...accept, port: "443", ipv6CidrBlock: "::/0" },
      ],
    },
    lacks: "ingress[0].cidrBlock",
  },
  "CP-NET-009": {
    passes: {
      ingress: [
        { ...accept, port: "443", cidrBlock: "203.0.0.0/16" },
        { ...accept, port: "443", cidrBlock: "10.0.0.0/8" },
      ],
    },
    fails: { ingress: [{ ...accept, port: "443", cidrBlock: "128.0.0.0/1" }] },
    at: "ingress[0].cidrBlock",
    open: { ingress: [{ ...accept, port: "443", ipv6CidrBlock: unknown }] },
    lacks: "ingress[0].ipv6CidrBlock",
  },
  "CP-NET-010": {
    passes: { egress: [{ ...accept, port: "443", cidrBlock: "0.0.0.0/0" }] },
    fails: { egress: [{ ...accept, protocol: "ALL", cidrBlock: "0.0.0.0/0" }] },
    at: "egress[0]",
    open: { egress: [{ ...accept, protocol: "ALL", cidrBlock: unknown }] },
    lacks: "egress[0].cidrBlock",
  },
  "CP-NET-011": {
    passes: { ingress: [{ ...accept, cidrBlock: "10.0.0.0/8", policyDescription: "the office" }] },
    fails: { ingress: [], egress: [{ ...accept, cidrBlock: "10.0.0.0/8" }] },
    at: "egress[0].policyDescription",
    open: { ingress: [{ ...accept, cidrBlock: "10.0.0.0/8", policyDescription: unknown }] },
    lacks: "ingress[0].policyDescription",
  },
  "CP-NET-012": {
    passes: { groupDescription: "nodes of the platform" },
    fails: { groupDescription: "Managed by Pulumi" },
    at: "groupDescription",
    open: { groupDescription: unknown },
    lacks: "groupDescription",
  },
  "CP-NET-013": {
    passes: {
      ingress: [
        { ...accept, action: "DROP", port: "22", cidrBlock: "0.0.0.0/0" },
        { ...accept, protocol: "ALL", cidrBlock: "0.0.0.0/0" },
      ],
    },
    fails: {
      ingress: [
        { ...accept, protocol: "ALL", cidrBlock: "0.0.0.0/0" },
        { ...accept, action: "DROP", port: "22", cidrBlock: "198.51.100.0/24" },
      ],
    },
    at: "ingress[1]",
    open: {
      ingress: [
        { ...accept, cidrBlock: unknown },
        { ...accept, action: "DROP", cidrBlock: "198.51.100.0/24" },
      ],
    },
    lacks: "ingress[0].cidrBlock",
  },
  "CP-NET-020": {
    passes: { cidrBlock: "10.0.0.0/16" },
    fails: { cidrBlock: "10.0.0.0/24" },
    at: "cidrBlock",
    open: { cidrBlock: unknown },
    lacks: "cidrBlock",
  },
  "CP-NET-021": {
    passes: { dnsServers: ["10.0.0.2", "fd00::2"] },
    fails: { dnsServers: ["10.0.0.2", "198.51.100.53"] },
    at: "dnsServers[1]",
    open: { dnsServers: ["10.0.0.2", unknown] },
    lacks: "dnsServers[1]",
  },
  "CP-NET-022": {
    passes: { enableRouteVpcPublishIpv6: false },
    fails: { enableRouteVpcPublishIpv6: true },
    at: "enableRouteVpcPublishIpv6",
    open: { enableRouteVpcPublishIpv6: unknown },
    lacks: "enableRouteVpcPublishIpv6",
  },
  "CP-NET-023": {
    passes: { cidrBlock: "10.0.0.0/22" },
    fails: { cidrBlock: "10.0.0.0/28" },
    at: "cidrBlock",
    open: { cidrBlock: unknown },
    lacks: "cidrBlock",
  },
  "CP-NET-024": {
    parameters: { zones: ["eu-frankfurt-1"] },
    passes: { zone: "eu-frankfurt-1" },
    fails: { zone: "eu-frankfurt-3" },
    at: "zone",
    open: { zone: unknown },
    lacks: "zone",
  },
};
