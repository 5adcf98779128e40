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
    unique: [
      { by: "clusterCidr", as: "range", in: "vpcId" },
      { by: "serviceCidr", as: "range", in: "vpcId", meets: "clusterCidr" },
    ],
  },
  ClusterEndpoint: {
    changes: {
      replace: ["clusterId", "isExtranet", "subnetId", "domain"],
      mixed: ["securityGroup"],
      "in place": ["allowedCidrBlocks", "credentialsVersion"],
      "order-only": ["nodePoolIds"],
      "local-only": ["renewBefore"],
    },
    idInputs: ["clusterId", "isExtranet"],
  },
  ElasticIp: {
    changes: {
      replace: ["internetServiceProvider"],
      "in place": ["addressName", "internetMaxBandwidthOut", "tags"],
      mixed: ["internetChargeType"],
      "local-only": ["addressChargePrepaid"],
    },
  },
  Ipv6Block: { changes: { replace: ["vpcId"] }, idInputs: ["vpcId"] },
  Namespace: {
    changes: {
      replace: ["registryId", "namespaceName"],
      "in place": ["isPublic", "autoScan", "severity", "cveWhitelist", "tags", "retentionRule"],
    },
    idInputs: ["registryId", "namespaceName"],
  },
  NatGateway: {
    changes: {
      replace: ["vpcId", "zone"],
      "in place": ["publicIpAddresses", "natGatewayName", "internetMaxBandwidthOut", "maxConcurrentConnection", "tags"],
    },
    unique: [{ by: "publicIpAddresses", as: "name" }],
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
  },
  RegistryInstance: {
    changes: {
      replace: ["registryName", "enableCosMaz"],
      "in place": ["registryType", "enableCosVersioning", "deletionProtection", "publicAccess", "internalAccess", "tags"],
      "local-only": ["deleteBucket"],
    },
    protectedBy: "deletionProtection",
    unique: [{ by: "registryName", as: "name" }],
    detaches: true,
  },
  ReplicationRule: {
    changes: {
      replace: ["sourceRegistryId", "ruleName", "destinationRegistryId", "destinationRegion"],
      "in place": ["destNamespace", "filters", "override", "deletion", "enabled", "description"],
    },
    idInputs: ["sourceRegistryId", "ruleName"],
  },
  Repository: {
    changes: {
      replace: ["registryId", "namespaceName", "repositoryName"],
      "in place": ["briefDescription", "description"],
      "local-only": ["forceDelete"],
    },
    idInputs: ["registryId", "namespaceName", "repositoryName"],
  },
  RouteTable: { changes: { replace: ["vpcId"], "in place": ["routeTableName", "routes", "tags"] } },
  SecurityGroup: { changes: { "in place": ["groupName", "groupDescription", "ingress", "egress", "tags"] } },
  ServiceAccount: {
    changes: { replace: ["registryId", "name"], "in place": ["permissions", "description", "disable", "expiresAt", "passwordVersion"] },
    idInputs: ["registryId", "name"],
  },
  Subnet: {
    changes: { replace: ["vpcId", "cidrBlock", "zone"], "in place": ["subnetName", "ipv6SubnetCidrBlock", "routeTableId", "tags"] },
    unique: [
      { by: "cidrBlock", as: "range", in: "vpcId" },
      { by: "ipv6SubnetCidrBlock", as: "range", in: "vpcId" },
    ],
  },
  Token: { changes: { replace: ["registryId", "tokenType"], "in place": ["desc", "enabled"], "local-only": ["renewBefore"] } },
  UserPermission: {
    changes: { replace: ["targetUin", "clusterId", "roleName", "roleType", "namespace"] },
    idInputs: ["targetUin", "clusterId", "roleType", "namespace", "roleName"],
  },
  Vpc: {
    changes: { replace: ["cidrBlock"], "in place": ["vpcName", "enableRouteVpcPublishIpv6", "dnsServers", "tags"] },
    unique: [{ by: "cidrBlock", as: "range" }],
  },
} as const;
