#!/bin/sh
# A cluster with IPv4 and IPv6 addresses, made in the order of the specification (Network, zone and audit operations):
# private network, its IPv6 block, subnet, the subnet's IPv6 range, cluster.
#
#   examples/cli/dual-stack.sh [<name>]
#
# Platform and region are CONTAINER_PLATFORM_ENDPOINT and CONTAINER_PLATFORM_REGION of the environment.
# Prints the id of the cluster when it is Running.
set -eu

name=${1:-dual-stack}

# The private network.
vpc=$(cpcli vpc CreateVpc --VpcName "$name" --CidrBlock 10.0.0.0/16 --filter Vpc.VpcId --output text)

# Its IPv6 block: the platform chooses a /56.
block=$(cpcli vpc AssignIpv6CidrBlock --VpcId "$vpc" --filter Ipv6CidrBlock --output text)

# A subnet, in the first zone that can be used.
zone=$(cpcli compute DescribeZones --filter "ZoneSet[?ZoneState=='AVAILABLE'].Zone | [0]" --output text)
subnet=$(cpcli vpc CreateSubnet --VpcId "$vpc" --SubnetName "$name" --CidrBlock 10.0.0.0/20 --Zone "$zone" \
  --filter Subnet.SubnetId --output text)

# The subnet's IPv6 range: the first /64 of the block.
cpcli vpc AssignIpv6SubnetCidrBlock --VpcId "$vpc" --cli-unfold-argument \
  --Ipv6SubnetCidrBlocks.0.SubnetId "$subnet" \
  --Ipv6SubnetCidrBlocks.0.Ipv6SubnetCidrBlock "${block%/56}/64" > /dev/null

# The cluster: its pods take addresses of both families from the subnet.
cluster=$(cpcli cluster CreateCluster --VpcId "$vpc" --SubnetId "$subnet" --cli-unfold-argument \
  --ClusterBasicSettings.ClusterName "$name" \
  --ClusterAdvancedSettings.NetworkType VPC-CNI \
  --ClusterAdvancedSettings.IsDualStack true \
  --ClusterCIDRSettings.EniSubnetIds "$subnet" \
  --ClusterCIDRSettings.ServiceCIDR 172.20.0.0/16 \
  --filter ClusterId --output text)

cpcli wait cluster "$cluster"
echo "$cluster"
