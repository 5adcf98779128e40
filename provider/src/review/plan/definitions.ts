// Written by `npm run fix` from the definitions of the resources.
export const definitions = {
  Cluster: {
    changes: {
      replace: [
        "vpcId",
        "subnetId",
        "clusterType",
        "clusterOs",
        "containerRuntime",
        "networkType",
        "clusterCidr",
        "serviceCidr",
        "maxNodePodNum",
        "maxClusterServiceNum",
        "isDualStack",
        "kubeProxyMode",
        "ipvs",
      ],
      mixed: ["eniSubnetIds"],
      "in place": [
        "clusterVersion",
        "clusterName",
        "clusterDescription",
        "clusterLevel",
        "autoUpgradeClusterLevel",
        "extraArgs",
        "deletionProtection",
        "serviceAccounts",
        "oidcConfig",
        "existingInstances",
        "credentialsVersion",
        "tags",
      ],
      "local-only": ["upgradeNodes", "instanceDeleteMode", "resourceDeleteOptions"],
    },
    secrets: ["existingInstances[].loginSettings.password"],
    protectedBy: "deletionProtection",
    tagsInput: "tags",
  },
  ClusterEndpoint: {
    changes: {
      replace: ["clusterId", "isExtranet", "subnetId", "domain"],
      mixed: ["securityGroup"],
      "in place": ["allowedCidrBlocks", "credentialsVersion"],
      "order-only": ["nodePoolIds"],
      "local-only": ["renewBefore"],
    },
    secrets: [],
  },
  Ipv6Block: { changes: { replace: ["vpcId"] }, secrets: [] },
  Namespace: {
    changes: {
      replace: ["registryId", "namespaceName"],
      "in place": ["isPublic", "autoScan", "severity", "cveWhitelist", "tags", "retentionRule"],
    },
    secrets: [],
    tagsInput: "tags",
  },
  NodePool: {
    changes: {
      replace: ["clusterId", "type"],
      "in place": ["name", "labels", "annotations", "taints", "unschedulable", "deletionProtection", "tags"],
      mixed: ["native"],
      "local-only": ["waitForNodes"],
    },
    secrets: ["native.password"],
    protectedBy: "deletionProtection",
    tagsInput: "tags",
  },
  RegistryInstance: {
    changes: {
      replace: ["registryName", "enableCosMaz"],
      "in place": ["registryType", "enableCosVersioning", "deletionProtection", "publicAccess", "internalAccess", "tags"],
      "local-only": ["deleteBucket"],
    },
    secrets: [],
    protectedBy: "deletionProtection",
    tagsInput: "tags",
  },
  ReplicationRule: {
    changes: {
      replace: ["sourceRegistryId", "ruleName", "destinationRegistryId", "destinationRegion"],
      "in place": ["destNamespace", "filters", "override", "deletion", "enabled", "description"],
    },
    secrets: [],
  },
  Repository: {
    changes: {
      replace: ["registryId", "namespaceName", "repositoryName"],
      "in place": ["briefDescription", "description"],
      "local-only": ["forceDelete"],
    },
    secrets: [],
  },
  SecurityGroup: {
    changes: { "in place": ["groupName", "groupDescription", "ingress", "egress", "tags"] },
    secrets: [],
    tagsInput: "tags",
  },
  ServiceAccount: {
    changes: { replace: ["registryId", "name"], "in place": ["permissions", "description", "disable", "expiresAt", "passwordVersion"] },
    secrets: [],
  },
  Subnet: {
    changes: { replace: ["vpcId", "cidrBlock", "zone"], "in place": ["subnetName", "ipv6SubnetCidrBlock", "routeTableId", "tags"] },
    secrets: [],
    tagsInput: "tags",
  },
  Token: { changes: { replace: ["registryId", "tokenType"], "in place": ["desc", "enabled"], "local-only": ["renewBefore"] }, secrets: [] },
  UserPermission: { changes: { replace: ["targetUin", "clusterId", "roleName", "roleType", "namespace"] }, secrets: [] },
  Vpc: {
    changes: { replace: ["cidrBlock"], "in place": ["vpcName", "enableRouteVpcPublishIpv6", "dnsServers", "tags"] },
    secrets: [],
    tagsInput: "tags",
  },
} as const;
