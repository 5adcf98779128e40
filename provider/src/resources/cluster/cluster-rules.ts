import type { InputsRule } from "../../definition/definition.ts";
import { orNone, same } from "../../schema/values.ts";

/** The inputs of a cluster that depend on each other. */
interface Inputs {
  readonly clusterType: string;
  readonly networkType?: "GR" | "VPC-CNI" | undefined;
  readonly isDualStack: boolean;
  readonly eniSubnetIds?: readonly string[] | undefined;
  readonly clusterCidr?: string | undefined;
  readonly extraArgs?: object | undefined;
  readonly serviceAccounts?:
    { useServiceDefault?: boolean | undefined; issuer?: string | undefined; jwksUri?: string | undefined } | undefined;
}

export function networkTypeOf({ networkType, isDualStack, eniSubnetIds }: Pick<Inputs, "networkType" | "isDualStack" | "eniSubnetIds">) {
  return networkType ?? (isDualStack || eniSubnetIds ? "VPC-CNI" : "GR");
}

export const rules: readonly InputsRule<Inputs>[] = [
  {
    of: "isDualStack",
    says: 'a dual-stack cluster needs networkType "VPC-CNI", not "GR"',
    broken: (desired) => desired.isDualStack && networkTypeOf(desired) !== "VPC-CNI",
  },
  {
    of: "eniSubnetIds",
    says: 'networkType "VPC-CNI" needs at least one subnet for pods',
    broken: (desired) => networkTypeOf(desired) === "VPC-CNI" && !desired.eniSubnetIds,
  },
  {
    of: "eniSubnetIds",
    says: 'goes with networkType "VPC-CNI" only: with "GR", pods have a range of their own',
    broken: (desired) => networkTypeOf(desired) === "GR" && desired.eniSubnetIds !== undefined,
  },
  {
    of: "clusterCidr",
    says: 'networkType "GR" needs a range for pods and services, outside of the VPC\'s',
    broken: (desired) => networkTypeOf(desired) === "GR" && !desired.clusterCidr,
  },
  {
    of: "clusterCidr",
    says: 'goes with networkType "GR" only: with "VPC-CNI", pods take addresses of eniSubnetIds',
    broken: (desired) => networkTypeOf(desired) === "VPC-CNI" && desired.clusterCidr !== undefined,
  },
  {
    of: "extraArgs",
    says: 'can be changed with clusterType "MANAGED_CLUSTER" only: of an "INDEPENDENT_CLUSTER" they stay as they were made',
    broken: ({ clusterType, extraArgs }, before) =>
      clusterType === "INDEPENDENT_CLUSTER" &&
      before.clusterType === clusterType &&
      !same(orNone(extraArgs ?? {}), orNone(before.extraArgs ?? {})),
  },
  {
    of: "serviceAccounts",
    says: "takes useServiceDefault: true alone, or useServiceDefault: false with an issuer",
    broken: ({ serviceAccounts: { useServiceDefault, issuer, jwksUri } = {} }) =>
      useServiceDefault === false ? issuer === undefined : issuer !== undefined || jwksUri !== undefined,
  },
];

/** How large the level of a managed cluster is. */
export const levelOf = (level = "L0"): number => Number(level.slice(1));
