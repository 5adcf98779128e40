import type { automation } from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { outcomeCollector } from "./outcome.ts";

test("operations are told by type and whole name, without those that change nothing", () => {
  const { onEvent, outcome } = outcomeCollector("before");
  const planned = (op: automation.OpType, type: string, name: string) => {
    const metadata = { op, type, urn: `urn:pulumi:test::project::platform:index:Group$${type}::${name}`, provider: "", logical: true };
    onEvent({ sequence: 1, timestamp: 1, resourcePreEvent: { metadata } });
  };
  planned("create", "container-platform:index:Vpc", "a::b");
  planned("update", "container-platform:index:Vpc", "a");
  planned("same", "container-platform:index:Vpc", "b");
  planned("create", "pulumi:pulumi:Stack", "project-test");
  expect(outcome("").operations).toEqual({ "Vpc a::b": ["create"], "Vpc a": ["update"] });
});
