import { modifySecurityGroupPolicies } from "../../catalogue/public-form.ts";
import * as vpc from "../../catalogue/vpc.ts";
import { type Difference, differs } from "../rule.ts";

const time = { time: "zoneless" } as const;
const createdTime = time;

// The published examples of answers are without these two.
const toldVpc = {
  fields: {
    createdTime,
    enableRouteVpcPublishIpv6: { absent: false },
    ipv6CidrBlockSet: { fields: { addressType: { absent: "" } } },
  },
} as const;

const subnet = { fields: { createdTime, ipv6SubnetCidrBlock: { same: "ipv6CidrBlock" } } } as const;
const securityGroup = {
  fields: { createdTime, updateTime: time, groupName: { same: "securityGroupName" }, groupDescription: { same: "securityGroupDesc" } },
} as const;
const renamedRange = { fields: { ipv6SubnetCidrBlock: { there: "Ipv6CidrBlock" } } } as const;

const protocol = { values: { ICMPV6: "ICMPv6" } } as const;
// A rule may be sent as it was read. Calls take both spellings of the protocol.
const rules = { ignored: ["ModifyTime"], fields: {} } as const;
const ruleChange = { securityGroupPolicySet: { fields: { ingress: rules, egress: rules } } } as const;
const direction = { values: { ingress: "INBOUND", egress: "OUTBOUND" }, where: { field: "name", is: ["direction"] } } as const;
const empty = { usual: "" } as const;
// A rule that is made of templates has neither.
const toldRules = {
  fields: {
    protocol: { ...protocol, absent: "" },
    port: { absent: "" },
    modifyTime: time,
    // Clients read each of these from every rule.
    cidrBlock: empty,
    ipv6CidrBlock: empty,
    securityGroupId: empty,
    serviceTemplate: { usual: { ServiceId: "", ServiceGroupId: "" } },
    addressTemplate: { usual: { AddressId: "", AddressGroupId: "" } },
  },
} as const;

const natGateway = { fields: { createdTime } } as const;
const routeTable = { fields: { createdTime, routeSet: { fields: { createdTime, destinationCidrBlock: empty } } } } as const;
const idSuffices = { optional: "its page says that the ID suffices" } as const;
const noAddress = { ResourceNotFound: "InvalidAddressId.NotFound" } as const;

export const vpcDifferences: readonly Difference[] = [
  differs(vpc.createVpc, { answer: { vpc: toldVpc } }),
  differs(vpc.describeVpcs, { answer: { vpcSet: toldVpc } }),
  differs(vpc.createSubnet, { answer: { subnet } }),
  differs(vpc.describeSubnets, { answer: { subnetSet: subnet } }),
  differs(vpc.createRouteTable, { answer: { routeTable } }),
  differs(vpc.describeRouteTables, { answer: { routeTableSet: routeTable } }),
  differs(vpc.createRoutes, { request: { routes: { fields: { destinationCidrBlock: empty } } }, answer: { routeTableSet: routeTable } }),
  differs(vpc.replaceRoutes, { request: { routes: { fields: { destinationCidrBlock: empty } } } }),
  differs(vpc.deleteRoutes, {
    request: { routes: { fields: { destinationCidrBlock: { ...empty, ...idSuffices }, gatewayType: idSuffices, gatewayId: idSuffices } } },
  }),
  differs(vpc.describeAddresses, { answer: { addressSet: { fields: { createdTime } } } }),
  differs(vpc.modifyAddressAttribute, { codes: noAddress }),
  differs(vpc.modifyAddressesBandwidth, { codes: noAddress }),
  differs(vpc.modifyAddressInternetChargeType, { codes: noAddress }),
  differs(vpc.releaseAddresses, { codes: noAddress }),
  differs(vpc.createNatGateway, { answer: { natGatewaySet: natGateway }, codes: { ResourceNotFound: "InvalidVpcId.NotFound" } }),
  differs(vpc.describeNatGateways, { answer: { natGatewaySet: natGateway } }),
  differs(vpc.createSecurityGroup, { answer: { securityGroup } }),
  differs(vpc.describeSecurityGroups, { answer: { securityGroupSet: securityGroup } }),
  differs(vpc.describeSecurityGroupPolicies, {
    request: { filters: { fields: { values: direction } } },
    answer: { securityGroupPolicySet: { fields: { ingress: toldRules, egress: toldRules } } },
  }),
  differs(vpc.createSecurityGroupPolicies, { request: ruleChange }),
  differs(vpc.deleteSecurityGroupPolicies, { request: ruleChange }),
  differs(modifySecurityGroupPolicies, { request: ruleChange }),
  differs(vpc.replaceSecurityGroupPolicies, { request: ruleChange }),
  differs(vpc.assignIpv6SubnetCidrBlock, {
    request: { ipv6SubnetCidrBlocks: renamedRange },
    answer: { ipv6SubnetCidrBlockSet: { fields: { ipv6SubnetCidrBlock: { same: "ipv6CidrBlock" } } } },
  }),
  differs(vpc.unassignIpv6SubnetCidrBlock, { request: { ipv6SubnetCidrBlocks: renamedRange } }),
];
