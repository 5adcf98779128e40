/** Programs of the same shape: one resource, and many that depend on it. */

export const count = 200;

/** Ranges of 64 addresses, one after the other, so that 5,000 of them fit. */
const range = `"10." + Math.floor(index / 1024) + "." + Math.floor((index % 1024) / 4) + "." + (index % 4) * 64 + "/26"`;

export const subnets = (many = count): string => `
import { Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("network", { cidrBlock: "10.0.0.0/12" });
for (let index = 0; index < ${many}; index++)
  new Subnet("subnet-" + index, { vpcId: vpc.vpcId, cidrBlock: ${range}, zone: "eu-frankfurt-1" });
`;

/** The same in YAML, as resources of the native plugin. @param plugin its folder */
export const subnetsInYaml = (plugin: string, many = count): string => `
name: throw-away
runtime: yaml
plugins: { providers: [{ name: container-platform, path: ${plugin} }] }
config:
  container-platform:endpoint: { value: local }
  container-platform:region: { value: eu-frankfurt }
resources:
  network: { type: container-platform:Vpc, properties: { cidrBlock: 10.0.0.0/12 } }
${Array.from({ length: many }, (_, index) => {
  const cidrBlock = `10.${Math.floor(index / 1024)}.${Math.floor((index % 1024) / 4)}.${(index % 4) * 64}/26`;
  return `  subnet-${index}: { type: container-platform:Subnet, properties: { vpcId: "\${network.vpcId}", cidrBlock: ${cidrBlock}, zone: eu-frankfurt-1 } }\n`;
}).join("")}`;

/** Dynamic resources that do nothing, with a constant text: what the engine and its dynamic host cost by themselves. */
export const nothings = (many = count): string => `
import { CustomResource } from "@pulumi/pulumi";
const text = 'exports.handler=()=>({check:async(o,n)=>({inputs:n}),diff:async()=>({changes:false}),create:async(i)=>({id:"nothing-"+i.name,outs:i}),read:async(id,props)=>({id,props,inputs:props}),update:async(id,o,n)=>({outs:n}),delete:async()=>{}})';
class Nothing extends CustomResource {
  constructor(name, args) {
    super("pulumi-nodejs:dynamic/nothing:Nothing", name, { ...args, name, __provider: text });
  }
}
const network = new Nothing("network", { cidrBlock: "10.0.0.0/12" });
for (let index = 0; index < ${many}; index++)
  new Nothing("subnet-" + index, { vpcId: network.id, cidrBlock: ${range}, zone: "eu-frankfurt-1" });
`;

export const namespaces = (many = count): string => `
import { Namespace, RegistryInstance } from "@container-platform/pulumi";
const images = new RegistryInstance("images", { registryName: "many-namespaces", deleteBucket: true });
for (let index = 0; index < ${many}; index++)
  new Namespace("namespace-" + index, { registryId: images.registryId, namespaceName: "team-" + index, isPublic: false });
`;

/** A cluster to wait for. */
export const cluster = `
import { Cluster, Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("network", { cidrBlock: "10.0.0.0/16" });
const subnet = new Subnet("subnet", { vpcId: vpc.vpcId, cidrBlock: "10.0.0.0/24", zone: "eu-frankfurt-1" });
new Cluster("cluster", { vpcId: vpc.vpcId, subnetId: subnet.subnetId, clusterCidr: "172.16.0.0/16" });
`;
