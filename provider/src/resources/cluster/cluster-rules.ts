import type { Options } from "./authentication.ts";
import type { InputsRule } from "../../definition/definition.ts";
import { orNone, same } from "../../schema/values.ts";

/** The inputs of a cluster that depend on each other. */
interface Inputs extends Pick<Options, "serviceAccounts"> {
  readonly clusterType: string;
  readonly networkType?: "GR" | "VPC-CNI" | undefined;
  readonly isDualStack: boolean;
  readonly eniSubnetIds?: readonly string[] | undefined;
  readonly clusterCidr?: string | undefined;
  readonly extraArgs?: object | undefined;
}

export function networkTypeOf({ networkType, isDualStack, eniSubnetIds }: Pick<Inputs, "networkType" | "isDualStack" | "eniSubnetIds">) {
  return networkType ?? (isDualStack || eniSubnetIds ? "VPC-CNI" : "GR");
}

export const rules: readonly InputsRule<Inputs>[] = [
  {
    of: "isDualStack",
    broken: (desired) =>
      desired.isDualStack && networkTypeOf(desired) !== "VPC-CNI" && 'a dual-stack cluster needs networkType "VPC-CNI", not "GR"',
  },
  {
    of: "eniSubnetIds",
    broken: (desired) =>
      networkTypeOf(desired) === "VPC-CNI"
        ? !desired.eniSubnetIds && 'networkType "VPC-CNI" needs at least one subnet for pods'
        : desired.eniSubnetIds !== undefined && 'goes with networkType "VPC-CNI" only: with "GR", pods have a range of their own',
  },
  {
    of: "clusterCidr",
    broken: (desired) =>
      networkTypeOf(desired) === "GR"
        ? !desired.clusterCidr && 'networkType "GR" needs a range for pods and services, outside of the VPC\'s'
        : desired.clusterCidr !== undefined && 'goes with networkType "GR" only: with "VPC-CNI", pods take addresses of eniSubnetIds',
  },
  {
    of: "extraArgs",
    broken: ({ clusterType, extraArgs }, before) =>
      clusterType === "INDEPENDENT_CLUSTER" &&
      before.clusterType === clusterType &&
      !same(orNone(extraArgs ?? {}), orNone(before.extraArgs ?? {})) &&
      'can be changed with clusterType "MANAGED_CLUSTER" only: of an "INDEPENDENT_CLUSTER" they stay as they were made',
  },
  {
    of: "serviceAccounts",
    broken: ({ serviceAccounts: { useServiceDefault, issuer, jwksUri } = {} }) =>
      (useServiceDefault === false ? issuer === undefined : issuer !== undefined || jwksUri !== undefined) &&
      "takes useServiceDefault: true alone, or useServiceDefault: false with an issuer",
  },
];

/** How large the level of a managed cluster is. */
export const levelOf = (level = "L0"): number => Number(level.slice(1));
