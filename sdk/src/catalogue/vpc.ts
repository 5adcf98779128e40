/** The operations of the VPC service. */

export {
  type AddressStatus,
  addressStatuses,
  allocateAddresses,
  type ChargeType,
  chargeTypes,
  describeAddresses,
  modifyAddressAttribute,
  modifyAddressesBandwidth,
  modifyAddressInternetChargeType,
  releaseAddresses,
  serviceProviders,
} from "./vpc/addresses.ts";
export {
  associateNatGatewayAddress,
  createNatGateway,
  deleteNatGateway,
  describeNatGateways,
  disassociateNatGatewayAddress,
  modifyNatGatewayAttribute,
  natBandwidths,
  natConnections,
  type NatGatewayState,
  natGatewayStates,
  resetNatGatewayConnection,
} from "./vpc/nat-gateways.ts";
export {
  createRoutes,
  createRouteTable,
  deleteRoutes,
  deleteRouteTable,
  describeRouteTables,
  type GatewayType,
  gatewayTypes,
  modifyRouteTableAttribute,
  replaceRoutes,
  replaceRouteTableAssociation,
} from "./vpc/route-tables.ts";
export {
  createSecurityGroupPolicies,
  deleteSecurityGroupPolicies,
  describeSecurityGroupPolicies,
  replaceSecurityGroupPolicies,
} from "./vpc/security-groups.ts";
export {
  createSecurityGroup,
  deleteSecurityGroup,
  describeSecurityGroupAssociationStatistics,
  describeSecurityGroups,
  modifySecurityGroupAttribute,
} from "./vpc/security-groups.ts";
export {
  assignIpv6SubnetCidrBlock,
  createSubnet,
  deleteSubnet,
  describeSubnets,
  modifySubnetAttribute,
  unassignIpv6SubnetCidrBlock,
} from "./vpc/vpcs.ts";
export { assignIpv6CidrBlock, createVpc, deleteVpc, describeVpcs, modifyVpcAttribute, unassignIpv6CidrBlock } from "./vpc/vpcs.ts";
