package main

import (
	"example.com/pulumi-container-platform/sdk/go/containerplatform"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		egress, err := containerplatform.NewElasticIp(ctx, "egress", &containerplatform.ElasticIpArgs{
			InternetMaxBandwidthOut: pulumi.Int(100),
		})
		if err != nil {
			return err
		}
		ctx.Export("address", egress.AddressIp)
		return nil
	})
}
