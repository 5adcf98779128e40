import { connect } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createClusterEndpoint, modifyClusterEndpointSp } from "../../catalogue/cluster.ts";
import { stage } from "../../local/cluster/stage.fixture.ts";
import { World } from "../../local/store/world.ts";
import { programOf, scratch } from "../../scratch.fixture.ts";
import { openKubernetes } from "./open.ts";

const opened = (program: string, folder = scratch()) => {
  const world = World.open(":memory:", { timeScale: "instant" });
  onTestFinished(() => world.close());
  return openKubernetes(world, { program, folder }, () => undefined);
};

/** A program that says what the one of control planes says when it is asked for its version. */
const programThatSays = (text = '{"kubernetes":"1.34.4","sources":"test"}', mode?: number) => programOf(`echo '${text}'`, mode);

test("a program that is none of control planes is refused with what it is", async () => {
  await expect(opened("/nowhere/kubernetes")).rejects.toThrow(
    /^\/nowhere\/kubernetes is no container-platform-kubernetes: there is no such file$/,
  );
  await expect(opened(programThatSays("1.34.4"))).rejects.toThrow('its version is "1.34.4\\n"');
  await expect(opened(programThatSays("{}", 0o644))).rejects.toThrow("it cannot be executed");
});

test("one server at a time serves the clusters of a world, and the next one has its ports", async () => {
  const [program, folder] = [programThatSays(), scratch()];
  const first = await opened(program, folder);
  await expect(opened(program, folder)).rejects.toThrow(
    `the clusters of this world are served already, by process ${process.pid}, from ${folder}: use that server, or end it, or serve another world`,
  );
  const ports = first.ports.all();
  expect(ports).toEqual([{ standpoint: "internet", address: expect.stringMatching(/^127\.0\.0\.1:\d+$/) }]);
  await first[Symbol.asyncDispose]();
  await using second = await opened(program, folder);
  expect(second.ports.all()).toEqual(ports);
});

/** Connects to a port with the hello of TLS, for a server of a name, and waits until it is closed. */
async function knock(address: string, servername: string): Promise<void> {
  const [host = "", port] = address.split(":");
  const socket = connect({ host, port: Number(port), servername, rejectUnauthorized: false });
  await new Promise((resolve) => socket.once("close", resolve).on("error", () => undefined));
}

test("who is not let in hears nothing, so whoever runs the server is told why, once for each reason", async () => {
  const at = await stage({ timeScale: "instant" });
  const { clusterId } = await at.withNodes();
  const lines: string[] = [];
  const told = (line: string) => void lines.push(line);
  await using served = await openKubernetes(at.world, { program: programThatSays(), folder: scratch(), told }, () => undefined);
  const [outside = "", inside = ""] = served.ports.all().map(({ address }) => address);
  lines.length = 0;
  const server = `${clusterId}.clusters.container-platform.internal`;
  await knock(outside, server);
  await knock(outside, server);
  await knock(inside, server);
  await knock(outside, "localhost");
  const securityGroup = await at.group();
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
  await knock(outside, server);
  await at.cloud.call(modifyClusterEndpointSp, { clusterId, securityPolicies: ["192.0.2.0/24"] });
  await knock(outside, server);
  const closed = (from: string, why: string) => `cluster ${clusterId}: a client ${from} was not let in: ${why}`;
  expect(lines).toEqual([
    closed("from the internet", "its public endpoint is not open"),
    closed(`from ${at.vpcId}`, "its internal endpoint is not open"),
    'clusters: a client from the internet was not let in: its TLS hello names "localhost", and no cluster by its tls-server-name',
    closed("from the internet", `its security group ${securityGroup} does not let 127.0.0.1 in at port 443, and it has no access rule`),
    closed("from the internet", "its access rule lets 192.0.2.0/24 in, and not 127.0.0.1"),
  ]);
});
