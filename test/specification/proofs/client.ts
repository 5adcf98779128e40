import { expect } from "vitest";
import { type Client } from "../client.ts";
import { inSection, type Proof } from "../proof.ts";

const conventions = inSection("Conventions");
const endpoints = inSection("Endpoints");
const options = inSection("Endpoints / Client options and parameter passing");
const errors = inSection("Errors");

const network = ["--VpcName", "net", "--CidrBlock", "10.0.0.0/16"];

/** What is printed as JSON. */
async function answered(client: Client, ...args: readonly string[]): Promise<unknown> {
  return JSON.parse(await client.printed(...args));
}

export const clientProofs: readonly Proof<Client>[] = [
  {
    title: "cpcli calls an operation by product, action and parameters, and exits with 0 and a RequestId",
    shows: [...conventions("point 1"), ...endpoints("paragraph 1")],
    run: async (client) => {
      const made = await answered(client, "vpc", "CreateVpc", ...network);
      expect(made).toMatchObject({
        Vpc: { VpcName: "net", CidrBlock: "10.0.0.0/16" },
        RequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(await answered(client, "vpc", "DescribeVpcs")).toMatchObject({ TotalCount: 1, VpcSet: [{ VpcName: "net" }] });
    },
  },
  {
    title: "--region sets the region of the call",
    shows: options("--region <region>"),
    run: async (client) => {
      await client.printed("vpc", "CreateVpc", ...network, "--region", "ap-singapore");
      expect(await answered(client, "vpc", "DescribeVpcs")).toMatchObject({ TotalCount: 0 });
      expect(await answered(client, "--region", "ap-singapore", "vpc", "DescribeVpcs")).toMatchObject({ TotalCount: 1 });
      expect(await answered(client, "compute", "DescribeZones", "--region", "na-ashburn")).toMatchObject({
        ZoneSet: [{ Zone: "na-ashburn-1" }, {}, {}, {}],
      });
    },
  },
  {
    title: "--version sets the version of the action; without an action, it prints the version of the client",
    shows: options("--version <date>"),
    run: async (client) => {
      expect(await client.printed("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
      const help = ["cluster", "DescribeClusterInstances", "help", "--detail"];
      expect(await client.printed(...help)).not.toContain("--SortBy");
      expect(await client.printed(...help, "--version", "2022-05-01")).toContain("--SortBy");
      const asked = ["cluster", "DescribeClusterInstances", "--ClusterId", "cls-1", "--NeedTags", "true"];
      expect((await client.run(...asked)).stderr).toContain("Unknown options: --NeedTags");
      expect((await client.run(...asked, "--version", "2022-05-01")).stderr).toContain("code:ResourceNotFound");
    },
  },
  {
    title: "--filter prints one field, or an object of fields",
    shows: options("--filter <expression>"),
    run: async (client) => {
      await client.printed("vpc", "CreateVpc", ...network);
      expect(await answered(client, "vpc", "DescribeVpcs", "--filter", "VpcSet[0].CidrBlock")).toBe("10.0.0.0/16");
      const fields = "VpcSet[0].{Name: VpcName, Range: CidrBlock}";
      expect(await answered(client, "vpc", "DescribeVpcs", "--filter", fields)).toEqual({ Name: "net", Range: "10.0.0.0/16" });
    },
  },
  {
    title: "--output accepts json and text; text with one field prints the value",
    shows: options("--output text or json"),
    run: async (client) => {
      await client.printed("vpc", "CreateVpc", ...network);
      const field = ["vpc", "DescribeVpcs", "--filter", "VpcSet[0].VpcName"];
      expect(await client.printed(...field, "--output", "text")).toBe("net\n");
      expect(await client.printed(...field, "--output", "json")).toBe('"net"\n');
    },
  },
  {
    title: "--cli-unfold-argument accepts unfolded parameters, which are unknown options otherwise",
    shows: options("--cli-unfold-argument"),
    run: async (client) => {
      const parts = ["--Tags.0.Key", "team", "--Tags.0.Value", "platform", "--Tags.1.Key", "tier", "--Tags.1.Value", "one"];
      const { code, stderr } = await client.run("vpc", "CreateVpc", ...network, ...parts);
      expect([code, stderr]).toEqual([252, expect.stringContaining("Unknown options: --Tags.0.Key, ")]);
      const tags = ["--filter", "Vpc.TagSet[].[Key, Value]", "--output", "text"];
      expect(await client.printed("vpc", "CreateVpc", ...network, "--cli-unfold-argument", ...parts, ...tags)).toBe(
        "team\tplatform\ntier\tone\n",
      );
      const nested = ["--Native.Scaling.MinReplicas", "1", "--ClusterId", "cls-1", "--Name", "a", "--Type", "Native"];
      const { stderr: missing } = await client.run("cluster", "CreateNodePool", "--cli-unfold-argument", ...nested);
      expect(missing).toContain("the following arguments are required: --Native.SubnetIds, ");
    },
  },
  {
    title: "--cli-input-json reads parameters from a file, and drops parameters that the client does not expose",
    shows: options("--cli-input-json file://<path>"),
    run: async (client) => {
      const input = client.file("vpc.json", JSON.stringify({ VpcName: "net", CidrBlock: "10.0.0.0/16", Colour: "red" }));
      expect(await answered(client, "vpc", "CreateVpc", "--cli-input-json", input)).toMatchObject({ Vpc: { VpcName: "net" } });
      const token = client.file("token.json", JSON.stringify({ ClusterId: "cls-1" }));
      const { code, stderr } = await client.run("cluster", "RotateClusterToken", "--cli-input-json", token);
      expect([code, stderr]).toEqual([254, expect.stringContaining("code:MissingParameter")]);
    },
  },
  {
    title: "--generate-cli-skeleton prints the parameters of an action, without calling it",
    shows: options("--generate-cli-skeleton"),
    run: async (client) => {
      expect(await answered(client, "vpc", "CreateSubnet", "--generate-cli-skeleton")).toEqual({
        VpcId: "String",
        SubnetName: "String",
        CidrBlock: "String",
        Zone: "String",
        Tags: [{ Key: "String", Value: "String" }],
      });
      expect(await answered(client, "cluster", "RotateClusterToken", "--generate-cli-skeleton")).toEqual({});
      expect(await answered(client, "vpc", "DescribeSubnets")).toMatchObject({ TotalCount: 0 });
    },
  },
  {
    title: "help --detail lists the parameters of an action, and the client accepts each of them",
    shows: options("<Action> help --detail"),
    run: async (client) => {
      const help = await client.printed("cluster", "CreateClusterEndpoint", "help", "--detail");
      const listed = [...help.matchAll(/^ {2}--([A-Z]\w+) {2}(.+)$/gm)].map(([, name, facts]) => `${name ?? ""}: ${facts ?? ""}`);
      expect(listed).toEqual([
        "ClusterId: string, required",
        "IsExtranet: boolean, required",
        "SubnetId: string",
        "Domain: string",
        "SecurityGroup: string",
        "ExtensiveParameters: string",
        "ExistedLoadBalancerId: string",
      ]);
      const { stderr } = await client.run("cluster", "CreateClusterEndpoint", "--ClusterId", "c", "--IsExtranet", "t", "--Port", "443");
      expect(stderr).toContain("Unknown options: --Port");
    },
  },
  {
    title: "a list or an object is either JSON or unfolded, and never both for one parameter",
    shows: options("paragraph 1"),
    run: async (client) => {
      const tags = JSON.stringify([{ Key: "team", Value: "platform" }]);
      const made = ["vpc", "CreateVpc", ...network, "--filter", "Vpc.TagSet[0].Value", "--output", "text"];
      expect(await client.printed(...made, "--Tags", tags)).toBe("platform\n");
      const both = ["--cli-unfold-argument", "--Tags", tags, "--Tags.0.Key", "team"];
      const { code, stderr } = await client.run("vpc", "CreateVpc", ...network, ...both);
      expect([code, stderr]).toEqual([252, expect.stringContaining("--Tags and --Tags.0.Key give the same parameter")]);
    },
  },
  {
    title: "the client rejects a parameter that it does not expose as an unknown option",
    shows: errors("client-local Unknown options: --<Param>"),
    run: async (client) => {
      const { code, stdout, stderr } = await client.run("cluster", "RotateClusterToken", "--ClusterId", "cls-1");
      expect([code, stdout]).toEqual([252, ""]);
      expect(stderr).toMatch(/^cpcli: Unknown options: --ClusterId\nThe client does not offer that parameter of RotateClusterToken\. /);
      const now = String(Math.floor(client.world.now() / 1000));
      const calls = ["audit", "LookUpEvents", "--StartTime", "0", "--EndTime", now, "--filter", "Events[].EventName"];
      expect(await answered(client, ...calls)).not.toContain("RotateClusterToken");
    },
  },
];
