import { isOneAddress, isPrivate, isWider, widths } from "../language/ranges.ts";
import { adjustable, rule, type Rule } from "../language/rule.ts";
import { all, any, not } from "../language/truth.ts";

/** Registries. */
export const registryRules: readonly Rule[] = [
  rule({
    id: "CP-REG-001",
    kinds: ["RegistryInstance"],
    title: "A registry does not have a public endpoint",
    severity: "medium",
    enforcement: "advise",
    found: "opens the registry to the internet",
    why: "Images show the structure of your software, and a client that can push controls the workloads.",
    remedy: "Use `internalAccess`, and let pipelines run in a VPC.",
    checkov: ["CKV_AZURE_139"],
    fails: (inputs) => inputs.at("publicAccess").given,
  }),
  adjustable(widths(24, 48), {
    id: "CP-REG-002",
    kinds: ["RegistryInstance"],
    title: "CIDR blocks with access to a registry are narrow",
    severity: "high",
    enforcement: "require-approval",
    found: "lets in more than one site",
    why: "Each additional network can try passwords and tokens. Two halves of the internet are as open as a /0.",
    remedy: "List the public IP addresses of your networks, preferably single addresses.",
    fails: (inputs, given) =>
      whitelistOf(inputs).some((entry) => entry.at("cidrBlock").text((text) => isWider(text, given) && !isPrivate(text))),
  }),
  rule({
    id: "CP-REG-003",
    kinds: ["RegistryInstance"],
    title: "A registry's IP allowlist has single addresses",
    severity: "low",
    enforcement: "off",
    found: "is more than one address",
    why: "The platform recommends single addresses: a CIDR block can contain unintended clients.",
    remedy: "List the public IP addresses of your networks, such as `203.0.113.7/32`.",
    fails: (inputs) => whitelistOf(inputs).some((entry) => entry.at("cidrBlock").text((text) => !isOneAddress(text))),
  }),
  rule({
    id: "CP-REG-004",
    kinds: ["RegistryInstance"],
    title: "Each entry of an IP allowlist has a description",
    severity: "low",
    enforcement: "advise",
    found: "is missing or empty",
    why: "You cannot tell whether an unexplained entry is still required, so it is never removed.",
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
    title: "A public endpoint has allowed clients",
    severity: "low",
    enforcement: "advise",
    found: "is empty: the endpoint is open, and nobody may use it",
    why: "An unused endpoint is not monitored, and one wrong entry opens it.",
    remedy: "Remove `publicAccess`, or list the allowed clients.",
    fails: (inputs) =>
      all(
        inputs.at("publicAccess").given,
        whitelistOf(inputs).count((count) => count === 0),
      ),
  }),
  rule({
    id: "CP-REG-006",
    kinds: ["RegistryInstance"],
    title: "A VPC that reaches a registry can pull images",
    severity: "medium",
    enforcement: "advise",
    found: "does not give the VPC the registry's domain, which pulling needs",
    why: "Nodes cannot pull from the IP address of a private endpoint. Without the domain, they pull over the internet, or not at all.",
    remedy: "Set `dns: true`, or leave it out.",
    fails: (inputs) => inputs.at("internalAccess").some((link) => link.at("dns").is(false)),
  }),
  rule({
    id: "CP-REG-007",
    kinds: ["RegistryInstance"],
    title: "A registry is protected from deletion",
    severity: "medium",
    enforcement: "advise",
    found: "lets one call delete the registry",
    why: "Without its images, new nodes cannot start any workload.",
    remedy: "Set `deletionProtection: true`.",
    fails: (inputs) => not(inputs.at("deletionProtection").is(true)),
  }),
  rule({
    id: "CP-REG-008",
    kinds: ["RegistryInstance"],
    title: "Images survive the deletion of their registry",
    severity: "medium",
    enforcement: "advise",
    found: "deletes the images together with the registry, for ever",
    why: "The bucket holds the only copy of all releases.",
    remedy: "Leave `deleteBucket` out. A retained bucket is still billed.",
    fails: (inputs) => inputs.at("deleteBucket").is(true),
  }),
  rule({
    id: "CP-REG-009",
    kinds: ["RegistryInstance"],
    title: "A registry's storage keeps old versions",
    severity: "low",
    enforcement: "off",
    found: "does not keep what was overwritten or deleted",
    why: "You cannot restore a layer that was deleted by mistake.",
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
    why: "If that zone fails, nodes in other zones cannot pull images.",
    remedy: "Set `enableCosMaz: true`. The change replaces the registry.",
    checkov: ["CKV_AZURE_233"],
    fails: (inputs) => not(inputs.at("enableCosMaz").is(true)),
  }),
];

function whitelistOf(inputs: Parameters<Rule["fails"]>[0]) {
  return inputs.at("publicAccess").at("whitelist");
}
