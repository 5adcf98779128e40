// The platform of examples/platform in Go, with the SDK that `npm run sdks` generates.
package main

import (
	"fmt"

	cp "example.com/pulumi-container-platform/sdk/go/containerplatform"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// The settings of a stack, as in `pulumi config set platform:nodes 5`.
type settings struct {
	cidrBlock, serviceCidr, instanceType, registryName, team string
	zones, allowedCidrBlocks, developers, auditors           []string
	nodes                                                    int
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		set := settingsOf(ctx)
		network, err := newNetwork(ctx, set)
		if err != nil {
			return err
		}
		cluster, err := newCluster(ctx, set, network)
		if err != nil {
			return err
		}
		return newRegistry(ctx, set, network, cluster)
	})
}

func settingsOf(ctx *pulumi.Context) settings {
	own := config.New(ctx, "platform")
	region := config.New(ctx, "container-platform").Require("region")
	text := func(key, fallback string) string {
		if value := own.Get(key); value != "" {
			return value
		}
		return fallback
	}
	list := func(key string, fallback ...string) []string {
		var values []string
		if err := own.GetObject(key, &values); err != nil || values == nil {
			return fallback
		}
		return values
	}
	nodes := own.GetInt("nodes")
	if nodes == 0 {
		nodes = 3
	}
	return settings{
		cidrBlock:         text("cidrBlock", "10.0.0.0/16"),
		serviceCidr:       text("serviceCidr", "172.20.0.0/16"),
		instanceType:      text("instanceType", "SA5.MEDIUM4"),
		registryName:      text("registryName", "platform-images"),
		team:              text("team", "team"),
		zones:             list("zones", region+"-1", region+"-2", region+"-3"),
		allowedCidrBlocks: list("allowedCidrBlocks", "203.0.113.0/24"),
		developers:        list("developers", "100000000002"),
		auditors:          list("auditors", "100000000003"),
		nodes:             nodes,
	}
}

type network struct {
	vpc       *cp.Vpc
	subnetIds pulumi.StringArray
	group     *cp.SecurityGroup
}

// A private network with addresses of both families, and one subnet in each zone.
func newNetwork(ctx *pulumi.Context, set settings) (*network, error) {
	vpc, err := cp.NewVpc(ctx, "platform", &cp.VpcArgs{CidrBlock: pulumi.String(set.cidrBlock)})
	if err != nil {
		return nil, err
	}
	// A /56: each subnet gets a /64 of it.
	ipv6, err := cp.NewIpv6Block(ctx, "platform", &cp.Ipv6BlockArgs{VpcId: vpc.VpcId})
	if err != nil {
		return nil, err
	}
	routes, err := newWayOut(ctx, vpc)
	if err != nil {
		return nil, err
	}
	var subnetIds pulumi.StringArray
	for index, zone := range set.zones {
		part, err := cp.CidrSubnet(ctx, &cp.CidrSubnetArgs{Range: set.cidrBlock, Prefix: 20, Index: index})
		if err != nil {
			return nil, err
		}
		ipv6Part := cp.SubnetCidrBlockOutput(ctx, cp.SubnetCidrBlockOutputArgs{
			Ipv6CidrBlock: ipv6.Ipv6CidrBlock,
			Index:         pulumi.Int(index),
		})
		subnet, err := cp.NewSubnet(ctx, fmt.Sprintf("nodes-%d", index+1), &cp.SubnetArgs{
			VpcId:               vpc.VpcId,
			Zone:                pulumi.String(zone),
			CidrBlock:           pulumi.String(part.CidrBlock),
			Ipv6SubnetCidrBlock: ipv6Part.CidrBlock(),
			RouteTableId:        routes.RouteTableId,
		})
		if err != nil {
			return nil, err
		}
		subnetIds = append(subnetIds, subnet.SubnetId)
	}
	group, err := newGroup(ctx, set, ipv6)
	if err != nil {
		return nil, err
	}
	ctx.Export("vpcId", vpc.VpcId)
	ctx.Export("ipv6CidrBlock", ipv6.Ipv6CidrBlock)
	ctx.Export("subnetIds", subnetIds)
	return &network{vpc, subnetIds, group}, nil
}

