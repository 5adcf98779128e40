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
		archive, err := containerplatform.NewRegistryInstance(ctx, "archive", &containerplatform.RegistryInstanceArgs{
			RegistryName: pulumi.String("acme-archive"),
			DeleteBucket: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}
		copies, err := containerplatform.NewNamespace(ctx, "copies", &containerplatform.NamespaceArgs{
			RegistryId:    archive.RegistryId,
			NamespaceName: pulumi.String("copies"),
			IsPublic:      pulumi.Bool(false),
		})
		if err != nil {
			return err
		}
		_, err = containerplatform.NewReplicationRule(ctx, "rule", &containerplatform.ReplicationRuleArgs{
			SourceRegistryId:      images.RegistryId,
			RuleName:              pulumi.String("archive"),
			DestinationRegistryId: archive.RegistryId,
			DestNamespace:         copies.NamespaceName,
			Filters: containerplatform.ReplicationRuleFilterArray{
				&containerplatform.ReplicationRuleFilterArgs{
					Type:  pulumi.String(containerplatform.ReplicationRuleFilterTypeName),
					Value: pulumi.String("team/**"),
				},
				&containerplatform.ReplicationRuleFilterArgs{
					Type:  pulumi.String(containerplatform.ReplicationRuleFilterTypeTag),
					Value: pulumi.String("v*"),
				},
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
