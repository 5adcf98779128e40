import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { folder, Program, type Ran } from "./program.fixture.ts";

/** Compares, case by case, what docs/cpcli.md says of the public API's client with what the program does. */

const program = new Program();

afterAll(() => program.remove());

const place = { CONTAINER_PLATFORM_ENDPOINT: "local:world.db", CONTAINER_PLATFORM_REGION: "eu-frankfurt" };

/** Runs a command line in a world of its own. */
function ran(...args: readonly string[]): Promise<Ran> {
  return program.run(args, { cwd: folder(), environment: place });
}

/** Runs a command line against an address that gives every call the same answer. */
async function ranAgainst(status: number, body: string, ...args: readonly string[]): Promise<Ran> {
  const server = createServer((_, response) => void response.writeHead(status, { "content-type": "application/json" }).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // What `listen` gives for a port.
  const { port } = server.address() as AddressInfo;
  const keys = { CONTAINER_PLATFORM_SECRET_ID: "id", CONTAINER_PLATFORM_SECRET_KEY: "key" };
  const environment = { ...place, ...keys, CONTAINER_PLATFORM_ENDPOINT: `http://127.0.0.1:${port}` };
  return program.run([...args, "--retries", "0"], { environment });
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
  "API error": async () => {
    const { code, stdout, stderr } = await ran("vpc", "DeleteVpc", "--VpcId", "vpc-1");
    expect([code, stdout]).toEqual([254, ""]);
    expect(stderr).toMatch(
      new RegExp(`^cpcli: \\[PlatformError\\] code:ResourceNotFound message:[^\\n]*vpc-1[^\\n]* requestId:${id}\\n[^\\n]+\\n$`),
    );
  },
  "HTTP 500": async () => {
    const { code, stdout, stderr } = await ranAgainst(500, "boom", "vpc", "DescribeVpcs");
    expect([code, stdout]).toEqual([255, ""]);
    expect(stderr).toMatch(/^cpcli: \[PlatformError\] code:HttpStatus\.500 message:[^\n]* requestId:none\n/);
    expect(stderr).not.toContain("boom");
  },
  "network or TLS failure": async () => {
    const keys = { CONTAINER_PLATFORM_SECRET_ID: "id", CONTAINER_PLATFORM_SECRET_KEY: "key" };
    const environment = { ...place, ...keys, CONTAINER_PLATFORM_ENDPOINT: "http://127.0.0.1:1" };
    const { code, stdout, stderr } = await program.run(["vpc", "DescribeVpcs", "--retries", "0"], { environment });
    expect([code, stdout]).toEqual([255, ""]);
    expect(stderr).toBe(
      "cpcli: [PlatformError] code:NotConnected message:there is no connection to 127.0.0.1:1 requestId:none\n" +
        "Nothing was changed: check the endpoint and the network.\n",
    );
  },
  "unknown option": async () => {
    const { code, stdout, stderr } = await ran("vpc", "DeleteVpc", "--ClusterId", "hush", "--vpcid", "a", "--bogus");
    expect([code, stdout]).toEqual([252, ""]);
    expect(stderr).toBe(
      "cpcli: Unknown options: --ClusterId, --vpcid, --bogus\n" +
        "Maybe you meant --VpcId. `cpcli vpc DeleteVpc help --detail` tells what it takes.\n",
    );
  },
  "dotted option without `--cli-unfold-argument`": async () => {
    const { code, stdout, stderr } = await ran("cluster", "DescribeTasks", "--Filter.0.Name", "ClusterId");
    expect([code, stdout]).toEqual([252, ""]);
    expect(stderr).toMatch(/^cpcli: Unknown options: --Filter\.0\.Name\nDotted names need --cli-unfold-argument\. /);
  },
  "missing required": async () => {
    const { code, stdout, stderr } = await ran("cluster", "CreateClusterEndpoint", "--SubnetId", "s");
    expect([code, stdout]).toEqual([252, ""]);
    expect(stderr).toMatch(/^cpcli: the following arguments are required: --ClusterId, --IsExtranet\n/);
  },
  "bad boolean": async () => {
    const { code, stdout, stderr } = await ran("cluster", "CreateClusterEndpoint", "--ClusterId", "c", "--IsExtranet", "yes");
    expect([code, stdout]).toEqual([252, ""]);
    expect(stderr).toBe("cpcli: argument --IsExtranet: Value of Boolean must be true/false, t/f, 1/0\n");
  },
  "unknown action or product": async () => {
    const { code, stdout, stderr } = await ran("vpc", "DescribeVpc");
    expect([code, stdout]).toEqual([252, ""]);
    expect(stderr).toMatch(/^cpcli: Invalid choice: 'DescribeVpc', maybe you meant: DescribeVpcs\n`cpcli vpc help` lists the actions\.\n$/);
    expect((await ran("clusters", "DescribeVpcs")).stderr).toMatch(/^cpcli: Invalid choice: 'clusters', maybe you meant: cluster\n/);
  },
  "bad JSON value": async () => {
    const { code, stdout, stderr } = await ran("cluster", "DescribeClusters", "--ClusterIds", "notjson");
    expect([code, stdout]).toEqual([252, ""]);
    expect(stderr).toMatch(/^cpcli: argument --ClusterIds: Invalid JSON\. JSON received: notjson\n/);
    const hidden = await ran("cluster", "AddExistedInstances", "--LoginSettings", "{Password: hush}");
    expect(hidden.stderr).toMatch(/^cpcli: argument --LoginSettings: Invalid JSON\.\n/);
    expect(hidden.stderr).not.toContain("hush");
  },
  "array gap": async () => {
    const parts = ["--Filter.0.Name", "ClusterId", "--Filter.2.Name", "TaskType"];
    const { code, stdout, stderr } = await ran("cluster", "DescribeTasks", "--cli-unfold-argument", ...parts);
    expect([code, stdout]).toEqual([252, ""]);
    expect(stderr).toBe("cpcli: The index of the array parameter: --Filter must start from 0, and the step size is 1\n");
  },
  "bad filter": async () => {
    const { code, stdout, stderr } = await ran("vpc", "CreateVpc", "--VpcName", "a", "--CidrBlock", "10.0.0.0/16", "--filter", "a[");
    expect([code, stdout]).toEqual([252, ""]);
    expect(stderr).toMatch(/^cpcli: Invalid jmespath expression: Incomplete expression:\n"a\["\n {3}\^\n$/);
  },
  "filter gives null": async () => {
    expect(await ran("vpc", "DescribeVpcs", "--filter", "Nothing")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await ran("vpc", "DescribeVpcs", "--filter", "Nothing", "--output", "text")).toEqual({ code: 0, stdout: "None\n", stderr: "" });
  },
  "`RotateClusterToken --cli-input-json` with `ClusterId`": async () => {
    const file = join(folder(), "input.json");
    writeFileSync(file, '{ "ClusterId": "cls-1" }');
    const { code, stdout, stderr } = await ran("cluster", "RotateClusterToken", "--cli-input-json", `file://${file}`);
    expect([code, stdout]).toEqual([254, ""]);
    expect(stderr).toMatch(/^cpcli: --cli-input-json: left out what the client does not offer: ClusterId\n[^\n]* code:MissingParameter /);
  },
};

test.each(Object.entries(cases))("%s", (_, run) => run());

/** The rows of the page's table, by case. */
function rows(): Map<string, string> {
  const page = readFileSync(new URL("../../../docs/cpcli.md", import.meta.url), "utf8");
  const section = page.slice(page.indexOf("## Where it differs"));
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
