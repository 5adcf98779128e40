import { argumentsChanged, unknownKubeletArguments } from "../../../review/assess/access.ts";
import {
  always,
  type Changed,
  type Judge,
  type Judgement,
  judgementsOn,
  type Meaning,
  note,
  notUndone,
  risky,
  undecided,
} from "../../../review/assess/reviewed.ts";
import { alike, type Fields, isFields, type Value } from "../../../review/plan/values.ts";
import { kubeletRules } from "../../../review/policy/rules/component-rules.ts";
import type { Native } from "./native.ts";

/** What a change of the settings of a pool's nodes means, besides their number. */

/** Where existing nodes stay in the subnet, on the disks and with the image that they were made with, whatever `updateExistedNode` says. */
const newNodes = note("existing nodes stay as they are: the change applies to new nodes only");

/** What the platform changes on existing nodes, too, with `updateExistedNode`. */
const reconfigured: readonly string[] = ["management", "kubeletArgs"] satisfies readonly (keyof Native)[];

const existingNodes: Judgement = {
  code: "interrupts",
  sentence: "the change applies to existing nodes, too (updateExistedNode)",
  unreachable: "workloads on nodes that are changed, until they run again",
};

/** What a change of each setting means. None may be left out. */
const meanings: Readonly<Record<keyof Native, Meaning>> = {
  subnetIds: newNodes,
  instanceTypes: newNodes,
  systemDisk: newNodes,
  dataDisks: newNodes,
  management: managed,
  kubeletArgs: ({ before, after }) => [
    ...argumentsChanged(kubeletRules, withArguments(before), withArguments(after), "new nodes' kubelet"),
    ...unknownKubeletArguments(kubeletRules, withArguments(before), withArguments(after)).map((name) =>
      undecided(`what the argument ${name} of new nodes' kubelet does is not known here`),
    ),
    ...newNodes,
  ],
  lifecycle: ({ before, after }) =>
    (["preInit", "postInit"] as const).flatMap((script) =>
      alike(partOf(before, script), partOf(after, script))
        ? []
        : [undecided(`${script} is another script, which runs with all rights on new nodes: what it does is not judged here`)],
    ),
  hostNamePattern: newNodes,
  gpuConfigs: newNodes,
  customImage: always("access-changed", "new nodes are made of another image: who can log in and what runs on them, that image decides"),
  // Judged by the number of nodes.
  scaling: "harmless",
  replicas: "harmless",
  enableAutoscaling: note("whether the platform scales the pool by itself, within its bounds, changes"),
  instanceChargeType: risky("PREPAID", "irreversible", "the nodes are paid in advance from now on", {
    undo: notUndone("the period is paid already"),
  }),
  instanceChargePrepaid: note("how long nodes are paid in advance, or what follows then, changes"),
  securityGroupIds: always(
    "access-changed",
    "other security groups decide what reaches new nodes; the nodes that are there keep the old ones",
  ),
  keyIds: always("access-changed", "who can log in to the nodes changes"),
  password: always("access-changed", "who can log in to the nodes changes"),
  autoRepair: byItself(
    "repairs broken nodes by itself: it may restart or replace them",
    "broken nodes are no longer repaired by the platform",
  ),
  upgradeSettings: upgraded,
  healthCheckPolicyName: note("how broken nodes are found changes"),
  updateExistedNode: note("whether changes of the pool apply to existing nodes, too, changes"),
  // Another value makes a new pool.
  internetAccessible: "harmless",
  machineType: "harmless",
  runtimeRootDir: "harmless",
};

/** What a change of a setting means. */
export function meaningOf(key: string, after: Fields): Meaning | undefined {
  const known: Readonly<Record<string, Meaning>> = meanings;
  const meaning = known[key];
  // What is not known yet may be true.
  const { updateExistedNode: isForExisting = false } = after;
  if (!reconfigured.includes(key) || isForExisting === false) return meaning;
  return (changed) => [existingNodes, ...judgementsOn(meaning, changed).filter((one) => !newNodes.includes(one))];
}

/** The inputs of a pool with these arguments, as rules read them. */
export function withArguments(kubeletArgs: Value | undefined): Fields {
  return { native: kubeletArgs === undefined ? {} : { kubeletArgs } };
}

function managed({ before, after }: Changed): readonly Judgement[] {
  const changed = (part: string): boolean => !alike(partOf(before, part), partOf(after, part));
  return [
    ...(changed("nameservers") ? always("access-changed", "other name servers decide for new nodes where names lead") : []),
    ...(changed("hosts") ? always("access-changed", "names lead elsewhere on new nodes, by their hosts file") : []),
    ...(changed("kernelArgs") ? [undecided("what other kernel parameters do to new nodes is not known here")] : []),
    ...newNodes,
  ];
}

function upgraded({ before, after, ...more }: Changed): readonly Judgement[] {
  const isAutomatic = partOf(after, "autoUpgrade") === true;
  return [
    ...byItself(
      "upgrades nodes by itself: workloads are moved when it does",
      "the platform no longer upgrades nodes by itself",
    )({ ...more, before: partOf(before, "autoUpgrade"), after: partOf(after, "autoUpgrade") }),
    ...(isAutomatic && !alike(partOf(before, "components"), partOf(after, "components"))
      ? [interrupting("the platform upgrades other components of the nodes by itself")]
      : []),
  ];
}

/** What the platform does by itself, and what it means that it does no longer. */
function byItself(does: string, no: string): Judge {
  return ({ before, after }) => {
    if (alike(before, after) || after === undefined) return [];
    if (after === false) return always("safeguard-weakened", no);
    return [interrupting(`the platform ${does}`)];
  };
}

function interrupting(sentence: string): Judgement {
  return { code: "interrupts", sentence, unreachable: "workloads on these nodes, until they run elsewhere" };
}

function partOf(value: Value | undefined, name: string): Value | undefined {
  return isFields(value) ? value[name] : value;
}
