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
		nodes, err := containerplatform.NewSubnet(ctx, "nodes", &containerplatform.SubnetArgs{
			VpcId:     network.VpcId,
			Zone:      pulumi.String("eu-frankfurt-1"),
			CidrBlock: pulumi.String("10.0.0.0/20"),
		})
		if err != nil {
			return err
		}
		ctx.Export("subnetId", nodes.SubnetId)
		return nil
	})
}
