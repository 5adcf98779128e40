import { discovery } from "./discovery.fixture.ts";
import { management } from "./management.fixture.ts";
import { pull } from "./pull.fixture.ts";
import { pushOfBlobs } from "./push-blobs.fixture.ts";
import { pushOfManifests } from "./push-manifests.fixture.ts";
import type { Requirements } from "./requirement.fixture.ts";

const listed = (requirements: Requirements) => Object.entries(requirements).map(([says, prove]) => ({ says, prove }));

/** The categories of the distribution specification, with its requirements. */
export const categories = [
  { name: "Pull", requirements: listed(pull) },
  { name: "Push", requirements: listed({ ...pushOfBlobs, ...pushOfManifests }) },
  { name: "Content discovery", requirements: listed(discovery) },
  { name: "Content management", requirements: listed(management) },
];
