import * as z from "@container-platform/sdk/zod";
import { effectOf, type InputOf, type KnownKind } from "../../plan/definition.ts";
import { definitions } from "../../plan/definitions.ts";
import { kinds } from "../../../resources/reviews.ts";
import { adjustable, any, rulesFor, truth } from "../language/rule.ts";

const tagged = kinds.filter((kind) => effectOf(definitions[kind], "tags") !== undefined);

/** The input that holds the name, for the kinds whose names follow the pattern. Other names follow rules of the registry, or of whoever logs in. */
const nameInputs: { readonly [Kind in KnownKind]?: InputOf<Kind> } = {
  Vpc: "vpcName",
  SecurityGroup: "groupName",
  Subnet: "subnetName",
  Cluster: "clusterName",
  NodePool: "name",
  RegistryInstance: "registryName",
  Namespace: "namespaceName",
};

export const commonRules = rulesFor("any", [
  adjustable({
    id: "CP-ORG-001",
    parameters: { keys: z.array(z.string().min(1)).default([]).describe("Keys of tags that all resources must have") },
    kinds: tagged,
    title: "All resources have the agreed tags",
    severity: "low",
    found: "is a tag that is missing or empty",
    why: "Bills, on-call lists and clean-ups use tags.",
    remedy: "Set the tags, or the provider's `defaultTags` for all resources.",
    fails: (inputs, { keys }) => any(truth(false, "tags"), ...keys.map((key) => inputs.at("tags").at(key).blank)),
  }),
  {
    id: "CP-ORG-002",
    title: "Inputs that are not secret contain no secrets",
    severity: "critical",
    found: "looks like a key, a token or a password, in an input that is not secret",
    why: "Names, tags, labels and descriptions are shown in the console, in bills and in logs.",
    remedy: "Remove the secret, and replace it: the old secret is known.",
    checkov: ["CKV_SECRET_6", "CKV_SECRET_9", "CKV_SECRET_13"],
    fails: (inputs) => {
      const texts = inputs.leaves.filter(({ path }) => words.test(path));
      return any(truth(false, ""), ...texts.map((leaf) => leaf.looks("private key", "kubeconfig", "JWT", "credential", "high entropy")));
    },
  },
  adjustable({
    id: "CP-ORG-003",
    parameters: {
      pattern: z
        .string()
        .refine(isPattern, "takes a regular expression")
        .default("^[a-z0-9][a-z0-9.-]*$")
        .describe("Regular expression for names"),
    },
    kinds: kinds.filter((kind) => nameInputs[kind] !== undefined),
    title: "Names follow one pattern",
    severity: "low",
    enforcement: "off",
    found: "is a name that does not match the pattern",
    why: "A common form makes names easier to type in commands and to find in logs.",
    remedy: "Use a name that matches the pattern.",
    fails: (inputs, { pattern }) => {
      const form = new RegExp(pattern);
      const names = Object.values(nameInputs).map((key) => inputs.at(key));
      return any(truth(false, ""), ...names.map((name) => name.text((text) => !form.test(text))));
    },
  }),
]);

/** Inputs that hold free text. */
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
