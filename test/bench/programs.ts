/** Programs of the same shape: one resource, and 200 that depend on it. */

export const count = 200;

export const subnets = `
import { Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("network", { cidrBlock: "10.0.0.0/12" });
for (let index = 0; index < ${count}; index++)
  new Subnet("subnet-" + index, { vpcId: vpc.vpcId, cidrBlock: "10.0." + index + ".0/24", zone: "eu-frankfurt-1" });
`;

/** Dynamic resources that do nothing, with a constant text: what the engine and its dynamic host cost by themselves. */
export const nothings = `
import { CustomResource } from "@pulumi/pulumi";
const text = 'exports.handler=()=>({check:async(o,n)=>({inputs:n}),diff:async()=>({changes:false}),create:async(i)=>({id:"nothing-"+i.name,outs:i}),read:async(id,props)=>({id,props,inputs:props}),update:async(id,o,n)=>({outs:n}),delete:async()=>{}})';
class Nothing extends CustomResource {
  constructor(name, args) {
    super("pulumi-nodejs:dynamic/nothing:Nothing", name, { ...args, name, __provider: text });
  }
}
const network = new Nothing("network", { cidrBlock: "10.0.0.0/12" });
for (let index = 0; index < ${count}; index++)
  new Nothing("subnet-" + index, { vpcId: network.id, cidrBlock: "10.0." + index + ".0/24", zone: "eu-frankfurt-1" });
`;

export const namespaces = `
import { Namespace, RegistryInstance } from "@container-platform/pulumi";
const images = new RegistryInstance("images", { registryName: "many-namespaces", deleteBucket: true });
for (let index = 0; index < ${count}; index++)
  new Namespace("namespace-" + index, { registryId: images.registryId, namespaceName: "team-" + index, isPublic: false });
`;

/** A cluster to wait for. */
export const cluster = `
import { Cluster, Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("network", { cidrBlock: "10.0.0.0/16" });
const subnet = new Subnet("subnet", { vpcId: vpc.vpcId, cidrBlock: "10.0.0.0/24", zone: "eu-frankfurt-1" });
new Cluster("cluster", { vpcId: vpc.vpcId, subnetId: subnet.subnetId, clusterCidr: "172.16.0.0/16" });
`;
