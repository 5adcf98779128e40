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
			AutoScan:      pulumi.Bool(true),
			Severity:      pulumi.String(containerplatform.NamespaceSeverityHigh),
			RetentionRule: &containerplatform.NamespaceRetentionRuleArgs{
				Key:         pulumi.String(containerplatform.NamespaceRetentionRuleKeyLatestPushedK),
				Value:       pulumi.Int(20),
				CronSetting: pulumi.String(containerplatform.NamespaceRetentionRuleCronSettingWeekly),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("imagePrefix", team.ImagePrefix.Public())
		return nil
	})
}
