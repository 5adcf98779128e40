/**
 * All that the dashboard tells of a world. What is not a field here never leaves the world this way: no key, token, certificate, kubeconfig or
 * password, no parameters of calls, and not the seed, from which keys are drawn.
 */
export interface Shown {
  readonly clock: {
    /** Milliseconds since 1970, by the world's clock. */
    readonly time: number;
    readonly isFrozen: boolean;
    readonly timeScale: string;
  };
  /** The regions in which an account has something. */
  readonly places: readonly Place[];
  /** Newest first. */
  readonly calls: readonly ShownCall[];
}

/** The first of many, and how many there are besides. */
export interface Some<Item> {
  readonly items: readonly Item[];
  readonly more: number;
}

/** A state in the platform's words, and what it means to somebody who waits. */
export interface State {
  readonly name: string;
  readonly meaning: "ready" | "pending" | "failed" | "gone";
  /** Why it is so, if the platform says. */
  readonly reason?: string | undefined;
}

export interface Place {
  readonly account: string;
  readonly region: string;
  readonly networks: Some<Network>;
  readonly clusters: Some<Cluster>;
  readonly registries: Some<Registry>;
}

/** A VPC. */
export interface Network {
  readonly id: string;
  readonly name: string;
  readonly cidrBlock: string;
  readonly ipv6CidrBlock?: string | undefined;
  readonly subnets: Some<Subnet>;
}

export interface Subnet {
  readonly id: string;
  readonly name: string;
  readonly zone: string;
  readonly cidrBlock: string;
  readonly ipv6CidrBlock?: string | undefined;
}

export interface Cluster {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly vpcId: string;
  /** That of its control plane. */
  readonly subnetId: string;
  readonly isDualStack: boolean;
  readonly state: State;
  readonly pools: Some<Pool>;
  readonly nodes: Some<Node>;
  readonly endpoints: Some<Endpoint>;
}

export interface Pool {
  readonly id: string;
  readonly name: string;
  /** How many nodes it is to have. */
  readonly replicas: number;
  readonly state: State;
}

export interface Node {
  readonly id: string;
  readonly name: string;
  readonly poolId?: string | undefined;
  readonly subnetId: string;
  readonly zone: string;
  readonly address: string;
  readonly instanceType: string;
  readonly state: State;
}

/** Access to a cluster's API server. */
export interface Endpoint {
  readonly from: "internet" | "VPC";
  readonly address: string;
  readonly state: State;
}

export interface Registry {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly state: State;
  /** Access from the internet. */
  readonly publicAccess: State;
  /** Access from VPCs. */
  readonly connections: Some<Connection>;
  /** Where it answers image clients on this machine, if it does. */
  readonly ports: readonly Port[];
  readonly namespaces: Some<Namespace>;
  readonly repositories: Some<Repository>;
}

export interface Connection {
  readonly vpcId: string;
  readonly address: string;
  readonly state: State;
}

export interface Port {
  /** `internet`, or the id of a VPC. */
  readonly standpoint: string;
  readonly address: string;
}

export interface Namespace {
  readonly name: string;
  readonly isPublic: boolean;
}

export interface Repository {
  readonly namespace: string;
  readonly name: string;
  /** Newest first. */
  readonly images: Some<Image>;
}

export interface Image {
  readonly tag: string;
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  readonly pushedAt: number;
}

/** A call, as the audit log has it. */
export interface ShownCall {
  /** Grows with each call. */
  readonly number: number;
  /** Milliseconds since 1970, by the world's clock. */
  readonly time: number;
  readonly user: string;
  /** Empty for calls of no region. */
  readonly region: string;
  readonly product: string;
  readonly action: string;
  readonly isWrite: boolean;
  /** Ids and names of the resources that it was about. */
  readonly names: readonly string[];
  /** The code that it was refused with; empty if it was carried out. */
  readonly code: string;
}
