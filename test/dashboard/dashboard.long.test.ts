import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import { createCluster } from "@container-platform/sdk/cluster";
import { Faults, LocalPlatform, putImage, World } from "@container-platform/sdk/local";
import { createInstance } from "@container-platform/sdk/registry";
import { serve } from "@container-platform/sdk/server";
import { createSubnet, createVpc } from "@container-platform/sdk/vpc";
import { array, boolean, number, object, string } from "@container-platform/sdk/zod";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { makeEverything } from "../../sdk/src/cli/everything.fixture.ts";
import { scratch } from "../../sdk/src/scratch.fixture.ts";
import { Browser, type Screen } from "../support/browser.ts";
import { contrasts } from "./contrasts.ts";

/** The dashboard in a real browser, served by the built package. Pictures of it are left in node_modules/.cache/dashboard. */

const pictures = join(import.meta.dirname, "../../node_modules/.cache/dashboard");
const region = "eu-frankfurt";

let browser: Browser;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await Browser.start();
}, 120_000);
afterAll(() => browser[Symbol.asyncDispose]());

const told = (expression: string) => browser.evaluate(expression, string());
const text = () => told("document.body.innerText");
/** The name of what has the focus; empty if that is the page as a whole. */
const focused = () =>
  told(
    "((one) => (one === document.body ? '' : one.getAttribute('aria-label') ?? one.closest('label')?.innerText ?? one.innerText))(document.activeElement)",
  );

/** A served world, open in the browser. */
async function opened(
  screen: Screen = { width: 1280, scheme: "light" },
  given = World.open(":memory:", { timeScale: "fast", seed: "dashboard" }),
) {
  const server = await serve(given, { dashboard: true });
  onTestFinished(async () => {
    await browser.open("about:blank");
    await server.close();
    given.close();
  });
  await browser.show(screen);
  await browser.open(server.dashboardUrl ?? "");
  const cloud = new Cloud({ transport: new LocalPlatform(given), region, retries: { attempts: 1, pause: 0, longest: 0 } });
  return { world: given, server, cloud };
}

/** A world with some of everything, and names that are long or hostile. */
async function full(): Promise<World> {
  const file = join(scratch(), "world.db");
  const place = await makeEverything(file);
  const world = World.open(file);
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const vpcName = `<img src=x onerror="document.title='hacked'">unbroken`;
  const { vpcId } = (await cloud.call(createVpc, { vpcName, cidrBlock: "10.9.0.0/16" })).vpc;
  for (const zone of [1, 2, 3])
    await cloud.call(createSubnet, { vpcId, subnetName: `nodes-${zone}`, cidrBlock: `10.9.${zone}.0/24`, zone: `${region}-${zone}` });
  new Faults(world).add({ resourceType: "cluster", endState: "Abnormal", reason: "no capacity in this zone" });
  await cloud.call(createCluster, { vpcId: place.vpcId, subnetId: place.subnetId, clusterCidrSettings: { clusterCidr: "172.30.0.0/16" } });
  for (const version of ["v1", "v2", "a-very-long-tag-of-an-image-as-pipelines-make-them-4f1c2d3e4f5a6b7c8d9e"])
    await putImage(world, { region, registryId: place.registryId, namespace: "team", repository: "web", version });
  await expect(cloud.call(createVpc, { vpcName: "again", cidrBlock: "10.9.0.0/16" })).rejects.toThrow();
  world.advance(120_000);
  return world;
}

test.each([375, 1280].flatMap((width) => (["light", "dark"] as const).map((scheme) => [width, scheme] as const)))(
  "a full world fits at %i pixels, %s, and can be read",
  async (width, scheme) => {
    const { server } = await opened({ width, scheme }, await full());
    await expect.poll(text).toContain("acme-images");
    // States appear softly.
    await expect
      .poll(() => browser.evaluate("document.getAnimations().filter(({ effect }) => effect.getTiming().iterations === 1).length", number()))
      .toBe(0);
    const { errors, overflow, picture } = await browser.see({ width });
    writeFileSync(join(pictures, `full-${width}-${scheme}.png`), picture);
    expect({ errors, overflow }).toEqual({ errors: [], overflow: [] });
    expect(await browser.evaluate(contrasts, array(string()))).toEqual([]);
    const said = await text();
    const parts = ["10.0.0.0/16", "eu-frankfurt-1", "Abnormal", "no capacity in this zone", "workers", "Kubernetes 1.32.2", "1.0.0"];
    for (const one of [...parts, "InvalidParameter.VpcCidrConflict", "<img src=x onerror="]) expect(said).toContain(one);
    expect(said).toMatch(/acme-images[^]*team[^]*private[^]*web[^]*v1/);
    expect(await told("document.title")).toBe("Container Platform dashboard");
    expect(browser.requests.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith("data:"))).toEqual([]);
  },
);

test("everything that can be pressed has a name and a size that a finger hits, and headings go down one by one", async () => {
  await opened({ width: 375, scheme: "light" }, await full());
  await expect.poll(text).toContain("acme-images");
  const pressable = object({ name: string(), height: number(), width: number() });
  const found = await browser.evaluate(
    `[...document.querySelectorAll("#page button, #page select")].map((one) => ({
      name: one.getAttribute("aria-label") ?? one.closest("label")?.innerText ?? one.innerText,
      ...JSON.parse(JSON.stringify(one.getBoundingClientRect())) }))`,
    array(pressable),
  );
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter(({ name, height, width }) => name.trim() === "" || height < 24 || width < 24)).toEqual([]);
  const levels = await browser.evaluate(
    `[...document.querySelectorAll("#page :is(h1,h2,h3,h4,h5)")].map((one) => Number(one.tagName[1]))`,
    array(number()),
  );
  expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
});

