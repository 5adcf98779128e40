import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../operation/codec.ts";
import { outputFormats, render } from "./output.ts";

const vpcs = {
  TotalCount: 2,
  VpcSet: [
    { VpcName: "生产", VpcId: "vpc-1", IsDefault: false, Tags: [{ Value: "b", Key: "a" }] },
    { VpcName: "b\u001b[2Jx\ny", VpcId: "vpc-2", IsDefault: true, Tags: [] },
  ],
  RequestId: "r-1",
};

test("json keeps the order of names, and letters of any script", () => {
  expect(render({ b: "生产", a: [1, {}], c: [] }, "json", "X")).toBe(
    '{\n    "b": "生产",\n    "a": [\n        1,\n        {}\n    ],\n    "c": []\n}\n',
  );
  expect(render("生产", "json", "X")).toBe('"生产"\n');
  expect([null, false, 0, ""].map((value) => render(value, "json", "X"))).toEqual(["", "false\n", "0\n", '""\n']);
});

// These texts were printed by awscli/text.py of aws-cli 2.
test.each<[value: Json, text: string]>([
  [null, "None\n"],
  [true, "True\n"],
  ["a\tb\u001b[1m\nc", "a\tb\u001b[1m\nc\n"],
  [[], ""],
  [{}, ""],
  [["a", null, false, 2.5], "a\tNone\tFalse\t2.5\n"],
  [{ Zoneset: ["ap-1", "ap-2"] }, "ZONESET\tap-1\nZONESET\tap-2\n"],
  [{ b: 1, a: "x", B: null, straße: { c: 2, d: {} } }, "None\tx\t1\nSTRASSE\t2\n"],
  [vpcs, "r-1\t2\nVPCSET\tFalse\tvpc-1\t生产\nTAGS\ta\tb\nVPCSET\tTrue\tvpc-2\tb\u001b[2Jx\ny\n"],
  [[{ a: 1 }, { b: 2 }, { b: 3, a: 4, c: [5, 6] }], "1\t\n\t2\n4\t3\nC\t5\nC\t6\n"],
  [{ l: [["x", "y"], "z", [{ k: 1 }]] }, "L\tz\nL\tx\nL\ty\nL\t1\n"],
  [
    [{ t: null }, { t: ["it's", 'say "it\'s"', true, 1, { é: "\u200b\n\\" }] }],
    `None\n["it's", 'say "it\\'s"', True, 1, {'é': '\\u200b\\n\\\\'}]\n`,
  ],
  [{ "😀": 1, "\uffff": 2 }, "2\t1\n"],
])("text of %j", (value, text) => {
  expect(render(value, "text", "X")).toBe(text);
});

test("text of what the reference client fails on", () => {
  expect(render({ Mixed: [1, { a: 2 }, [3, 4]] }, "text", "X")).toBe("MIXED\t1\nMIXED\t2\nMIXED\t3\nMIXED\t4\n");
});

test("a table of what is nested", () => {
  expect(`\n${render(vpcs, "table", "DescribeVpcs")}`).toBe(String.raw`
----------------------------------------------
|                DescribeVpcs                |
+--------------------+-----------------------+
|     RequestId      |      TotalCount       |
+--------------------+-----------------------+
|  r-1               |  2                    |
+--------------------+-----------------------+
||                  VpcSet                  ||
|+---------------+-----------+--------------+|
||   IsDefault   |   VpcId   |   VpcName    ||
|+---------------+-----------+--------------+|
||  False        |  vpc-1    |  生产        ||
|+---------------+-----------+--------------+|
|||                  Tags                  |||
||+-----------------+----------------------+||
|||       Key       |        Value         |||
||+-----------------+----------------------+||
|||  a              |  b                   |||
||+-----------------+----------------------+||
||                  VpcSet                  ||
|+-------------+---------+------------------+|
||  IsDefault  |  VpcId  |     VpcName      ||
|+-------------+---------+------------------+|
||  True       |  vpc-2  |  b\u001b[2Jx\ny  ||
|+-------------+---------+------------------+|
|||                  Tags                  |||
||+----------------------------------------+||
`);
});

test("a table of rows", () => {
  const zones = [{ ZoneState: "AVAILABLE", Zone: "eu-frankfurt-1" }, { Zone: "eu-frankfurt-4" }];
  expect(`\n${render(zones, "table", "DescribeZones")}`).toBe(`
----------------------------------
|         DescribeZones          |
+------------------+-------------+
|       Zone       |  ZoneState  |
+------------------+-------------+
|  eu-frankfurt-1  |  AVAILABLE  |
|  eu-frankfurt-4  |             |
+------------------+-------------+
`);
  expect(`\n${render([["a", 1], "b", { c: null, d: true }, 2], "table", "Any")}`).toBe(`
-------------------
|       Any       |
+--------+--------+
|  a     |  1     |
|  b     |        |
+--------+--------+
+--------+--------+
|   c    |   d    |
+--------+--------+
|  None  |  True  |
+--------+--------+
+-----------------+
|  2              |
+-----------------+
`);
});

