import type { Undo } from "../report.ts";
import type { KindName, Subject } from "../plan/subject.ts";

/** What the end of a thing means to those who use it, whether it is deleted or replaced. */
export interface Ending {
  /** What goes with it and is nowhere else. */
  readonly loses: (subject: Subject) => string | undefined;
  /** What cannot be reached any more, or until the new one is there. */
  readonly unreachable: (subject: Subject) => readonly string[];
  readonly undo: Undo;
  /** The platform itself refuses it once something is so. */
  readonly refused?: string;
}

const again = (sentence: string): Undo => ({ possible: "partly", sentence });
const never = (sentence: string): Undo => ({ possible: "no", sentence });
const nothing = () => undefined;
const terminates = ({ before }: Subject): boolean => before?.["instanceDeleteMode"] !== "retain";

export const endings: Readonly<Record<KindName, Ending>> = {
  Vpc: {
    loses: nothing,
    unreachable: () => ["everything in the VPC"],
    undo: again("a VPC can be made again, with another id: all that is in it is made anew"),
    refused: "the platform refuses to delete it while anything is in it",
  },
  Ipv6Block: {
    loses: () => "the IPv6 range itself: the platform chooses another one next time",
    unreachable: () => ["whatever is reached by its IPv6 addresses"],
    undo: never("the platform chooses the range: the same one does not come back"),
  },
  Subnet: {
    loses: nothing,
    unreachable: () => ["everything with an address in the subnet"],
    undo: again("a subnet can be made again, with another id: what stands on it is made anew"),
    refused: "the platform refuses to delete it while anything is in it",
  },
  SecurityGroup: {
    loses: nothing,
    unreachable: () => [],
    undo: again("a group can be made again, with another id"),
    refused: "the platform refuses to delete it while something uses it",
  },
  Cluster: {
    loses: (subject) =>
      terminates(subject)
        ? "its workloads, what they keep on the nodes' disks, and the nodes, which are destroyed"
        : "its workloads; the nodes are kept as machines of no cluster",
    unreachable: () => ["the Kubernetes API", "every workload of the cluster"],
    undo: never("a cluster that is deleted does not come back: a new one is empty, and has other credentials"),
  },
  NodePool: {
    loses: () => "its nodes, and what is kept on their disks",
    unreachable: () => ["workloads that fit on no other node"],
    undo: again("a pool can be made again, with new nodes: what was on the old ones' disks is lost"),
  },
  ClusterEndpoint: {
    loses: nothing,
    unreachable: ({ before }) => [
      before?.["isExtranet"] === true ? "the cluster's API from the internet" : "the cluster's API from the VPC",
      "whoever uses a kubeconfig of this endpoint",
    ],
    undo: again("an endpoint can be opened again, with another address unless it has a domain: kubeconfigs are handed out anew"),
  },
  RegistryInstance: {
    loses: ({ before }) =>
      before?.["deleteBucket"] === true
        ? "all images, charts and their bucket"
        : "the registry with its namespaces, tokens and rules; the bucket with the images' layers is kept, and billed",
    unreachable: () => ["pulls and pushes of every image in it", "nodes that have to pull an image anew"],
    undo: never("a registry that is deleted does not come back: images have to be pushed again, and its name may be taken meanwhile"),
  },
  Namespace: {
    loses: () => "its rules of scanning and retention",
    unreachable: () => ["pulls and pushes of its images"],
    undo: again("a namespace can be made again, but its images have to be pushed anew"),
    refused: "the platform refuses to delete it while images are in it",
  },
  Token: {
    loses: () => "its password, which the platform tells once only",
    unreachable: () => ["whoever logs in to the registry with this token"],
    undo: never("a token's password does not come back: what uses it needs the new one"),
  },
  UserPermission: {
    loses: nothing,
    unreachable: ({ before }) => [`what ${text(before?.["targetUin"], "the sub-account")} may do in the cluster by this permission`],
    undo: { possible: "yes", sentence: "the same permission can be granted again" },
  },
};

/** Of things of other providers, nothing is known. */
export const unknownEnding: Ending = {
  loses: nothing,
  unreachable: () => [],
  undo: never("it is another provider's: whether it can be made again is not known here"),
};

function text(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
