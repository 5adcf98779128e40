import { expect, test } from "vitest";
import { namedOtherwise } from "./paths.ts";

const names = {
  "native.instanceTypes": "nodePools.apps.instanceTypes",
  "native.scaling": "nodePools.apps",
  "native.scaling.minReplicas": "nodePools.apps.min",
  "native.scaling.maxReplicas": "nodePools.apps.max",
  "ingress[2].cidrBlock": "access.internet[0]",
  zone: "zones",
};

test.each([
  ["native.scaling: minReplicas 5 is above maxReplicas 2", "nodePools.apps: min 5 is above max 2"],
  ["native.scaling.minReplicas: takes a number, not a string", "nodePools.apps.min: takes a number, not a string"],
  ["native.instanceTypes[1]: takes a string, not a number", "nodePools.apps.instanceTypes[1]: takes a string, not a number"],
  ["ingress[2].cidrBlock: banana is not an IPv4 range", "access.internet[0]: banana is not an IPv4 range"],
  ["native: takes scaling or replicas", "native: takes scaling or replicas"],
  ["zones: are not the input zone", "zones: are not the input zone"],
  ['zone: "x" is no zone', 'zones: "x" is no zone'],
  ["zone is not followed by a colon", "zone is not followed by a colon"],
])("%s", (sentence, said) => {
  expect(namedOtherwise(names, sentence)).toBe(said);
});
