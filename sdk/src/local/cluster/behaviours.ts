import { z } from "zod";
import type { ErrorCode } from "../../operation/errors.ts";
import { kubernetesRules, repeatedTaint } from "../../rules/cluster.ts";
import type { Rule } from "../../rules/rule.ts";
import type { Behaviour, Call } from "../behaviour.ts";
import { refuseUnlessAllowed } from "../requests/names-and-tags.ts";
import { endpointBehaviours } from "./access/endpoints.ts";
import { kubeconfigBehaviours } from "./access/kubeconfig.ts";
import { permissionBehaviours } from "./access/permissions.ts";
import { authenticationBehaviours } from "./control-plane/authentication.ts";
import { clusterBehaviours } from "./control-plane/clusters.ts";
import { creationBehaviours } from "./control-plane/creation.ts";
import { taskBehaviours } from "./control-plane/tasks.ts";
import { versionBehaviours } from "./control-plane/versions.ts";
import { edgeNodeBehaviours } from "./nodes/edge-nodes.ts";
import { nodeOfferBehaviours } from "./nodes/machines.ts";
import { nodeUpgradeBehaviours } from "./nodes/node-upgrades.ts";
import { nodeBehaviours } from "./nodes/nodes.ts";
import { nodePoolBehaviours } from "./pools/node-pools.ts";
import { regularPoolBehaviours } from "./pools/regular-pools.ts";

/** The rules of values for Kubernetes, by the ends of their paths. Scripts are `base64` in the catalogue. */
const rules: Readonly<Record<string, Rule>> = {
  "Labels.Name": kubernetesRules.labelKey,
  "Labels.Value": kubernetesRules.labelValue,
  "Annotations.Name": kubernetesRules.annotationKey,
  "Taints.Key": kubernetesRules.labelKey,
  "Taints.Value": kubernetesRules.labelValue,
  "Management.KernelArgs": kubernetesRules.kernelArgument,
};

const taintList = z.array(z.object({ Key: z.string(), Effect: z.string() }));

/** The behaviour of an operation that also refuses, anywhere in its input, values that Kubernetes never takes. */
function refusingInvalidValues({ run, ...behaviour }: Behaviour): Behaviour {
  return {
    ...behaviour,
    run: (call, body) => {
      refuseInvalidIn(call, body, []);
      return run(call, body);
    },
  };
}

function refuseInvalidIn(call: Call<ErrorCode>, value: unknown, path: readonly string[]): void {
  const names = path.filter((name) => !/^\d+$/.test(name));
  const code = call.operation.errors.includes("InvalidParameter.Param") ? "InvalidParameter.Param" : "InvalidParameter";
  const rule = rules[names.slice(-2).join(".")];
  if (typeof value === "string" && rule) refuseUnlessAllowed(call, code, path.join("."), value, rule);
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) refuseInvalidIn(call, inner, [...path, name]);
  const taints = path.at(-1) === "Taints" ? taintList.safeParse(value).data : undefined;
  const twice = taints && repeatedTaint(taints.map(({ Key: key, Effect: effect }) => ({ key, effect })));
  if (twice)
    throw call.error(code, `${path.join(".")} has a taint of key ${twice.key} and effect ${twice.effect} twice; a node has each pair once`);
}

export const clusterServiceBehaviours: readonly Behaviour[] = [
  ...clusterBehaviours,
  ...creationBehaviours,
  ...authenticationBehaviours,
  ...versionBehaviours,
  ...nodeUpgradeBehaviours,
  ...taskBehaviours,
  ...endpointBehaviours,
  ...kubeconfigBehaviours,
  ...nodePoolBehaviours,
  ...nodeBehaviours,
  ...permissionBehaviours,
  ...edgeNodeBehaviours,
  ...nodeOfferBehaviours,
  ...regularPoolBehaviours,
].map(refusingInvalidValues);
