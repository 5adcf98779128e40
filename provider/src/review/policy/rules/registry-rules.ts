import { secondsOf } from "../../../definition/duration.ts";
import { areWide } from "../language/openings.ts";
import { isOneAddress } from "../../plan/addresses.ts";
import { adjustable, type Part, all, any, not, rulesFor, widths } from "../language/rule.ts";
import * as z from "@container-platform/sdk/zod";

export const registryRules = rulesFor("RegistryInstance", [
  {
    id: "CP-REG-001",
    title: "A registry does not have a public endpoint",
    severity: "medium",
    found: "opens the registry to the internet",
    why: "Images show the structure of your software, and a client that can push controls the workloads.",
    remedy: "Use `internalAccess`, and let pipelines run in a VPC.",
    checkov: ["CKV_AZURE_139"],
    fails: (inputs) => inputs.at("publicAccess").given,
  },
  adjustable({
    id: "CP-REG-002",
    parameters: widths(24, 48),
    title: "CIDR blocks with access to a registry are narrow",
    severity: "high",
    enforcement: "require-approval",
    found: "lets in more than one site",
    why: "Each additional network can try passwords and tokens. Two halves of the internet are as open as a /0.",
    remedy: "List the public IP addresses of your networks, preferably single addresses.",
    fails: (inputs, given) => areWide(whitelistOf(inputs), given, (entry) => entry.at("cidrBlock")),
  }),
  {
    id: "CP-REG-003",
    title: "A registry's IP allowlist has single addresses",
    severity: "low",
    enforcement: "off",
    found: "is more than one address",
    why: "The platform recommends single addresses: a CIDR block can contain unintended clients.",
    remedy: "List the public IP addresses of your networks, such as `203.0.113.7/32`.",
    fails: (inputs) => whitelistOf(inputs).some((entry) => entry.at("cidrBlock").text((text) => !isOneAddress(text))),
  },
  {
    id: "CP-REG-004",
    title: "Each entry of an IP allowlist has a description",
    severity: "low",
    found: "is missing or empty",
    why: "You cannot tell whether an unexplained entry is still required, so it is never removed.",
    remedy: "Set `description` of the entry.",
    fails: (inputs) => whitelistOf(inputs).some((entry) => entry.at("description").blank),
  },
  {
    id: "CP-REG-005",
    title: "A public endpoint has allowed clients",
    severity: "low",
    found: "is empty: the endpoint is open, and nobody may use it",
    why: "An unused endpoint is not monitored, and one wrong entry opens it.",
    remedy: "Remove `publicAccess`, or list the allowed clients.",
    fails: (inputs) => all(inputs.at("publicAccess").given, whitelistOf(inputs).empty),
  },
  {
    id: "CP-REG-006",
    title: "A VPC that reaches a registry can pull images",
    severity: "medium",
    found: "does not give the VPC the registry's domain, which pulling needs",
    why: "Nodes cannot pull from the IP address of a private endpoint. Without the domain, they pull over the internet, or not at all.",
    remedy: "Set `dns: true`, or leave it out.",
    fails: (inputs) => inputs.at("internalAccess").some((link) => link.at("dns").is(false)),
  },
  {
    id: "CP-REG-007",
    title: "A registry is protected from deletion",
    severity: "medium",
    found: "lets one call delete the registry",
    why: "Without its images, new nodes cannot start any workload.",
    remedy: "Set `deletionProtection: true`.",
    fails: (inputs) => not(inputs.at("deletionProtection").is(true)),
  },
  {
    id: "CP-REG-008",
    title: "Images survive the deletion of their registry",
    severity: "medium",
    found: "deletes the images together with the registry, for ever",
    why: "The bucket holds the only copy of all releases.",
    remedy: "Leave `deleteBucket` out. A retained bucket is still billed.",
    fails: (inputs) => inputs.at("deleteBucket").is(true),
  },
  {
    id: "CP-REG-009",
    title: "A registry's storage keeps old versions",
    severity: "low",
    enforcement: "off",
    found: "does not keep what was overwritten or deleted",
    why: "You cannot restore a layer that was deleted by mistake.",
    remedy: "Set `enableCosVersioning: true`.",
    fails: (inputs) => not(inputs.at("enableCosVersioning").is(true)),
  },
  {
    id: "CP-REG-010",
    title: "A registry's storage is in several zones",
    severity: "low",
    enforcement: "off",
    found: "keeps all images in one zone",
    why: "If that zone fails, nodes in other zones cannot pull images.",
    remedy: "Set `enableCosMaz: true`. The change replaces the registry.",
    checkov: ["CKV_AZURE_233"],
    fails: (inputs) => not(inputs.at("enableCosMaz").is(true)),
  },
]);

function whitelistOf(inputs: Part) {
  return inputs.at("publicAccess").at("whitelist");
}

/** The severities from which images can be blocked, the strictest first. */
const blocking = ["low", "medium", "high"] as const;

