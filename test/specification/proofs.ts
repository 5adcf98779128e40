import type { Proof } from "./proof.ts";
import { accessProofs } from "./proofs/access.ts";
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
