import { Secret } from "../../plan/values.ts";
import { about, type Case, unknown } from "./case.fixture.ts";

const whitelist = (...entries: Case["passes"][]) => ({ publicAccess: { whitelist: entries } });

/** Inputs with which each rule holds, is broken, and cannot be decided. */
export const registryCases: Readonly<Record<string, Case>> = {
  "CP-REG-001": about("publicAccess", undefined, { whitelist: [] }),
  "CP-REG-002": {
    passes: whitelist({ cidrBlock: "203.0.113.0/24" }, { cidrBlock: "203.0.113.7" }),
    fails: whitelist({ cidrBlock: "203.0.113.0/24" }, { cidrBlock: "198.0.0.0/8" }),
    at: "publicAccess.whitelist[1].cidrBlock",
    open: whitelist({ cidrBlock: unknown }),
    lacks: "publicAccess.whitelist[0].cidrBlock",
  },
  "CP-REG-003": {
    passes: whitelist({ cidrBlock: "203.0.113.7/32" }, { cidrBlock: "2001:db8::7" }),
    fails: whitelist({ cidrBlock: "203.0.113.0/30" }),
    at: "publicAccess.whitelist[0].cidrBlock",
    open: { publicAccess: { whitelist: [unknown] } },
    lacks: "publicAccess.whitelist[0].cidrBlock",
  },
  "CP-REG-004": about("publicAccess.whitelist[0].description", "build machines", "", { beside: { cidrBlock: "203.0.113.7/32" } }),
  "CP-REG-005": about("publicAccess.whitelist", [{ cidrBlock: unknown }], []),
  "CP-REG-006": about("internalAccess[0].dns", true, false, { beside: { vpcId: "vpc-3f8a0c1e", subnetId: "subnet-3f8a0c1e" } }),
  "CP-REG-007": about("deletionProtection", true, false),
  "CP-REG-008": about("deleteBucket", false, true),
  "CP-REG-009": about("enableCosVersioning", true, false),
  "CP-REG-010": about("enableCosMaz", true, false),
  "CP-NS-001": about("isPublic", false, true),
  "CP-NS-002": about("autoScan", true, false),
  "CP-NS-003": about("severity", "low", "high", { parameters: { severity: "medium" } }),
  "CP-NS-004": about("autoScan", true, false, { beside: { severity: "high" } }),
  "CP-NS-005": about("cveWhitelist", ["CVE-2026-12345"], ["CVE-2026-12345", "CVE-2026-23456"], { parameters: { most: 1 } }),
  "CP-NS-006": about("retentionRule.disabled", false, true, {
    beside: { key: "latestPushedK", value: 20, cronSetting: "weekly" },
    open: { retentionRule: unknown },
    lacks: "retentionRule",
  }),
  "CP-NS-007": about("retentionRule.value", 30, 7, {
    beside: { key: "nDaysSinceLastPush", cronSetting: "daily", disabled: false },
    open: { retentionRule: { key: "latestPushedK", value: unknown, cronSetting: "daily", disabled: false } },
  }),
  "CP-NS-008": about("retentionRule.cronSetting", "monthly", "manual", { beside: { key: "latestPushedK", value: 20 } }),
  "CP-TOK-001": about("tokenType", "temp", "longterm"),
  "CP-TOK-002": about("desc", "nodes of the platform", "", { beside: { tokenType: "longterm" } }),
  "CP-TOK-003": about("enabled", true, false),
  "CP-TOK-004": about("renewBefore", "10m", "1h", { beside: { tokenType: "temp" } }),
  "CP-IAM-001": about("roleName", "svc:ro", "svc:admin"),
  "CP-IAM-002": about("roleName", "svc:ns:dev", "svc:ops"),
  "CP-IAM-003": about("roleName", "deployers", "system:node"),
  "CP-IAM-004": about("roleName", "svc:ns:ro", "deployers"),
  "CP-IAM-005": {
    passes: { roleName: "svc:ns:ro", namespace: "kube-system" },
    fails: { roleName: "svc:ns:dev", namespace: "kube-system" },
    at: "namespace",
    open: { roleName: "svc:ns:dev", namespace: unknown },
    lacks: "namespace",
  },
  "CP-IAM-006": about("namespace", "team", "default"),
  "CP-IAM-007": about("targetUin", "100000000002", "100000000003", { parameters: { users: ["100000000002"] } }),
  "CP-ORG-001": {
    parameters: { keys: ["owner"] },
    passes: { tags: { owner: "platform" } },
    fails: { tags: { team: "platform" } },
    at: "tags.owner",
    open: { tags: unknown },
    lacks: "tags.owner",
  },
  "CP-ORG-002": {
    passes: { tags: { owner: "platform" }, vpcId: unknown },
    fails: { tags: { owner: "platform", key: new Secret("JWT", "3f8a0c1e") } },
    at: "tags.key",
    open: { tags: { owner: unknown } },
    lacks: "tags.owner",
  },
  "CP-ORG-003": about("vpcName", "platform-1", "The Platform"),
};
