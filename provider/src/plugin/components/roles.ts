import * as z from "@container-platform/sdk/zod";
import { inputError, refusal } from "../../definition/codes.ts";
import { isProps, type Props } from "../../schema/values.ts";

const roleList = z.array(z.string());

/**
 * The arguments of a network, with its subnets in the order in which they get their places in the range. A map loses its order on the way to
 * the plugin, so that `subnetRoles` says it.
 *
 * @param path of the arguments, such as `network.`
 * @throws Error if there are several roles without an order, or an order of other roles
 */
export function withRolesInOrder({ subnetRoles, ...args }: Props, path = ""): Props {
  const { subnets = { nodes: { prefix: 20 } } } = args;
  // What is no map of roles is refused by the network itself.
  if (!isProps(subnets)) return args;
  const roles = Object.keys(subnets).sort();
  if (subnetRoles === undefined && roles.length < 2) return args;
  const wrong = (sentence: string) => refusal([inputError(`${path}subnetRoles`, sentence)]);
  if (subnetRoles === undefined)
    throw wrong(
      `is required with several roles of subnets, as a map has no order here: list ${roles.join(", ")} in the order in which they get their places in the range, and a role that is added later at the end`,
    );
  const given = roleList.safeParse(subnetRoles);
  if (!given.success) throw wrong('takes a list of roles that is known in the preview, such as ["nodes", "pods"]');
  if (given.data.toSorted().join("\n") !== roles.join("\n"))
    throw wrong(`${JSON.stringify(given.data)} has to name each role of ${path}subnets once: ${roles.join(", ")}`);
  return { ...args, subnets: Object.fromEntries(given.data.map((role) => [role, subnets[role]])) };
}
