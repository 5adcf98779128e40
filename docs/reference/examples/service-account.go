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
		ci, err := containerplatform.NewServiceAccount(ctx, "ci", &containerplatform.ServiceAccountArgs{
			RegistryId: images.RegistryId,
			Name:       pulumi.String("ci"),
			Permissions: containerplatform.ServiceAccountPermissionArray{
				&containerplatform.ServiceAccountPermissionArgs{
					Resource: team.NamespaceName,
					Actions: pulumi.StringArray{
						pulumi.String(containerplatform.ServiceAccountPermissionAction_Reg_PushRepository),
						pulumi.String(containerplatform.ServiceAccountPermissionAction_Reg_PullRepository),
					},
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("username", ci.Username)
		ctx.Export("password", ci.Password)
		return nil
	})
}