export const namespaceRules = rulesFor("Namespace", [
  {
    id: "CP-NS-001",
    title: "A namespace is private",
    severity: "high",
    enforcement: "require-approval",
    found: "lets everyone pull, without a login",
    why: "Images show the structure of your software, and may contain secrets in a layer.",
    remedy: "Set `isPublic: false`, and create tokens for the clients that pull.",
    cis: ["EKS 1.7.0 5.1.2", "ACK 1.0.0 6.1.2", "GKE 1.6.0 5.1.2", "AKS 1.7.0 5.1.2"],
    checkov: ["CKV_AZURE_138", "CKV_GCP_101"],
    fails: (inputs) => inputs.at("isPublic").is(true),
  },
  {
    id: "CP-NS-002",
    title: "Images are scanned when they are pushed",
    severity: "medium",
    found: "accepts images that nobody has scanned",
    why: "Without scans, attackers find vulnerabilities before you do.",
    remedy: "Set `autoScan: true`.",
    cis: ["EKS 1.7.0 5.1.1", "ACK 1.0.0 6.1.1", "GKE 1.6.0 5.1.1", "AKS 1.7.0 5.1.1"],
    checkov: ["CKV_AWS_163", "CKV_AZURE_163"],
    fails: (inputs) => not(inputs.at("autoScan").is(true)),
  },
  adjustable({
    id: "CP-NS-003",
    parameters: { severity: z.enum(blocking).default("high").describe("Lowest severity that must be blocked") },
    title: "Images with severe vulnerabilities cannot be pulled",
    severity: "medium",
    found: "lets images with severe vulnerabilities be pulled",
    why: "A scan without consequences is ignored.",
    remedy: "Set `severity` to the lowest severity that must be blocked.",
    fails: (inputs, { severity }) => {
      const strict = blocking.slice(0, blocking.indexOf(severity) + 1);
      return not(inputs.at("severity").is(...strict));
    },
  }),
  {
    id: "CP-NS-004",
    title: "Images that can be blocked by severity are scanned",
    severity: "medium",
    found: "leaves out the scans that `severity` needs",
    why: "An image without a scan has no known vulnerabilities, and is not blocked.",
    remedy: "Set `autoScan: true` together with `severity`.",
    fails: (inputs) => all(inputs.at("severity").given, not(inputs.at("autoScan").is(true))),
  },
  adjustable({
    id: "CP-NS-005",
    parameters: { most: z.int().min(0).default(10).describe("Maximum number of entries") },
    title: "Few vulnerabilities are ignored",
    severity: "medium",
    enforcement: "require-approval",
    found: "ignores more vulnerabilities than anybody can keep in mind",
    why: "Each entry allows every image with that vulnerability, forever.",
    remedy: "Remove the entries that are fixed, and rebuild the other images.",
    fails: (inputs, { most }) => inputs.at("cveWhitelist").count((count) => count > most),
  }),
  {
    id: "CP-NS-006",
    title: "Old images are deleted",
    severity: "low",
    found: "keeps every image for ever",
    why: "Storage is billed, and old images can still be pulled, with their old vulnerabilities.",
    remedy: "Set a `retentionRule` that is not disabled.",
    checkov: ["CKV_AZURE_167"],
    fails: (inputs) => any(inputs.at("retentionRule").missing, inputs.at("retentionRule").at("disabled").is(true)),
  },
  adjustable({
    id: "CP-NS-007",
    parameters: {
      images: z.int().min(1).default(5).describe("Minimum number of images of a repository"),
      days: z.int().min(1).default(14).describe("Minimum number of days"),
    },
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
  }),
  {
    id: "CP-NS-008",
    title: "A retention rule runs automatically",
    severity: "low",
    found: "deletes only when somebody starts it",
    why: "A manual rule is easily forgotten.",
    remedy: "Use `daily`, `weekly` or `monthly`.",
    fails: (inputs) => inputs.at("retentionRule").at("cronSetting").is("manual"),
  },
]);

/** How many seconds a temp token is valid (specification, Registry). */
const lifetime = 3600;

export const tokenRules = rulesFor("Token", [
  {
    id: "CP-TOK-001",
    title: "Tokens expire by themselves",
    severity: "low",
    found: "makes a token that stays valid until somebody deletes it",
    why: "An attacker can use a leaked token until you detect the leak.",
    remedy: "Use `temp` if `pulumi up` runs every hour. Replace long-term tokens regularly.",
    fails: (inputs) => inputs.at("tokenType").is("longterm"),
  },
  {
    id: "CP-TOK-002",
    title: "A long-term token has a description",
    severity: "low",
    found: "does not say who uses the token",
    why: "You cannot tell whether an unexplained token is still in use, so it is never deleted.",
    remedy: "Set `desc` to the client that uses the token, and create one token for each client.",
    fails: (inputs) => {
      const unsaid = inputs.at("desc").text((text) => text.trim() === "");
      return all(inputs.at("tokenType").is("longterm"), unsaid);
    },
  },
  {
    id: "CP-TOK-003",
    title: "Disabled tokens are deleted",
    severity: "low",
    found: "keeps a token that nobody may use",
    why: "One call enables it again, with the same password.",
    remedy: "Remove the token from the program when no client needs it.",
    fails: (inputs) => inputs.at("enabled").is(false),
  },
  {
    id: "CP-TOK-004",
    title: "A temp token is not replaced too early",
    severity: "low",
    found: "makes a new token with every `up`",
    why: "A temp token is valid for an hour. With a margin of an hour, every preview replaces the token.",
    remedy: "Use a shorter `renewBefore`, such as `10m`.",
    fails: (inputs) => inputs.at("renewBefore").text((text) => (secondsOf(text) ?? 0) >= lifetime),
  },
]);
