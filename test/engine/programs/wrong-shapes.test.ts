import { NodePool, Provider, SecurityGroup, Vpc } from "@container-platform/pulumi";
import { output } from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";

/** What TypeScript refuses, and JavaScript lets pass: a sentence before anything is registered. */

describe("the id of what is only read", () => {
  test.each([undefined, null, ""])("%j is refused: it would be created", (id) => {
    expect(() => {
      Reflect.apply(Reflect.get(SecurityGroup, "get"), SecurityGroup, ["g", id]);
    }).toThrow(
      `SecurityGroup.get("g", id): id is ${id === "" ? "empty" : String(id)}; it takes the id of what is there, such as sg-3f8a0c1e`,
    );
  });
});

describe("the option import", () => {
  test.each([
    [null, "null"],
    [7, "7"],
    [output("vpc-3f8a0c1e"), "an output or a secret"],
  ])("%#", (given, said) => {
    expect(() => {
      Reflect.construct(Vpc, ["z", { cidrBlock: "10.8.0.0/16" }, { import: given }]);
    }).toThrow(`Vpc z: the option import takes an id that is known in the preview, such as vpc-3f8a0c1e, not ${said}`);
  });
});

describe("arguments", () => {
  test.each([
    ["10.8.0.0/16", 'Vpc z: takes its arguments as an object, such as { name: value }, not "10.8.0.0/16"'],
    [["10.8.0.0/16"], 'Vpc z: takes its arguments as an object, such as { name: value }, not ["10.8.0.0/16"]'],
    [Promise.resolve({}), "Vpc z: takes its arguments as an object, such as { name: value }, not a promise, which has to be awaited"],
  ])("%j", (args, sentence) => {
    expect(() => {
      Reflect.construct(Vpc, ["z", args]);
    }).toThrow(sentence);
  });

  test("that are left out are no crash: the engine refuses what is required", () => {
    expect(() => {
      Reflect.construct(NodePool, ["z"]);
    }).not.toThrow(/Cannot convert/);
  });

  test.each([
    [{ regoin: "a" }, "Provider p: has no argument regoin; maybe you meant region"],
    [undefined, 'Provider p: takes its arguments as an object, such as { region: "eu-frankfurt" }'],
  ])("of a Provider: %j", (args, sentence) => {
    expect(() => {
      Reflect.construct(Provider, ["p", args]);
    }).toThrow(sentence);
  });
});
