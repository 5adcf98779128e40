package main

import (
	"example.com/pulumi-container-platform/sdk/go/containerplatform"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		network, err := containerplatform.NewVpc(ctx, "network", &containerplatform.VpcArgs{
			CidrBlock: pulumi.String("10.0.0.0/16"),
		})
		if err != nil {
			return err
		}
		address, err := containerplatform.NewElasticIp(ctx, "address", &containerplatform.ElasticIpArgs{
			InternetMaxBandwidthOut: pulumi.Int(100),
		})
		if err != nil {
			return err
		}
		gateway, err := containerplatform.NewNatGateway(ctx, "gateway", &containerplatform.NatGatewayArgs{
			VpcId: network.VpcId,
			PublicIpAddresses: pulumi.StringArray{
				address.AddressIp,
			},
		})
		if err != nil {
			return err
		}
		egress, err := containerplatform.NewRouteTable(ctx, "egress", &containerplatform.RouteTableArgs{
			VpcId: network.VpcId,
			Routes: containerplatform.RouteTableRouteArray{
				&containerplatform.RouteTableRouteArgs{
					DestinationCidrBlock: pulumi.String("0.0.0.0/0"),
					GatewayType:          pulumi.String(containerplatform.RouteTableRouteGatewayTypeNAT),
					GatewayId:            gateway.NatGatewayId,
				},
			},
		})
		if err != nil {
			return err
		}
		_, err = containerplatform.NewSubnet(ctx, "nodes", &containerplatform.SubnetArgs{
			VpcId:        network.VpcId,
			Zone:         pulumi.String("eu-frankfurt-1"),
			CidrBlock:    pulumi.String("10.0.0.0/20"),
			RouteTableId: egress.RouteTableId,
		})
		if err != nil {
			return err
		}
		ctx.Export("routeTableId", egress.RouteTableId)
		return nil
	})
}
