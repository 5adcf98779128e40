import { natAddressFlaw } from "@container-platform/sdk";
import { everyElasticIp } from "@container-platform/sdk/finders/vpc";
import { recently } from "../../definition/context.ts";
import type { Kind } from "../../definition/definition.ts";
import type { Invariant, Violation } from "../../definition/invariants.ts";
import { differs } from "../../schema/compare.ts";
import { schemaOf } from "../../schema/parts.ts";
import { displayPath, expandPath, valueAt } from "../../schema/paths.ts";
import { nameOf } from "../../schema/urn.ts";
import { holdsUnknown } from "../../schema/values.ts";

const input = "publicIpAddresses";

/** A NAT gateway takes the addresses of elastic IPs of its region that are BGP, billed by traffic, and bound to nothing else. */
export const addressesFit: Invariant<Kind, typeof input> = async (graph, node, world) => {
  if (node.operation === "import") return undefined;
  const check = async (path: string): Promise<readonly Violation[]> => {
    const refused = (code: Violation["code"], message: string): readonly Violation[] => [{ code, path: displayPath(path), message }];
    const source = graph.source(node, path);
    if (source) {
      const { internetServiceProvider: provider, internetChargeType: charge } = source.inputs;
      const flaw = typeof provider === "string" && typeof charge === "string" ? natAddressFlaw(provider, charge) : undefined;
      if (flaw !== undefined) return refused("UnmetRequirement", `"${nameOf(source.urn)}" ${flaw}`);
      const other = graph
        .ofType(node.kind.type)
        .find(({ urn, sources }) => urn !== node.urn && Object.values(sources).includes(source.urn));
      return other ? refused("InUse", `"${nameOf(source.urn)}" is an address of "${nameOf(other.urn)}" as well. Use another one`) : [];
    }
    const address = valueAt(node.inputs, path);
    const before = node.lastInputs[input];
    if (typeof address !== "string" || holdsUnknown(address) || (Array.isArray(before) && before.includes(address))) return [];
    const all = await world.ifReadable(`elastic IP ${address} exists`, () => everyElasticIp(world.cloud.tolerating(recently)));
    const found = all?.find(({ addressIp }) => addressIp === address);
    if (!found) return all ? refused("NotFound", `no elastic IP in ${world.cloud.region} has the address ${address}`) : [];
    const flaw = natAddressFlaw(found.internetServiceProvider, found.internetChargeType ?? "");
    if (flaw !== undefined) return refused("UnmetRequirement", `${address} ${flaw}`);
    const { instanceId = "", instanceType } = found;
    // Other gateways are compared with this one.
    const isElsewhere = instanceId !== "" && instanceType !== "NAT";
    return isElsewhere ? refused("InUse", `${address} is bound to ${instanceId}. Unbind it there, or use another one`) : [];
  };
  return (await Promise.all(expandPath(node.inputs, `${input}.*`).map(check))).flat();
};

/** Warns before a change of the billing: the platform does not tell how many were made. */
export const chargeChangesAreFew: Invariant<Kind, "internetChargeType"> = ({}, node, world) => {
  const { operation, kind, inputs, state } = node;
  const before = state?.["internetChargeType"];
  if (operation !== "keep" || before === undefined || !differs(schemaOf(kind, "internetChargeType"), inputs["internetChargeType"], before))
    return undefined;
  world.warnOnce({
    code: "SideEffect",
    path: "internetChargeType",
    message: `the billing of ${node.id ?? kind.type} changes. The platform allows two changes in the life of an elastic IP`,
  });
  return undefined;
};
