import type { Proof } from "./proof.ts";
import { accessProofs } from "./proofs/access.ts";
import { clientProofs } from "./proofs/client.ts";
import { clusterProofs } from "./proofs/cluster.ts";
import { clusterResourceProofs } from "./proofs/cluster-resources.ts";
import { conventionProofs } from "./proofs/conventions.ts";
import { networkProofs } from "./proofs/network.ts";
import { registryProofs } from "./proofs/registry.ts";

export const proofs: readonly Proof[] = [
  ...conventionProofs,
  ...clusterResourceProofs,
  ...clusterProofs,
  ...registryProofs,
  ...networkProofs,
  ...accessProofs,
];

/** Titles, and what they show: of the platform, and of its command-line client. */
export const allProofs: readonly Pick<Proof, "title" | "shows">[] = [...proofs, ...clientProofs];