test("without the token there is the frame, and nothing of the world; a tab keeps its token, and the address does not", async () => {
  const { server, cloud } = await opened();
  await cloud.call(createVpc, { vpcName: "hidden-net", cidrBlock: "10.0.0.0/16" });
  await expect.poll(text).toContain("hidden-net");
  expect(await told("location.href")).toBe(`${server.url}/`);
  await browser.open(`${server.url}/`);
  await expect.poll(text).toContain("hidden-net");
  await browser.evaluate("sessionStorage.clear(), true", boolean());
  await browser.open(`${server.url}/?again`);
  await expect.poll(text).toContain("the token is not that of this server: open the address that it has printed");
  expect(await text()).not.toMatch(/hidden-net|10\.0\.0|UTC|Stop it/);
});

test("an empty world says what to do, and shows what is made in it without being asked", async () => {
  const { cloud, server, world } = await opened();
  const news = () => told("document.getElementById('news').textContent");
  await expect.poll(text).toContain(`pulumi config set container-platform:endpoint ${server.url}`);
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "net", cidrBlock: "10.0.0.0/16" })).vpc;
  const place = { vpcId, subnetName: "part", cidrBlock: "10.0.0.0/24", zone: `${region}-1` };
  const { subnetId } = (await cloud.call(createSubnet, place)).subnet;
  await world.transaction(() => world.freeze());
  const named = { clusterBasicSettings: { clusterName: "moving" } };
  await cloud.call(createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" }, ...named });
  await expect.poll(text).toMatch(/moving[^]*Creating/);
  expect(await text()).not.toContain("This world is empty");
  expect(await news()).toContain("new cluster moving: Creating");
  await world.transaction(() => world.advance(10_000));
  await expect.poll(text).toMatch(/moving[^]*Running/);
  expect(await news()).toBe("cluster moving: Running");
  await cloud.call(createInstance, { registryName: "some-images", registryType: "basic" });
  await expect.poll(text).toMatch(/some-images[^]*Pending/);
});

test("all of it works with a keyboard: the clock, the calls, what a thing is; focus stays where it is while the world moves", async () => {
  const { world, cloud } = await opened();
  await cloud.call(createVpc, { vpcName: "net", cidrBlock: "10.0.0.0/16" });
  await expect.poll(text).toContain("10.0.0.0/16");
  const until = async (name: string | RegExp) => {
    const passed: string[] = [];
    for (; passed.length < 40; passed.push(await focused())) {
      if ((await focused()).match(name)) return;
      await browser.press("Tab");
    }
    throw new Error(`no ${name} among ${passed.join(" | ")}`);
  };
  const isOpen = () => browser.evaluate("document.querySelector('dialog').open", boolean());
  await until("Skip to the world");
  await until("Stop it");
  await browser.press("Enter");
  await expect.poll(() => world.clock().frozen).not.toBeNull();
  await expect.poll(focused).toBe("Let it run");
  const before = world.now();
  await until(/^\+1 h/);
  await browser.press("Enter");
  await expect.poll(() => world.now()).toBe(before + 3_600_000);
  // Several looks later, the same button has the focus.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(await focused()).toMatch(/^\+1 h/);
  await until("Time scale");
  await browser.press("ArrowDown");
  await expect.poll(() => world.timeScale).toBe("instant");
  await until("network net");
  await browser.press("Enter");
  await expect.poll(isOpen).toBe(true);
  expect(await told("document.querySelector('dialog').innerText")).toMatch(/IPv4 range\s+10\.0\.0\.0\/16/);
  await browser.press("Escape");
  await expect.poll(isOpen).toBe(false);
  expect(await focused()).toBe("network net");
  await until("which calls");
});

test("nothing moves for who prefers that", async () => {
  const world = await full();
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  await world.transaction(() => world.freeze());
  await cloud.call(createInstance, { registryName: "pending-images", registryType: "basic" });
  const moving = () => browser.evaluate("document.getAnimations().length", number());
  await opened({ width: 1280, scheme: "light", motion: "reduce" }, world);
  await expect.poll(text).toContain("pending-images");
  expect(await moving()).toBe(0);
  await browser.show({ width: 1280, scheme: "light", motion: "no-preference" });
  await expect.poll(moving).toBeGreaterThan(0);
});

test("a server that ends is missed, and another one's address is taken in the same tab", async () => {
  const { server, cloud } = await opened();
  await cloud.call(createVpc, { vpcName: "kept-in-sight", cidrBlock: "10.0.0.0/16" });
  await expect.poll(text).toContain("kept-in-sight");
  const port = Number(new URL(server.url).port);
  await server.close();
  await expect.poll(text).toContain("The server does not answer");
  expect(await text()).toContain("kept-in-sight");
  const world = World.open(":memory:");
  const next = await serve(world, { port, dashboard: true });
  onTestFinished(async () => {
    await next.close();
    world.close();
  });
  await expect.poll(text).toContain("open the address that it has printed");
  expect(await text()).not.toContain("kept-in-sight");
  await browser.evaluate(`location.href = ${JSON.stringify(next.dashboardUrl)}, true`, boolean());
  await expect.poll(text).toContain("This world is empty");
});
