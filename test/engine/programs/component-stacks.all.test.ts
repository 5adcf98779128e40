/** Only the real engine shows what becomes of components and their children: aliases, policies, transforms, providers and places in the program. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { z } from "zod";
import { Front } from "../../support/front.ts";
import { type Outcome, operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { reviewOfTexts } from "../../review/reviewed.ts";

const root = dirname(dirname(dirname(import.meta.dirname)));
const pack = join(root, "provider", "policy-pack", "start");

/** The policies that a run breaks, or cannot decide. */
function broken({ output }: Outcome): string[] {
  return [...output.matchAll(/\[(?:advisory|mandatory)\].*?(CP-\w+-\d+)/g)].map(([, rule = ""]) => rule);
}

test("the example is reviewed, deployed under our policies, given another zone and access from the internet, and destroyed", async () => {
  const config = { "platform:zones": "2", "platform:registryName": "components", "platform:allowedCidrBlocks": "[]" };
  await using stack = await Stack.ofExample("components", { timeScale: "fast", programs: "language-host", config });
  const { reasons, changes } = reviewOfTexts([(await stack.preview("--json")).stdout]);
  // The platform chooses the VPC's range of IPv6: the review names the block.
  const sentence = "admits an IPv6 range that is known only after apply, and comes from Ipv6Block prod";
  expect(reasons).toEqual([expect.objectContaining({ called: "SecurityGroup prod", property: "ingress", sentence })]);
  // The engine cannot tell where subnets are declared: they are made once the zones are known.
  const places = changes.map(({ called, source }) => (called.startsWith("Subnet ") ? "later" : source?.file));
  expect(new Set(places)).toEqual(new Set(["components/index.ts", "later"]));
  const made = await stack.up("--policy-pack", pack);
  expect(made.output).toMatch(/\+ 23 created/);
  expect(broken(made)).toEqual([]);

  const { "platform:allowedCidrBlocks": _, ...open } = config;
  stack.configure({ ...open, "platform:zones": "3", "platform:deletionProtection": "false" });
  const next = reviewOfTexts([(await stack.preview("--json")).stdout]);
  expect(next.reasons.map(({ called = "", sentence }) => `${called} ${sentence}`)).toContain(
    "ClusterEndpoint prod-internet opens the cluster's API on the internet, to 203.0.113.0/24",
  );
  const another = await stack.up("--policy-pack", pack, "--refresh");
  expect(operationsOf(another)).toEqual({
    "Subnet prod-nodes-eu-frankfurt-3": ["create"],
    "Subnet prod-pods-eu-frankfurt-3": ["create"],
    "SecurityGroup prod": ["update"],
    "Cluster prod": ["update"],
    "ClusterEndpoint prod-internet": ["create"],
    "NodePool prod-system": ["update"],
    "NodePool prod-apps": ["update"],
    "RegistryInstance prod": ["update"],
  });
  // Two of them are about protection, which is taken off.
  expect(broken(another).toSorted()).toEqual(["CP-CLU-001", "CP-END-001", "CP-REG-007"]);
  await stack.destroy();
  // The registry's bucket, with the images in it, stays.
  expect(stack.leftovers()).toEqual({ buckets: 1 });
});

const imports = `import * as cp from "@container-platform/pulumi";\n`;

const answerSchema = z.looseObject({
  Response: z.looseObject({ ZoneSet: z.array(z.looseObject({ Zone: z.string(), ZoneState: z.string() })) }),
});

/** Between the provider and its platform: answers that other zones are available than the platform says. */
class OtherZones extends Front {
  available: readonly number[] = [3, 2];

  static before(platform: string): Promise<OtherZones> {
    return new OtherZones(platform).listening();
  }

  protected override async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const told = await this.forwarded(incoming.headers, await text(incoming));
    const asked = answerSchema.safeParse(told.includes('"ZoneSet"') ? JSON.parse(told) : undefined);
    for (const one of asked.data?.Response.ZoneSet ?? [])
      one.ZoneState = this.available.map(zone).includes(one.Zone) ? "AVAILABLE" : "UNAVAILABLE";
    outgoing.end(asked.success ? JSON.stringify(asked.data) : told);
  }
}

/** How the zones of two networks are given. */
interface Given {
  readonly counted: number;
  readonly listed: string;
  readonly prefix?: number;
}

const zone = (number: number) => `eu-frankfurt-${number}`;
const list = (...numbers: readonly number[]) => JSON.stringify(numbers.map(zone));
const networks = ({ counted, listed, prefix = 20 }: Given) => `${imports}
new cp.Network("counted", { zones: ${counted} });
const subnets = { nodes: { prefix: ${prefix} }, pods: { prefix: 20 } };
new cp.Network("listed", { cidrBlock: "10.1.0.0/16", zones: ${listed}, subnets });`;

/** Which /64 of its /56 a range such as `2001:db8:d5c:d80::/64` is: `80::/64`. */
function partOf(range = ""): string {
  const [, , , group = ""] = range.split(":");
  return `${group.padStart(2, "0").slice(-2)}::/64`;
}

