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
		platform, err := containerplatform.NewCluster(ctx, "platform", &containerplatform.ClusterArgs{
			VpcId:       network.VpcId,
			SubnetId:    nodes.SubnetId,
			ClusterCidr: pulumi.String("172.16.0.0/16"),
		})
		if err != nil {
			return err
		}
		workers, err := containerplatform.NewNodePool(ctx, "workers", &containerplatform.NodePoolArgs{
			ClusterId: platform.ClusterId,
			Labels: pulumi.StringMap{
				"pool": pulumi.String("workers"),
			},
			Native: &containerplatform.NodePoolNativeArgs{
				SubnetIds: pulumi.StringArray{
					nodes.SubnetId,
				},
				InstanceTypes: pulumi.StringArray{
					pulumi.String("SA5.MEDIUM4"),
				},
				SystemDisk: &containerplatform.NodePoolNativeSystemDiskArgs{
					DiskType: pulumi.String("CLOUD_PREMIUM"),
					DiskSize: pulumi.Int(50),
				},
				Replicas: pulumi.Int(2),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("nodePoolId", workers.NodePoolId)
		return nil
	})
}
