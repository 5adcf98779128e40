import { expect, test } from "vitest";
import { namesIn, valuesIn } from "./named-values.ts";

test("ids and names are found at any depth that a call may have, and in JSON that is a text", () => {
  const request = JSON.stringify({ SubnetId: "subnet-1", LoginSettings: { KeyIds: ["skey-1"], Password: "never" } });
  const tag = { TagKey: "VpcName", TagValue: "vpc-2" };
  const body = { ClusterId: "cls-1", RunInstancePara: [request], Tags: [tag], Filters: [{ Name: "vpc-id", Values: ["vpc-1"] }] };
  expect(namesIn(body)).toEqual(["cls-1", "subnet-1", "skey-1", "vpc-1"]);
});

test.each([5_000, 200_000])("a text of %i nested lists is no trap", (levels) => {
  const text = "[".repeat(levels) + "]".repeat(levels);
  expect(valuesIn({ VpcIds: [text] })).toEqual([]);
  expect(valuesIn({ VpcIds: [text, "vpc-1"] })).toEqual([{ name: "VpcIds", value: "vpc-1" }]);
});
