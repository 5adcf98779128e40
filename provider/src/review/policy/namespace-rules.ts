import * as z from "@container-platform/sdk/zod";
import { adjustable, rule, type Rule } from "./rule.ts";
import { all, any, not } from "./truth.ts";

/** How bad a vulnerability has to be to be blocked, the strictest first. */
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
    why: "Images tell how one's software is made, and hold what was left in a layer by mistake.",
    remedy: "Set `isPublic: false`, and give tokens to who pulls.",
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
    found: "lets images in that nobody has looked into",
    why: "A weakness that nobody has looked for is found by others.",
    remedy: "Set `autoScan: true`.",
    cis: ["EKS 1.7.0 5.1.1", "ACK 1.0.0 6.1.1", "GKE 1.6.0 5.1.1", "AKS 1.7.0 5.1.1"],
    checkov: ["CKV_AWS_163", "CKV_AZURE_163"],
    fails: (inputs) => not(inputs.at("autoScan").is(true)),
  }),
  adjustable(
    { severity: z.enum(blocking).default("high").describe("The least severity that has to be blocked") },
    {
      id: "CP-NS-003",
      kinds: ["Namespace"],
      title: "Images with grave vulnerabilities are not pulled",
      severity: "medium",
      enforcement: "advise",
      found: "lets images with grave vulnerabilities be pulled",
      why: "A scan that nothing follows from is read by nobody.",
      remedy: "Set `severity` to what has to be blocked.",
      fails: (inputs, { severity }) => {
        const strict = blocking.slice(0, blocking.indexOf(severity) + 1);
        return not(inputs.at("severity").is(...strict));
      },
    },
  ),
  rule({
    id: "CP-NS-004",
    kinds: ["Namespace"],
    title: "What is blocked by severity is scanned",
    severity: "medium",
    enforcement: "advise",
    found: "blocks by vulnerabilities that nobody looks for",
    why: "An image without a scan has no known vulnerabilities, and is not blocked.",
    remedy: "Set `autoScan: true` beside `severity`.",
    fails: (inputs) => all(inputs.at("severity").given, not(inputs.at("autoScan").is(true))),
  }),
  adjustable(
    { most: z.int().min(0).default(10).describe("Most entries") },
    {
      id: "CP-NS-005",
      kinds: ["Namespace"],
      title: "Few vulnerabilities are tolerated",
      severity: "medium",
      enforcement: "require-approval",
      found: "tolerates more vulnerabilities than anybody keeps in mind",
      why: "Each entry lets every image with that weakness through, for ever.",
      remedy: "Take out what is mended by now, and build the other images anew.",
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
    why: "Storage is billed, and an old image can still be pulled with its old weaknesses.",
    remedy: "Set a `retentionRule` that is not disabled.",
    checkov: ["CKV_AZURE_167"],
    fails: (inputs) => any(inputs.at("retentionRule").missing, inputs.at("retentionRule").at("disabled").is(true)),
  }),
  adjustable(
    {
      images: z.int().min(1).default(5).describe("Fewest images of a repository that are kept"),
      days: z.int().min(1).default(14).describe("Fewest days that images are kept"),
    },
    {
      id: "CP-NS-007",
      kinds: ["Namespace"],
      title: "Enough images are kept to go back to",
      severity: "high",
      enforcement: "require-approval",
      found: "deletes images that may still be needed",
      why: "A node that comes new pulls the image that its pods run; where that is deleted, they do not start, and there is no way back.",
      remedy: "Keep more, by number or by days.",
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
    title: "A retention rule runs by itself",
    severity: "low",
    enforcement: "advise",
    found: "deletes only when somebody starts it",
    why: "What has to be started by hand is not started.",
    remedy: "Take `daily`, `weekly` or `monthly`.",
    fails: (inputs) => inputs.at("retentionRule").at("cronSetting").is("manual"),
  }),
];
