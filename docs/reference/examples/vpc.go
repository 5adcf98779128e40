package main

import (
	"example.com/pulumi-container-platform/sdk/go/containerplatform"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		network, err := containerplatform.NewVpc(ctx, "network", &containerplatform.VpcArgs{
			CidrBlock: pulumi.String("10.0.0.0/16"),
			Tags: pulumi.StringMap{
				"team": pulumi.String("shop"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("vpcId", network.VpcId)
		return nil
	})
}
