import { discovery } from "./discovery.fixture.ts";
import { management } from "./management.fixture.ts";
import { pull } from "./pull.fixture.ts";
import { pushOfBlobs } from "./push-blobs.fixture.ts";
import { pushOfManifests } from "./push-manifests.fixture.ts";
import type { Requirement } from "./requirement.fixture.ts";

/** The categories of the distribution specification, with its requirements. */
export const categories: readonly { readonly name: string; readonly requirements: readonly Requirement[] }[] = [
  { name: "Pull", requirements: pull },
  { name: "Push", requirements: [...pushOfBlobs, ...pushOfManifests] },
  { name: "Content discovery", requirements: discovery },
  { name: "Content management", requirements: management },
];
