package main

import (
	"example.com/pulumi-container-platform/sdk/go/containerplatform"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		web, err := containerplatform.NewSecurityGroup(ctx, "web", &containerplatform.SecurityGroupArgs{
			GroupDescription: pulumi.String("HTTPS from the internet"),
			Ingress: containerplatform.SecurityGroupRuleArray{
				&containerplatform.SecurityGroupRuleArgs{
					Protocol:  pulumi.String(containerplatform.SecurityGroupRuleProtocolTCP),
					Port:      pulumi.String("443"),
					CidrBlock: pulumi.String("0.0.0.0/0"),
					Action:    pulumi.String(containerplatform.SecurityGroupRuleActionACCEPT),
				},
				&containerplatform.SecurityGroupRuleArgs{
					Protocol:      pulumi.String(containerplatform.SecurityGroupRuleProtocolTCP),
					Port:          pulumi.String("443"),
					Ipv6CidrBlock: pulumi.String("::/0"),
					Action:        pulumi.String(containerplatform.SecurityGroupRuleActionACCEPT),
				},
			},
			Egress: containerplatform.SecurityGroupRuleArray{
				&containerplatform.SecurityGroupRuleArgs{
					Protocol:  pulumi.String(containerplatform.SecurityGroupRuleProtocolALL),
					CidrBlock: pulumi.String("0.0.0.0/0"),
					Action:    pulumi.String(containerplatform.SecurityGroupRuleActionACCEPT),
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("securityGroupId", web.SecurityGroupId)
		return nil
	})
}
