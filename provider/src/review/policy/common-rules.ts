import * as z from "@container-platform/sdk/zod";
import { adjustable, rule, type Rule } from "./rule.ts";
import { all, any, type Truth, truth } from "./truth.ts";

const tagged = ["Vpc", "Subnet", "SecurityGroup", "Cluster", "NodePool", "RegistryInstance", "Namespace"] as const;

/** What holds for resources of several kinds. */
export const commonRules: readonly Rule[] = [
  adjustable(
    { keys: z.array(z.string().min(1)).default([]).describe("Tags that everything has to have") },
    {
      id: "CP-ORG-001",
      kinds: tagged,
      title: "Everything has the tags that were agreed on",
      severity: "low",
      enforcement: "advise",
      found: "is a tag that is missing or empty",
      why: "Bills, on-call lists and clean-ups go by tags.",
      remedy: "Set the tags, or `defaultTags` of the provider once for all.",
      fails: (inputs, { keys }) => {
        const lack = keys.map((key): Truth => {
          const tag = inputs.at("tags").at(key);
          return any(
            tag.missing,
            tag.text((text) => text.trim() === ""),
          );
        });
        return any(truth(false, "tags"), ...lack);
      },
    },
  ),
  rule({
    id: "CP-ORG-002",
    kinds: "any",
    title: "No secret stands where everyone reads it",
    severity: "critical",
    enforcement: "block",
    found: "looks like a key, a token or a password, in an input that is no secret",
    why: "Names, tags, labels and descriptions stand in the console, in bills and in logs.",
    remedy: "Take it out, and make a new secret: this one is known.",
    checkov: ["CKV_SECRET_6", "CKV_SECRET_9", "CKV_SECRET_13"],
    fails: (inputs) => {
      const [first, ...others] = inputs.leaves
        .filter(({ path }) => words.test(path))
        .map((leaf) => leaf.looks("private key", "kubeconfig", "JWT", "credential", "high entropy"));
      return first ? any(first, ...others) : truth(false, "");
    },
  }),
  adjustable(
    {
      pattern: z
        .string()
        .refine(isPattern, "takes a regular expression")
        .default("^[a-z0-9][a-z0-9.-]*$")
        .describe("What names have to look like"),
    },
    {
      id: "CP-ORG-003",
      kinds: tagged,
      title: "Names follow one pattern",
      severity: "low",
      enforcement: "off",
      found: "is a name of another form",
      why: "Names are typed in commands and looked for in logs: one form for all is found.",
      remedy: "Take a name of that form.",
      fails: (inputs, { pattern }) => {
        const form = new RegExp(pattern);
        const [first, ...others] = names
          .map((key) => inputs.at(key))
          .map((name) =>
            all(
              name.given,
              name.text((text) => !form.test(text)),
            ),
          );
        return first ? any(first, ...others) : truth(false, "");
      },
    },
  ),
];

const names = ["vpcName", "subnetName", "groupName", "clusterName", "name", "registryName", "namespaceName"];
/** Inputs that people write words into. */
const words =
  /^(\w*[nN]ame|\w*[dD]escription|desc|tags|labels|annotations|taints|extraArgs|native\.(kubeletArgs|management))(?![a-zA-Z])|[dD]escription$/;

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
