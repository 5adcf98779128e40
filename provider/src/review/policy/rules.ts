import { permissionRules, tokenRules } from "./access-rules.ts";
import { clusterRules, endpointRules } from "./cluster-rules.ts";
import { commonRules } from "./common-rules.ts";
import { controlPlaneRules } from "./control-plane-rules.ts";
import { groupRules } from "./group-rules.ts";
import { kubeletRules } from "./kubelet-rules.ts";
import { namespaceRules } from "./namespace-rules.ts";
import { networkRules } from "./network-rules.ts";
import { nodeRules } from "./node-rules.ts";
import { registryRules } from "./registry-rules.ts";
import type { Rule } from "./rule.ts";

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
