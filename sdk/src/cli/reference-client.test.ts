import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listening } from "../transport/listening.fixture.ts";
import { type Ended, keyIn, ownWorld, User } from "./user.fixture.ts";

/** Compares the cases of docs/contributing/public-api-coverage.md, "Differences from the public API's client", with the program. */

/** Runs a command line in a world of its own. */
function ran(...args: readonly string[]): Promise<Ended> {
  return new User(ownWorld).run(...args);
}

/** Runs a command line against an address that gives every call the same answer. */
async function ranAgainst(status: number, body: string, ...args: readonly string[]): Promise<Ended> {
  const endpoint = await listening((_, response) => void response.writeHead(status, { "content-type": "application/json" }).end(body));
  return new User({ ...ownWorld, ...keyIn(), CONTAINER_PLATFORM_ENDPOINT: endpoint }).run(...args, "--retries", "0");
}

/** Runs a command line that is refused: it prints nothing, and says why on stderr. */
async function refused(code: number, line: string, said: string | RegExp): Promise<void> {
  const stderr: unknown = typeof said === "string" ? said : expect.stringMatching(said);
  expect(await ran(...line.split(" "))).toEqual({ code, stdout: "", stderr });
}

const id = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const cases: Readonly<Record<string, () => Promise<void>>> = {
  success: async () => {
    const answered = { Response: { Later: { A: 1 }, ZoneSet: [{ ZoneState: "AVAILABLE", Zone: "z", Later: 2 }], RequestId: "rid-1" } };
    const { code, stdout, stderr } = await ranAgainst(200, JSON.stringify(answered), "compute", "DescribeZones");
    expect([code, stderr]).toEqual([0, ""]);
    const zone = { Zone: "z", ZoneState: "AVAILABLE", Later: 2 };
    const printed = { ZoneSet: [zone], Later: { A: 1 }, RequestId: "rid-1" };
    expect(stdout).toBe(`${JSON.stringify(printed, undefined, 4)}\n`);
  },
  "API error": () =>
    refused(
      254,
      "vpc DeleteVpc --VpcId vpc-1",
      new RegExp(`^cpcli: \\[PlatformError\\] code:ResourceNotFound message:[^\\n]*vpc-1[^\\n]* requestId:${id}\\n[^\\n]+\\n$`),
    ),
  "HTTP 500": async () => {
    const { code, stdout, stderr } = await ranAgainst(500, "boom", "vpc", "DescribeVpcs");
    expect([code, stdout]).toEqual([255, ""]);
    expect(stderr).toMatch(/^cpcli: \[PlatformError\] code:HttpStatus\.500 message:[^\n]* requestId:none\n/);
    expect(stderr).not.toContain("boom");
  },
  "network or TLS failure": async () => {
    const user = new User({ ...ownWorld, ...keyIn(), CONTAINER_PLATFORM_ENDPOINT: "http://127.0.0.1:1" });
    const { code, stdout, stderr } = await user.run("vpc", "DescribeVpcs", "--retries", "0");
    expect([code, stdout]).toEqual([255, ""]);
    expect(stderr).toBe(
      "cpcli: [PlatformError] code:NotConnected message:there is no connection to 127.0.0.1:1 requestId:none\n" +
        "Nothing was changed: check the endpoint and the network.\n",
    );
  },
  "unknown option": () =>
    refused(
      252,
      "vpc DeleteVpc --ClusterId hush --vpcid a --bogus",
      "cpcli: Unknown options: --ClusterId, --vpcid, --bogus\n" +
        "Maybe you meant --VpcId. `cpcli vpc DeleteVpc help --detail` tells what it takes.\n",
    ),
  "dotted option without `--cli-unfold-argument`": () =>
    refused(
      252,
      "cluster DescribeTasks --Filter.0.Name ClusterId",
      /^cpcli: Unknown options: --Filter\.0\.Name\nDotted names need --cli-unfold-argument\. /,
    ),
  "missing required": () =>
    refused(252, "cluster CreateClusterEndpoint --SubnetId s", /^cpcli: the following arguments are required: --ClusterId, --IsExtranet\n/),
  "bad boolean": () =>
    refused(
      252,
      "cluster CreateClusterEndpoint --ClusterId c --IsExtranet yes",
      "cpcli: argument --IsExtranet: Value of Boolean must be true/false, t/f, 1/0\n",
    ),
  "unknown action or product": async () => {
    const actions = /^cpcli: Invalid choice: 'DescribeVpc', maybe you meant: DescribeVpcs\n`cpcli vpc help` lists the actions\.\n$/;
    await refused(252, "vpc DescribeVpc", actions);
    await refused(252, "clusters DescribeVpcs", /^cpcli: Invalid choice: 'clusters', maybe you meant: cluster\n/);
  },
  "bad JSON value": async () => {
    const received = /^cpcli: argument --ClusterIds: Invalid JSON\. JSON received: notjson\n/;
    await refused(252, "cluster DescribeClusters --ClusterIds notjson", received);
    const hidden = await ran("cluster", "AddExistedInstances", "--LoginSettings", "{Password: hush}");
    expect(hidden.stderr).toMatch(/^cpcli: argument --LoginSettings: Invalid JSON\.\n/);
    expect(hidden.stderr).not.toContain("hush");
  },
  "array gap": () =>
    refused(
      252,
      "cluster DescribeTasks --cli-unfold-argument --Filter.0.Name ClusterId --Filter.2.Name TaskType",
      "cpcli: The index of the array parameter: --Filter must start from 0, and the step size is 1\n",
    ),
  "bad filter": () =>
    refused(
      252,
      "vpc CreateVpc --VpcName a --CidrBlock 10.0.0.0/16 --filter a[",
      /^cpcli: Invalid jmespath expression: Incomplete expression:\n"a\["\n {3}\^\n$/,
    ),
  "filter gives null": async () => {
    expect(await ran("vpc", "DescribeVpcs", "--filter", "Nothing")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await ran("vpc", "DescribeVpcs", "--filter", "Nothing", "--output", "text")).toEqual({ code: 0, stdout: "None\n", stderr: "" });
  },
  "`RotateClusterToken --cli-input-json` with `ClusterId`": async () => {
    const user = new User(ownWorld);
    writeFileSync(user.at("input.json"), '{ "ClusterId": "cls-1" }');
    const { code, stdout, stderr } = await user.run("cluster", "RotateClusterToken", "--cli-input-json", "file://input.json");
    expect([code, stdout]).toEqual([254, ""]);
    expect(stderr).toMatch(/^cpcli: --cli-input-json: left out what the client does not offer: ClusterId\n[^\n]* code:MissingParameter /);
  },
};

test.each(Object.entries(cases))("%s", (_, run) => run());

function rows(): Map<string, string> {
  const page = readFileSync(new URL("../../../docs/contributing/public-api-coverage.md", import.meta.url), "utf8");
  const [, section = ""] = /^## Differences from the public API's client$(.*?)^`cpcli` does not have/ms.exec(page) ?? [];
  const cells = [...section.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].map(([, name = "", said = ""]): [string, string] => [name, said]);
  return new Map(cells.filter(([name]) => name !== "Case" && !name.startsWith("-")));
}

test("each of the 15 cases is kept, or differs for a reason, and is shown by a test", () => {
  const told = [...rows()];
  expect(told).toHaveLength(15);
  for (const [, said] of told) expect(said).toMatch(/^(Kept$|Different: .{20})/);
  // Waiting has tests of its own.
  expect(told.map(([name]) => name).filter((name) => name !== "waiter timeout")).toEqual(Object.keys(cases));
});
