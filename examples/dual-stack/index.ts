import { Namespace, Platform, pullSecret, RegistryInstance, Token } from "@container-platform/pulumi";
import * as kubernetes from "@pulumi/kubernetes";
import { Config, interpolate } from "@pulumi/pulumi";

/** CIDR blocks from which you push images and use kubectl. */
const allowed = new Config().getObject<string[]>("allowedCidrBlocks") ?? ["127.0.0.1/32"];

/** A network of both families with a way out over IPv4, a cluster, and nodes in two zones. */
const { network, cluster, nodePools, kubeconfig } = new Platform("shop", {
  network: { zones: 2 },
  egress: "nat",
  nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"] } },
  access: { internet: allowed },
  // So that `pulumi destroy` deletes everything. With users, leave it out.
  deletionProtection: false,
});
const { vpcId } = network.vpc;

/** The registry: the nodes reach it over the VPC, and you reach it over the internet. */
const registry = new RegistryInstance("shop", {
  registryName: "shop-images",
  publicAccess: { whitelist: allowed.map((cidrBlock) => ({ cidrBlock })) },
  internalAccess: [{ vpcId, subnetId: network.subnetIds.nodes.apply(([first = ""]) => first) }],
  deleteBucket: true,
});
const images = new Namespace("shop", { registryId: registry.registryId, namespaceName: "shop", isPublic: false });
const token = new Token("shop", { registryId: registry.registryId });

const provider = new kubernetes.Provider(
  "shop",
  { kubeconfig, clusterIdentifier: cluster.clusterId, deleteUnreachable: true },
  { dependsOn: Object.values(nodePools) },
);
// The deletion of the cluster includes its objects.
const onCluster = { provider, deletedWith: cluster };
const namespace = new kubernetes.core.v1.Namespace("shop", { metadata: { name: "shop" } }, onCluster);
const secret = new kubernetes.core.v1.Secret(
  "images",
  {
    metadata: { name: "images", namespace: namespace.metadata.name },
    type: "kubernetes.io/dockerconfigjson",
    stringData: { ".dockerconfigjson": pullSecret({ registry, token, via: { vpcId } }) },
  },
  onCluster,
);

const labels = { app: "web" };
// You push the image after the first update, because the registry is part of this program.
const annotations = { "pulumi.com/skipAwait": "true" };
new kubernetes.apps.v1.Deployment(
  "web",
  {
    metadata: { name: "web", namespace: namespace.metadata.name, annotations },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          imagePullSecrets: [{ name: secret.metadata.name }],
          containers: [{ name: "web", image: interpolate`${images.imagePrefix.vpc}/web:v1`, ports: [{ containerPort: 80 }] }],
        },
      },
    },
  },
  onCluster,
);

/** One Service, with a public address of each family. */
const service = new kubernetes.core.v1.Service(
  "web",
  {
    metadata: { name: "web", namespace: namespace.metadata.name },
    spec: { type: "LoadBalancer", ipFamilyPolicy: "RequireDualStack", selector: labels, ports: [{ port: 80 }] },
  },
  onCluster,
);

export { kubeconfig };
export const { egressIps } = network;
export const addresses = service.status.loadBalancer.ingress.apply((all) => all.map(({ ip }) => ip));
export const { registryId, publicDomain } = registry;
export const login = { username: token.username, password: token.token };