test("a row that is wider than the terminal is turned", () => {
  const vpc = { VpcId: "vpc-1", Description: "x".repeat(70) };
  expect(`\n${render(vpc, "table", "CreateVpc")}`).toBe(`
--------------------------------------------------------------------------------------------
|                                        CreateVpc                                         |
+---------------+--------------------------------------------------------------------------+
|  Description  |  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx  |
|  VpcId        |  vpc-1                                                                   |
+---------------+--------------------------------------------------------------------------+
`);
});

const cluster = {
  Alias: "None",
  ClusterDescription: "x".repeat(60),
  ClusterId: "cls-1",
  ClusterName: "生产",
  ClusterNetworkSettings: { Ipvs: false },
  ClusterState: "Running",
  ClusterStatus: "Running",
  ClusterType: "MANAGED_CLUSTER",
  ClusterVersion: "1.34.1",
  CreatedTime: "2026-11-22T15:10:20Z",
};
const clusters = { TotalCount: 2, Clusters: [cluster, { ...cluster, ClusterId: "cls-2", ClusterName: "y".repeat(60) }], RequestId: "r-1" };

test("on a terminal a list is a row for each resource, with the columns that tell most", () => {
  expect(`\n${render(clusters, "table", "DescribeClusters", { width: 80, partly: true })}`).toBe(`
--------------------------------------------------------------------------------
|                               DescribeClusters                               |
+---------------------------------------------------+--------------------------+
|  RequestId                                        |  r-1                     |
|  TotalCount                                       |  2                       |
+---------------------------------------------------+--------------------------+
||                                  Clusters                                  ||
|+-------------+---------------------------------------------+----------------+|
||  ClusterId  |                 ClusterName                 |  ClusterState  ||
|+-------------+---------------------------------------------+----------------+|
||  cls-1      |  生产                                       |  Running       ||
||  cls-2      |  yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…  |  Running       ||
|+-------------+---------------------------------------------+----------------+|
Not shown: 6 columns of Clusters. All is in --output json; --filter chooses.
`);
});

test("a table that is no terminal's leaves nothing out, however wide it becomes", () => {
  const whole = render(clusters, "table", "DescribeClusters", { width: 80, partly: false });
  expect(whole).toContain("y".repeat(60));
  expect(whole).toContain("Ipvs");
  expect(whole).not.toContain("…");
});

test("no line of a table is wider than the terminal", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "生", "\n", "é"), maxLength: 60 });
  const row = fc.record({
    A: letters,
    B: fc.option(letters),
    C: fc.integer(),
    D: fc.array(letters, { maxLength: 2 }),
    E: fc.record({ F: letters }),
  });
  fc.assert(
    fc.property(fc.record({ List: fc.array(row, { maxLength: 3 }), Text: letters }), fc.integer({ min: 40, max: 100 }), (value, width) => {
      const lines = render(value, "table", "Action", { width, partly: true })
        .trimEnd()
        .split("\n")
        .filter((line) => !line.startsWith("Not shown"));
      for (const line of lines) expect(line.replaceAll("生", "xx").normalize("NFC").length).toBeLessThanOrEqual(width);
    }),
  );
});

test("a table has a line for each scalar, and nothing for null", () => {
  expect(render("vpc-1", "table", "CreateVpc")).toBe("-----------\n|CreateVpc|\n+---------+\n|  vpc-1  |\n+---------+\n");
  expect(render(null, "table", "CreateVpc")).toBe("");
});

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);

test("json and a string's text can be read back, and any value is printed in whole lines", () => {
  fc.assert(
    fc.property(json, fc.string(), (value, text) => {
      fc.pre(value !== null);
      expect(JSON.parse(render(value, "json", "Action"))).toEqual(value);
      expect(render(text, "text", "Action")).toBe(`${text}\n`);
      for (const format of outputFormats) expect(render(value, format, "Action")).toMatch(/^$|\n$/);
    }),
  );
});

test("the lines of a table are of one width, whatever letters its values have", () => {
  const stringUnit = fc.constantFrom("a", " ", "\n", "\r", "\u0007", "\u001b", "\u007f", "\u009b", "\u2028", "\u202e");
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit }), fc.string({ unit: stringUnit }), (value, title) => {
      const lines = render(JSON.parse(JSON.stringify(value)) as Json, "table", title).split("\n");
      expect(lines.join("")).toMatch(/^[ -~]*$/);
      expect(new Set(lines.slice(0, -1).map(({ length }) => length)).size).toBeLessThan(2);
    }),
  );
});
