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
		team, err := containerplatform.NewNamespace(ctx, "team", &containerplatform.NamespaceArgs{
			RegistryId:    images.RegistryId,
			NamespaceName: pulumi.String("team"),
			IsPublic:      pulumi.Bool(false),
		})
		if err != nil {
			return err
		}
		web, err := containerplatform.NewRepository(ctx, "web", &containerplatform.RepositoryArgs{
			RegistryId:       images.RegistryId,
			NamespaceName:    team.NamespaceName,
			RepositoryName:   pulumi.String("web"),
			BriefDescription: pulumi.String("The shop"),
		})
		if err != nil {
			return err
		}
		ctx.Export("image", web.ImageName.Public())
		return nil
	})
}
