package main

import (
	"example.com/pulumi-container-platform/sdk/go/containerplatform"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		images, err := containerplatform.NewRegistryInstance(ctx, "images", &containerplatform.RegistryInstanceArgs{
			RegistryName: pulumi.String("acme-images"),
			DeleteBucket: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}
		pull, err := containerplatform.NewToken(ctx, "pull", &containerplatform.TokenArgs{
			RegistryId: images.RegistryId,
			Desc:       pulumi.String("for the nodes"),
		})
		if err != nil {
			return err
		}
		ctx.Export("username", pull.Username)
		ctx.Export("token", pull.Token)
		return nil
	})
}