// The way out for the nodes of all zones, over IPv4. Nothing on the internet reaches the nodes through it.
func newWayOut(ctx *pulumi.Context, vpc *cp.Vpc) (*cp.RouteTable, error) {
	egress, err := cp.NewElasticIp(ctx, "platform", &cp.ElasticIpArgs{InternetMaxBandwidthOut: pulumi.Int(100)})
	if err != nil {
		return nil, err
	}
	gateway, err := cp.NewNatGateway(ctx, "platform", &cp.NatGatewayArgs{
		VpcId:             vpc.VpcId,
		PublicIpAddresses: pulumi.StringArray{egress.AddressIp},
	})
	if err != nil {
		return nil, err
	}
	ctx.Export("egressIp", egress.AddressIp)
	return cp.NewRouteTable(ctx, "platform", &cp.RouteTableArgs{
		VpcId: vpc.VpcId,
		Routes: cp.RouteTableRouteArray{&cp.RouteTableRouteArgs{
			DestinationCidrBlock: pulumi.String("0.0.0.0/0"),
			GatewayType:          pulumi.String("NAT"),
			GatewayId:            gateway.NatGatewayId,
		}},
	})
}

// The traffic that may reach nodes and API server, over IPv4 and IPv6.
func newGroup(ctx *pulumi.Context, set settings, ipv6 *cp.Ipv6Block) (*cp.SecurityGroup, error) {
	rule := func(protocol string) *cp.SecurityGroupRuleArgs {
		return &cp.SecurityGroupRuleArgs{Protocol: pulumi.String(protocol), Action: pulumi.String("ACCEPT")}
	}
	among := rule("ALL")
	among.Self = pulumi.Bool(true)
	among.PolicyDescription = pulumi.String("nodes among each other")
	inside, inside6 := rule("ALL"), rule("ALL")
	inside.CidrBlock = pulumi.String(set.cidrBlock)
	inside.PolicyDescription = pulumi.String("the VPC, over IPv4")
	inside6.Ipv6CidrBlock = ipv6.Ipv6CidrBlock
	inside6.PolicyDescription = pulumi.String("the VPC, over IPv6")
	ingress := cp.SecurityGroupRuleArray{among, inside, inside6}
	for _, cidrBlock := range set.allowedCidrBlocks {
		allowed := rule("TCP")
		allowed.Port = pulumi.String("443")
		allowed.CidrBlock = pulumi.String(cidrBlock)
		ingress = append(ingress, allowed)
	}
	messages := rule("ICMPV6")
	messages.Ipv6CidrBlock = pulumi.String("::/0")
	messages.PolicyDescription = pulumi.String("IPv6 needs ICMP")
	out, out6 := rule("ALL"), rule("ALL")
	out.CidrBlock = pulumi.String("0.0.0.0/0")
	out6.Ipv6CidrBlock = pulumi.String("::/0")
	return cp.NewSecurityGroup(ctx, "platform", &cp.SecurityGroupArgs{
		GroupDescription: pulumi.String("Nodes and API server of the platform"),
		Ingress:          append(ingress, messages),
		Egress:           cp.SecurityGroupRuleArray{out, out6},
	})
}

// A dual-stack cluster: pods and services have IPv4 and IPv6 addresses, taken from the subnets. Its nodes are spread over the zones.
func newCluster(ctx *pulumi.Context, set settings, in *network) (*cp.Cluster, error) {
	cluster, err := cp.NewCluster(ctx, "platform", &cp.ClusterArgs{
		VpcId:        in.vpc.VpcId,
		SubnetId:     in.subnetIds[0],
		EniSubnetIds: in.subnetIds,
		NetworkType:  pulumi.String("VPC-CNI"),
		IsDualStack:  pulumi.Bool(true),
		ServiceCidr:  pulumi.String(set.serviceCidr),
	})
	if err != nil {
		return nil, err
	}
	workers, err := cp.NewNodePool(ctx, "workers", &cp.NodePoolArgs{
		ClusterId: cluster.ClusterId,
		Labels:    pulumi.StringMap{"pool": pulumi.String("workers")},
		Taints: cp.NodePoolTaintArray{&cp.NodePoolTaintArgs{
			Key:    pulumi.String("dedicated"),
			Value:  pulumi.String("platform"),
			Effect: pulumi.String("PreferNoSchedule"),
		}},
		Native: &cp.NodePoolNativeArgs{
			SubnetIds:        in.subnetIds,
			InstanceTypes:    pulumi.StringArray{pulumi.String(set.instanceType)},
			SystemDisk:       &cp.NodePoolNativeSystemDiskArgs{DiskType: pulumi.String("CLOUD_PREMIUM"), DiskSize: pulumi.Int(50)},
			SecurityGroupIds: pulumi.StringArray{in.group.SecurityGroupId},
			Scaling:          &cp.NodePoolNativeScalingArgs{MinReplicas: pulumi.Int(set.nodes), MaxReplicas: pulumi.Int(set.nodes)},
		},
	})
	if err != nil {
		return nil, err
	}
	// Access from the internet, for the allowed ranges only.
	public, err := cp.NewClusterEndpoint(ctx, "public", &cp.ClusterEndpointArgs{
		ClusterId:         cluster.ClusterId,
		IsExtranet:        pulumi.Bool(true),
		SecurityGroup:     in.group.SecurityGroupId,
		AllowedCidrBlocks: pulumi.ToStringArray(set.allowedCidrBlocks),
		NodePoolIds:       pulumi.StringArray{workers.NodePoolId},
	})
	if err != nil {
		return nil, err
	}
	// Access from the VPC.
	internal, err := cp.NewClusterEndpoint(ctx, "internal", &cp.ClusterEndpointArgs{
		ClusterId:   cluster.ClusterId,
		IsExtranet:  pulumi.Bool(false),
		SubnetId:    in.subnetIds[0],
		NodePoolIds: pulumi.StringArray{workers.NodePoolId},
	})
	if err != nil {
		return nil, err
	}
	ctx.Export("clusterId", cluster.ClusterId)
	ctx.Export("clusterVersion", cluster.ClusterVersion)
	ctx.Export("publicAddress", public.Address)
	ctx.Export("internalAddress", internal.Address)
	// For `kubectl`: `pulumi stack output kubeconfig --show-secrets > kubeconfig.yaml`.
	ctx.Export("kubeconfig", public.Kubeconfig)
	return cluster, nil
}

