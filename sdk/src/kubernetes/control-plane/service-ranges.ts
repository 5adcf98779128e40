import { overlaps } from "../../formats/addresses.ts";
import type { ClusterRow } from "../../local/cluster/tables.ts";

/** What services take where the cluster was given no range: the first that is nobody else's in its VPC. */
const usual = ["192.168.0.0/17", "10.254.0.0/16", "172.31.0.0/16"] as const;

/** The ranges of the services of a cluster, one for each family, as the API server takes them. */
export function serviceRanges(
  { serviceCidr, clusterCidr, ipv6ServiceCidr }: Pick<ClusterRow["network"], "serviceCidr" | "clusterCidr" | "ipv6ServiceCidr">,
  vpcCidr: string,
): string {
  const taken = [vpcCidr, clusterCidr].filter((cidr) => cidr !== "");
  const free = usual.find((range) => !taken.some((cidr) => overlaps(range, cidr)));
  return [serviceCidr || (free ?? usual[0]), ...(ipv6ServiceCidr === undefined ? [] : [ipv6ServiceCidr])].join(",");
}