test("each zone keeps its ranges when another one is taken out, put back or added, or becomes available or not, and when zones are counted instead", async () => {
  await using stack = await Stack.create({ program: networks({ counted: 2, listed: list(3, 2) }), served: true });
  await using zones = await OtherZones.before(stack.url);
  const ranges = async () => {
    const { subnetSet } = await stack.cloud().call(vpc.describeSubnets, {});
    const all = subnetSet.map((one) => `${one.zone.at(-1)} ${one.cidrBlock} ${partOf(one.ipv6CidrBlock)}`);
    return all.toSorted();
  };
  const ofCounted = { 2: ["2 10.0.0.0/20 00::/64"], 3: ["3 10.0.16.0/20 01::/64"], 1: ["1 10.0.32.0/20 02::/64"] };
  const ofListed = {
    3: ["3 10.1.0.0/20 00::/64", "3 10.1.128.0/20 80::/64"],
    2: ["2 10.1.16.0/20 01::/64", "2 10.1.144.0/20 81::/64"],
    1: ["1 10.1.32.0/20 02::/64", "1 10.1.160.0/20 82::/64"],
  };
  stack.configure({ "container-platform:endpoint": zones.url });
  await stack.up();
  expect(await ranges()).toEqual([ofCounted[2], ofCounted[3], ofListed[3], ofListed[2]].flat().toSorted());

  zones.available = [1, 3, 4];
  const later = await stack.up("--refresh", "--expect-no-changes");
  const said = "zones: eu-frankfurt-2 cannot be used at present: what stands there stays, and what is new there is refused";
  expect(later.output.split("\n").filter((line) => line.includes(said)).length).toBeGreaterThanOrEqual(2);

  stack.write(networks({ counted: 3, listed: list(3) }));
  await stack.up();
  expect(await ranges()).toEqual([ofCounted[2], ofCounted[3], ofCounted[1], ofListed[3]].flat().toSorted());

  stack.write(networks({ counted: 1, listed: list(1, 3) }));
  await stack.up();
  expect(await ranges()).toEqual([ofCounted[2], ofListed[3], ofListed[1]].flat().toSorted());

  zones.available = [1, 2, 3];
  stack.write(networks({ counted: 1, listed: "3" }));
  expect(operationsOf(await stack.up())).toEqual({
    "Subnet listed-nodes-eu-frankfurt-2": ["create"],
    "Subnet listed-pods-eu-frankfurt-2": ["create"],
  });
  expect(await ranges()).toEqual([ofCounted[2], ofListed[3], ofListed[2], ofListed[1]].flat().toSorted());

  // The places of the others are kept, so that one zone alone may stand behind the end of a range.
  stack.write(networks({ counted: 1, listed: list(1), prefix: 18 }));
  const far = (await stack.fails("preview")).output;
  expect(far).toContain("zones: eu-frankfurt-1 has place 3 in the ranges, as the zones before it keep theirs");
  expect(far).toContain(
    "cidrBlock: 10.1.0.0/16 is too small for nodes (3 subnets with /18), pods (3 subnets with /20): the smallest range that would do is a /15, such as 10.0.0.0/15",
  );
});

test("a provider, protection, tags, transforms and Pulumi's own transforms reach the children; a version is the newest at creation unless given, and upgrades", async () => {
  const program = (version: string) => `${imports}
const singapore = new cp.Provider("singapore", { endpoint: "local", region: "ap-singapore" });
const network = new cp.Network("shared", { zones: 2, tags: { team: "network" } }, {
  provider: singapore,
  protect: true,
  transforms: [({ type, props, opts }) => type.endsWith(":Subnet") ? { props: { ...props, tags: { ...props.tags, seen: "yes" } }, opts } : undefined],
});
const platform = new cp.Platform("prod", {
  network,
  ${version}
  deletionProtection: false,
  nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], native: { autoRepair: false }, labels: { pool: "apps" } } },
  access: { internal: false, internet: ["203.0.113.7/32", "2001:db8:1::/48"] },
  tags: { team: "platform" },
  transform: {
    cluster: (args, opts, name) => { args.clusterDescription = "made as " + name; },
    nodePool: (args) => ({ ...args, unschedulable: true }),
  },
}, { providers: [singapore], dependsOn: network });
export const url = platform.kubeconfig;
export const none = (() => { try { return platform.pullSecret; } catch (error) { return error.message; } })();
export const subnet = network.subnets.nodes.apply((zones) => zones["ap-singapore-2"].subnetId);
`;
  await using stack = await Stack.create({ program: program('version: "1.32.2",') });
  const { output } = await stack.up();
  expect(output).toContain("the platform prod has no registry to pull from: give `registry`");
  const cloud = stack.cloud("ap-singapore");
  const subnets = (await cloud.call(vpc.describeSubnets, {})).subnetSet.toSorted((one, other) => one.zone.localeCompare(other.zone));
  const tags = subnets.map(({ zone, tagSet }) => [
    zone,
    ...tagSet.flatMap(({ key, value }) => (key.startsWith("container-platform/") ? [] : [`${key}=${value}`])).toSorted(),
  ]);
  expect(tags).toEqual([
    ["ap-singapore-1", "seen=yes", "team=network"],
    ["ap-singapore-2", "seen=yes", "team=network"],
  ]);
  const { inputs: cluster } = await stack.resource("Cluster prod");
  expect(cluster).toMatchObject({ clusterDescription: "made as prod", clusterVersion: "1.32.2", tags: { team: "platform" } });
  const { inputs: pool } = await stack.resource("NodePool prod-apps");
  expect(pool).toMatchObject({ unschedulable: true, labels: { pool: "apps" }, native: { autoRepair: false } });
  for (const called of ["Vpc shared", "Subnet shared-nodes-ap-singapore-1"])
    expect(await stack.resource(called)).toMatchObject({ protect: true });

  stack.write(program(""));
  expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
  stack.write(program('version: "1.34.1",'));
  expect(operationsOf(await stack.preview())).toEqual({ "Cluster prod": ["update"] });
});
