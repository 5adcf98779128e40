/** The operations of the VPC service. */

export { describeRouteTables, replaceRouteTableAssociation } from "./vpc/route-tables.ts";
export {
  createSecurityGroupPolicies,
  deleteSecurityGroupPolicies,
  describeSecurityGroupPolicies,
  replaceSecurityGroupPolicies,
} from "./vpc/security-group-rules.ts";
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
} from "./vpc/subnets.ts";
export { assignIpv6CidrBlock, createVpc, deleteVpc, describeVpcs, modifyVpcAttribute, unassignIpv6CidrBlock } from "./vpc/vpcs.ts";
