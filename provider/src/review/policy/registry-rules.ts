import { isOneAddress, isPrivate, isWider, widths } from "./ranges.ts";
import { adjustable, rule, type Rule } from "./rule.ts";
import { all, any, not } from "./truth.ts";

/** Registries: who reaches them, and what becomes of them. */
export const registryRules: readonly Rule[] = [
  rule({
    id: "CP-REG-001",
    kinds: ["RegistryInstance"],
    title: "A registry is not reached from the internet",
    severity: "medium",
    enforcement: "advise",
    found: "opens the registry to the internet",
    why: "Images tell how one's software is made, and who can push decides what runs.",
    remedy: "Use `internalAccess`, and let pipelines run in a VPC.",
    checkov: ["CKV_AZURE_139"],
    fails: (inputs) => inputs.at("publicAccess").given,
  }),
  adjustable(widths(24, 48), {
    id: "CP-REG-002",
    kinds: ["RegistryInstance"],
    title: "Ranges that reach a registry from the internet are narrow",
    severity: "high",
    enforcement: "require-approval",
    found: "lets in more than one site",
    why: "Each stranger's network is one more to try passwords and tokens from, and two halves of the internet are as good as all of it.",
    remedy: "Give the addresses of one's own exits, best as single addresses.",
    fails: (inputs, given) =>
      whitelistOf(inputs).some((entry) => entry.at("cidrBlock").text((text) => isWider(text, given) && !isPrivate(text))),
  }),
  rule({
    id: "CP-REG-003",
    kinds: ["RegistryInstance"],
    title: "A registry's whitelist has single addresses",
    severity: "low",
    enforcement: "off",
    found: "is more than one address",
    why: "The platform recommends single addresses: behind a range are machines that nobody meant.",
    remedy: "Give the addresses of one's own exits, such as `203.0.113.7/32`.",
    fails: (inputs) => whitelistOf(inputs).some((entry) => entry.at("cidrBlock").text((text) => !isOneAddress(text))),
  }),
  rule({
    id: "CP-REG-004",
    kinds: ["RegistryInstance"],
    title: "Each entry of a whitelist says whose it is",
    severity: "low",
    enforcement: "advise",
    found: "is missing or empty",
    why: "An entry that nobody can explain is never taken out.",
    remedy: "Set `description` of the entry.",
    fails: (inputs) =>
      whitelistOf(inputs).some((entry) =>
        any(
          entry.at("description").missing,
          entry.at("description").text((text) => text.trim() === ""),
        ),
      ),
  }),
  rule({
    id: "CP-REG-005",
    kinds: ["RegistryInstance"],
    title: "A public endpoint is there for somebody",
    severity: "low",
    enforcement: "advise",
    found: "is empty: the endpoint is open, and nobody may use it",
    why: "What nobody uses is not looked after, and one entry by mistake is enough to open it.",
    remedy: "Take `publicAccess` out, or name who may use it.",
    fails: (inputs) =>
      all(
        inputs.at("publicAccess").given,
        whitelistOf(inputs).count((count) => count === 0),
      ),
  }),
  rule({
    id: "CP-REG-006",
    kinds: ["RegistryInstance"],
    title: "A VPC that reaches a registry can pull from it",
    severity: "medium",
    enforcement: "advise",
    found: "leaves the VPC without the registry's domain, which pulling needs",
    why: "The address of the internal access is no server to pull from: nodes that were to pull privately go over the internet, or not at all.",
    remedy: "Set `dns: true`, or leave it out.",
    fails: (inputs) => inputs.at("internalAccess").some((link) => link.at("dns").is(false)),
  }),
  rule({
    id: "CP-REG-007",
    kinds: ["RegistryInstance"],
    title: "A registry is protected from deletion",
    severity: "medium",
    enforcement: "advise",
    found: "leaves the registry to be deleted by one call",
    why: "Without its images no node that comes new can start anything.",
    remedy: "Set `deletionProtection: true`.",
    fails: (inputs) => not(inputs.at("deletionProtection").is(true)),
  }),
  rule({
    id: "CP-REG-008",
    kinds: ["RegistryInstance"],
    title: "Images survive the deletion of their registry",
    severity: "medium",
    enforcement: "advise",
    found: "deletes the images with the registry, for ever",
    why: "The bucket is the only copy of what has been released.",
    remedy: "Leave `deleteBucket` out; a bucket that stays is still billed.",
    fails: (inputs) => inputs.at("deleteBucket").is(true),
  }),
  rule({
    id: "CP-REG-009",
    kinds: ["RegistryInstance"],
    title: "A registry's storage keeps older versions",
    severity: "low",
    enforcement: "off",
    found: "does not keep what was overwritten or deleted",
    why: "A layer that a mistake has deleted is gone.",
    remedy: "Set `enableCosVersioning: true`.",
    fails: (inputs) => not(inputs.at("enableCosVersioning").is(true)),
  }),
  rule({
    id: "CP-REG-010",
    kinds: ["RegistryInstance"],
    title: "A registry's storage is in several zones",
    severity: "low",
    enforcement: "off",
    found: "keeps all images in one zone",
    why: "When that zone fails, no node in any other can pull.",
    remedy: "Set `enableCosMaz: true`; the change makes a new registry.",
    checkov: ["CKV_AZURE_233"],
    fails: (inputs) => not(inputs.at("enableCosMaz").is(true)),
  }),
];

function whitelistOf(inputs: Parameters<Rule["fails"]>[0]) {
  return inputs.at("publicAccess").at("whitelist");
}
