import * as z from "@container-platform/sdk/zod";
import { adjustable, rule, type Rule } from "../language/rule.ts";
import { all, any, not } from "../language/truth.ts";

/** The severities from which images can be blocked, the strictest first. */
const blocking = ["low", "medium", "high"] as const;

/** Namespaces of registries. */
export const namespaceRules: readonly Rule[] = [
  rule({
    id: "CP-NS-001",
    kinds: ["Namespace"],
    title: "A namespace is private",
    severity: "high",
    enforcement: "require-approval",
    found: "lets everyone pull, without a login",
    why: "Images show the structure of your software, and may contain secrets in a layer.",
    remedy: "Set `isPublic: false`, and create tokens for the clients that pull.",
    cis: ["EKS 1.7.0 5.1.2", "ACK 1.0.0 6.1.2", "GKE 1.6.0 5.1.2", "AKS 1.7.0 5.1.2"],
    checkov: ["CKV_AZURE_138", "CKV_GCP_101"],
    fails: (inputs) => inputs.at("isPublic").is(true),
  }),
  rule({
    id: "CP-NS-002",
    kinds: ["Namespace"],
    title: "Images are scanned when they are pushed",
    severity: "medium",
    enforcement: "advise",
    found: "accepts images that nobody has scanned",
    why: "Without scans, attackers find vulnerabilities before you do.",
    remedy: "Set `autoScan: true`.",
    cis: ["EKS 1.7.0 5.1.1", "ACK 1.0.0 6.1.1", "GKE 1.6.0 5.1.1", "AKS 1.7.0 5.1.1"],
    checkov: ["CKV_AWS_163", "CKV_AZURE_163"],
    fails: (inputs) => not(inputs.at("autoScan").is(true)),
  }),
  adjustable(
    { severity: z.enum(blocking).default("high").describe("Lowest severity that must be blocked") },
    {
      id: "CP-NS-003",
      kinds: ["Namespace"],
      title: "Images with severe vulnerabilities cannot be pulled",
      severity: "medium",
      enforcement: "advise",
      found: "lets images with severe vulnerabilities be pulled",
      why: "A scan without consequences is ignored.",
      remedy: "Set `severity` to the lowest severity that must be blocked.",
      fails: (inputs, { severity }) => {
        const strict = blocking.slice(0, blocking.indexOf(severity) + 1);
        return not(inputs.at("severity").is(...strict));
      },
    },
  ),
  rule({
    id: "CP-NS-004",
    kinds: ["Namespace"],
    title: "Images that can be blocked by severity are scanned",
    severity: "medium",
    enforcement: "advise",
    found: "leaves out the scans that `severity` needs",
    why: "An image without a scan has no known vulnerabilities, and is not blocked.",
    remedy: "Set `autoScan: true` together with `severity`.",
    fails: (inputs) => all(inputs.at("severity").given, not(inputs.at("autoScan").is(true))),
  }),
  adjustable(
    { most: z.int().min(0).default(10).describe("Maximum number of entries") },
    {
      id: "CP-NS-005",
      kinds: ["Namespace"],
      title: "Few vulnerabilities are ignored",
      severity: "medium",
      enforcement: "require-approval",
      found: "ignores more vulnerabilities than anybody can keep in mind",
      why: "Each entry allows every image with that vulnerability, forever.",
      remedy: "Remove the entries that are fixed, and rebuild the other images.",
      fails: (inputs, { most }) => inputs.at("cveWhitelist").count((count) => count > most),
    },
  ),
  rule({
    id: "CP-NS-006",
    kinds: ["Namespace"],
    title: "Old images are deleted",
    severity: "low",
    enforcement: "advise",
    found: "keeps every image for ever",
    why: "Storage is billed, and old images can still be pulled, with their old vulnerabilities.",
    remedy: "Set a `retentionRule` that is not disabled.",
    checkov: ["CKV_AZURE_167"],
    fails: (inputs) => any(inputs.at("retentionRule").missing, inputs.at("retentionRule").at("disabled").is(true)),
  }),
  adjustable(
    {
      images: z.int().min(1).default(5).describe("Minimum number of images of a repository"),
      days: z.int().min(1).default(14).describe("Minimum number of days"),
    },
    {
      id: "CP-NS-007",
      kinds: ["Namespace"],
      title: "Enough images are kept for a rollback",
      severity: "high",
      enforcement: "require-approval",
      found: "deletes images that may still be needed",
      why: "A new node pulls the images of its pods. If an image is deleted, pods do not start, and you cannot roll back.",
      remedy: "Keep more images, by number or by days.",
      fails: (inputs, { images, days }) => {
        const kept = inputs.at("retentionRule");
        const fewer = (key: string, least: number) =>
          all(
            kept.at("key").is(key),
            kept.at("value").number((value) => value < least),
          );
        const few = any(fewer("latestPushedK", images), fewer("nDaysSinceLastPush", days));
        return all(kept.given, not(kept.at("disabled").is(true)), few);
      },
    },
  ),
  rule({
    id: "CP-NS-008",
    kinds: ["Namespace"],
    title: "A retention rule runs automatically",
    severity: "low",
    enforcement: "advise",
    found: "deletes only when somebody starts it",
    why: "A manual rule is easily forgotten.",
    remedy: "Use `daily`, `weekly` or `monthly`.",
    fails: (inputs) => inputs.at("retentionRule").at("cronSetting").is("manual"),
  }),
];