// The team's own registry, which the cluster's VPC reaches and the internet does not, and what the team may do.
func newRegistry(ctx *pulumi.Context, set settings, in *network, cluster *cp.Cluster) error {
	registry, err := cp.NewRegistryInstance(ctx, "platform", &cp.RegistryInstanceArgs{
		RegistryName: pulumi.String(set.registryName),
		InternalAccess: cp.RegistryInstanceInternalAccessArray{
			&cp.RegistryInstanceInternalAccessArgs{VpcId: in.vpc.VpcId, SubnetId: in.subnetIds[0]},
		},
		// So that no bucket is left, and billed, after the stack is destroyed.
		DeleteBucket: pulumi.Bool(true),
	})
	if err != nil {
		return err
	}
	// The newest twenty images of each repository are kept.
	images, err := cp.NewNamespace(ctx, "team", &cp.NamespaceArgs{
		RegistryId:    registry.RegistryId,
		NamespaceName: pulumi.String(set.team),
		IsPublic:      pulumi.Bool(false),
		AutoScan:      pulumi.Bool(true),
		Severity:      pulumi.String("high"),
		RetentionRule: &cp.NamespaceRetentionRuleArgs{
			Key:         pulumi.String("latestPushedK"),
			Value:       pulumi.Int(20),
			CronSetting: pulumi.String("weekly"),
		},
	})
	if err != nil {
		return err
	}
	// The login of the nodes at the registry.
	pull, err := cp.NewToken(ctx, "pull", &cp.TokenArgs{
		RegistryId: registry.RegistryId,
		Desc:       pulumi.String("pulled by " + set.team),
	})
	if err != nil {
		return err
	}
	server := cp.PullServerOutput(ctx, cp.PullServerOutputArgs{
		RegistryName:    registry.RegistryName,
		VpcId:           in.vpc.VpcId,
		InternalDomains: registry.InternalDomains,
	}).Server()
	// The content of a secret of type `kubernetes.io/dockerconfigjson`, with which workloads pull the team's images over the VPC.
	secret := cp.PullSecretOutput(ctx, cp.PullSecretOutputArgs{Server: server, Username: pull.Username, Password: pull.Token})
	ctx.Export("registryServer", server)
	ctx.Export("imagePrefix", images.ImagePrefix.Vpc())
	ctx.Export("pullSecret", secret.DockerConfigJson())
	return grant(ctx, set, cluster)
}

// The team works in its own namespace of the cluster. Auditors can read everything in it, and change nothing.
func grant(ctx *pulumi.Context, set settings, cluster *cp.Cluster) error {
	for _, uin := range set.developers {
		_, err := cp.NewUserPermission(ctx, "developer-"+uin, &cp.UserPermissionArgs{
			TargetUin: pulumi.String(uin),
			ClusterId: cluster.ClusterId,
			RoleName:  pulumi.String("svc:ns:dev"),
			RoleType:  pulumi.String("namespace"),
			Namespace: pulumi.String(set.team),
		})
		if err != nil {
			return err
		}
	}
	for _, uin := range set.auditors {
		_, err := cp.NewUserPermission(ctx, "auditor-"+uin, &cp.UserPermissionArgs{
			TargetUin: pulumi.String(uin),
			ClusterId: cluster.ClusterId,
			RoleName:  pulumi.String("svc:ro"),
			RoleType:  pulumi.String("cluster"),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
