import { isLong } from "../../../sdk/src/long.fixture.ts";

/** Arguments that are wrong, and what is said about them: of the component, or of the child that sees it, by the component's names. */
const all = [
  ["Network", `{ cidrBlok: "10.0.0.0/16" }`, "resource 'x' has a problem: cidrBlok: there is no such property; maybe you meant cidrBlock"],
  ["Network", `{ zones: 4 }`, "resource 'x' has a problem: zones: 4 are asked for, and eu-frankfurt has 3 available zones"],
  [
    "Network",
    `{ cidrBlock: vpc.vpcId }`,
    "resource 'x' has a problem: cidrBlock: takes a range that is known in the preview, such as \"10.0.0.0/16\", not an output",
  ],
  ["Network", `{ cidrBlock: pulumi.secret("10.7.0.0/16") }`, "resource 'x' has a problem: cidrBlock: is a secret, and the component makes"],
  [
    "Platform",
    `{ nodePools, network: { cidrBlock: pulumi.secret("10.7.0.0/16") } }`,
    "resource 'x' has a problem: network.cidrBlock: is a secret, and the component makes",
  ],
  [
    "Platform",
    `{ nodePools: { a: { instanceTypes: ["SA5.MEDIUM4"], min: 5, max: 2 } } }`,
    "resource 'x' has a problem: nodePools.a: min 5 is above max 2",
  ],
  [
    "Platform",
    `{ nodePools, network: { zones: ["eu-frankfurt-9"] } }`,
    "resource 'x' has a problem: network.zones: eu-frankfurt-9 is no zone of eu-frankfurt",
  ],
  [
    "Platform",
    `{ nodePools, network: { subnets: { nodes: { prefix: 20 }, data: { prefix: 24 } } } }`,
    "resource 'x' has a problem: network.subnetRoles: is required with several roles of subnets",
  ],
  [
    "Platform",
    `{ nodePools, network: {}, sharedNetwork: network }`,
    "resource 'x' has a problem: sharedNetwork: cannot be given with network: a platform has one network",
  ],
  [
    "Platform",
    `{ nodePools, sharedNetwork: vpc }`,
    "resource 'x' has a problem: sharedNetwork: takes a Network of the same program and the same provider",
  ],
  [
    "Platform",
    `{ nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], diskSize: 10 } } }`,
    "resource 'x-apps' has a problem: nodePools.apps.diskSize: is 10 GB",
  ],
] as const;
/** In the short run one of each kind: of the component, of a secret, of what is shared, and of a child. */
export const mistakes = isLong
  ? all
  : all.filter(([, , sentence]) => /cidrBlok|network.cidrBlock: is a secret|cannot be given with network|diskSize/.test(sentence));
