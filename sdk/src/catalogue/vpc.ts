/** The operations of the VPC service. */

export { describeRouteTables, replaceRouteTableAssociation } from "./vpc/vpcs.ts";
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
