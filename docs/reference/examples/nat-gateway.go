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
		egress, err := containerplatform.NewNatGateway(ctx, "egress", &containerplatform.NatGatewayArgs{
			VpcId: network.VpcId,
			PublicIpAddresses: pulumi.StringArray{
				address.AddressIp,
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("natGatewayId", egress.NatGatewayId)
		return nil
	})
}
