import { clientsIn, entryText, itemsOf, listChange } from "../../review/assess/access.ts";
import { access, type AccessChange, always, type Changed, note, partlyUndone, type ReviewOf } from "../../review/assess/reviewed.ts";

export const review: ReviewOf<"ClusterEndpoint"> = {
  seconds: { create: 90, update: 10, delete: 45 },
  ending: {
    unreachable: ({ before }) => [
      before?.["isExtranet"] === true ? "the cluster's API from the internet" : "the cluster's API from the VPC",
      "clients that use a kubeconfig of this endpoint",
    ],
    undo: partlyUndone("an endpoint can be created again; unless it has a domain, its address changes, and clients need a new kubeconfig"),
  },
  changes: {
    renewBefore: "harmless",
    allowedCidrBlocks: access(allowedChange, "the cluster's API", "the cluster's API"),
    securityGroup: always("access-changed", "another security group decides who may reach the cluster's API"),
    credentialsVersion: note("the kubeconfig is read again"),
  },
  opens: {
    decidedBy: ({ isExtranet }) => ({ isExtranet }),
    opening: ({ isExtranet, allowedCidrBlocks }) => {
      if (isExtranet !== true) return undefined;
      const clients = clientsIn(allowedCidrBlocks);
      return {
        property: clients ? "allowedCidrBlocks" : "isExtranet",
        sentence: `opens the cluster's API on the internet, to ${clients || "everything that its security group admits"}`,
      };
    },
  },
};

/** Without a list, the security group alone decides. */
function allowedChange({ before, after }: Changed): AccessChange {
  const [old, now] = [itemsOf(before), itemsOf(after)];
  const change = listChange(before, after, entryText);
  if (change.undecided || (old.length === 0) === (now.length === 0)) return change;
  const others = `everything that its security group admits, besides ${(now.length === 0 ? old : now).map(entryText).join(", ")}`;
  return { opened: now.length === 0 ? [others] : [], everyone: false, narrowed: now.length === 0 ? [] : [others], undecided: false };
}
