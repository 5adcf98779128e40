import { clusterRules, endpointRules, permissionRules } from "./rules/cluster-rules.ts";
import { commonRules } from "./rules/common-rules.ts";
import { controlPlaneRules, kubeletRules } from "./rules/component-rules.ts";
import { groupRules, networkRules } from "./rules/network-rules.ts";
import { namespaceRules, registryRules, tokenRules } from "./rules/registry-rules.ts";
import { nodeRules } from "./rules/node-rules.ts";
import type { Rule } from "./language/rule.ts";

/** All rules, in the order of reports. */
export const rules: readonly Rule[] = [
  ...groupRules,
  ...networkRules,
  ...clusterRules,
  ...endpointRules,
  ...controlPlaneRules,
  ...nodeRules,
  ...kubeletRules,
  ...registryRules,
  ...namespaceRules,
  ...tokenRules,
  ...permissionRules,
  ...commonRules,
];
