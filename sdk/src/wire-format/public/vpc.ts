import { modifySecurityGroupPolicies } from "../../catalogue/public-form.ts";
import {
  assignIpv6SubnetCidrBlock,
  createNatGateway,
  createRoutes,
  createRouteTable,
  createSecurityGroup,
  createSecurityGroupPolicies,
  createSubnet,
  createVpc,
  deleteRoutes,
  deleteSecurityGroupPolicies,
  describeAddresses,
  describeNatGateways,
  describeRouteTables,
  describeSecurityGroupPolicies,
  describeSecurityGroups,
  describeSubnets,
  describeVpcs,
  modifyAddressAttribute,
  modifyAddressesBandwidth,
  modifyAddressInternetChargeType,
  releaseAddresses,
  replaceRoutes,
  replaceSecurityGroupPolicies,
  unassignIpv6SubnetCidrBlock,
} from "../../catalogue/vpc.ts";
import { type Difference, differs } from "../rule.ts";

const time = { time: "zoneless" } as const;
const createdTime = time;

// The published examples of answers are without these two.
const vpc = {
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
  differs(createVpc, { answer: { vpc } }),
  differs(describeVpcs, { answer: { vpcSet: vpc } }),
  differs(createSubnet, { answer: { subnet } }),
  differs(describeSubnets, { answer: { subnetSet: subnet } }),
  differs(createRouteTable, { answer: { routeTable } }),
  differs(describeRouteTables, { answer: { routeTableSet: routeTable } }),
  differs(createRoutes, { request: { routes: { fields: { destinationCidrBlock: empty } } }, answer: { routeTableSet: routeTable } }),
  differs(replaceRoutes, { request: { routes: { fields: { destinationCidrBlock: empty } } } }),
  differs(deleteRoutes, {
    request: { routes: { fields: { destinationCidrBlock: { ...empty, ...idSuffices }, gatewayType: idSuffices, gatewayId: idSuffices } } },
  }),
  differs(describeAddresses, { answer: { addressSet: { fields: { createdTime } } } }),
  differs(modifyAddressAttribute, { codes: noAddress }),
  differs(modifyAddressesBandwidth, { codes: noAddress }),
  differs(modifyAddressInternetChargeType, { codes: noAddress }),
  differs(releaseAddresses, { codes: noAddress }),
  differs(createNatGateway, { answer: { natGatewaySet: natGateway }, codes: { ResourceNotFound: "InvalidVpcId.NotFound" } }),
  differs(describeNatGateways, { answer: { natGatewaySet: natGateway } }),
  differs(createSecurityGroup, { answer: { securityGroup } }),
  differs(describeSecurityGroups, { answer: { securityGroupSet: securityGroup } }),
  differs(describeSecurityGroupPolicies, {
    request: { filters: { fields: { values: direction } } },
    answer: { securityGroupPolicySet: { fields: { ingress: toldRules, egress: toldRules } } },
  }),
  differs(createSecurityGroupPolicies, { request: ruleChange }),
  differs(deleteSecurityGroupPolicies, { request: ruleChange }),
  differs(modifySecurityGroupPolicies, { request: ruleChange }),
  differs(replaceSecurityGroupPolicies, { request: ruleChange }),
  differs(assignIpv6SubnetCidrBlock, {
    request: { ipv6SubnetCidrBlocks: renamedRange },
    answer: { ipv6SubnetCidrBlockSet: { fields: { ipv6SubnetCidrBlock: { same: "ipv6CidrBlock" } } } },
  }),
  differs(unassignIpv6SubnetCidrBlock, { request: { ipv6SubnetCidrBlocks: renamedRange } }),
];
