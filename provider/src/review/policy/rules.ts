import { permissionRules, tokenRules } from "./rules/access-rules.ts";
import { clusterRules, endpointRules } from "./rules/cluster-rules.ts";
import { commonRules } from "./rules/common-rules.ts";
import { controlPlaneRules } from "./rules/control-plane-rules.ts";
import { groupRules } from "./rules/group-rules.ts";
import { kubeletRules } from "./rules/kubelet-rules.ts";
import { namespaceRules } from "./rules/namespace-rules.ts";
import { networkRules } from "./rules/network-rules.ts";
import { nodeRules } from "./rules/node-rules.ts";
import { registryRules } from "./rules/registry-rules.ts";
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
