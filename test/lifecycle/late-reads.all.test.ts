import { expect, test } from "vitest";
import { Stage } from "../provider/stage/stage.ts";
import { Deployment } from "../support/deployment.ts";
import { LateReads } from "../support/late-reads.ts";
import { ProviderHere } from "../support/provider-here.ts";
import { changed, flagship } from "./flagship.ts";
import { called, type Declaration, type Program, Reference, resolved, sourcesOf } from "./program.ts";

const registryId = new Reference("RegistryInstance platform", "registryId");
const [archiveId, copies] = [new Reference("RegistryInstance archive", "registryId"), new Reference("Namespace copies", "namespaceName")];
const namespaceName = new Reference("Namespace team", "namespaceName");
const open = (...ranges: readonly string[]) => ({ whitelist: ranges.map((cidrBlock) => ({ cidrBlock })) });
const [auditor, clusterId] = ["100000000003", new Reference("Cluster platform", "clusterId")];
const archive = { registryName: "late-archive", deleteBucket: true };
const ofAuditor = { targetUin: auditor, clusterId, roleName: "svc:ns:dev", roleType: "namespace" };
const rule = { sourceRegistryId: registryId, ruleName: "archive", destinationRegistryId: archiveId, destNamespace: copies };
const account = { registryId, name: "ci", permissions: [{ resource: namespaceName, actions: ["reg:PushRepository"] }] };

/** What the flagship lacks. Of a type with two sets of inputs, the second one is a change. */
const more: readonly (readonly [type: string, name: string, args: Declaration["args"], change?: Declaration["args"]])[] = [
  ["RegistryInstance", "archive", { ...archive, publicAccess: open("203.0.113.7", "203.0.113.8") }, { publicAccess: open("203.0.113.9") }],
  ["Namespace", "copies", { registryId: archiveId, namespaceName: "copies", isPublic: false }],
  ["Repository", "web", { registryId, namespaceName, repositoryName: "web" }, { briefDescription: "shop" }],
  ["ServiceAccount", "ci", account, { description: "builds", passwordVersion: "2" }],
  ["ReplicationRule", "archive", { ...rule, filters: [{ type: "name", value: "team/**" }] }, { description: "all", enabled: false }],
  ["UserPermission", "third", { ...ofAuditor, namespace: "third" }, { roleName: "svc:ns:ro" }],
];
const declared = (isChanged: boolean): Program =>
  more.map(([type, name, args, change = {}]) => ({ type, name, args: isChanged ? { ...args, ...change } : args }));

test("a change whose answer is lost is not rejected for its own effect, which late reads do not show", async () => {
  await using stage = Stage.here();
  const transport = new LateReads(stage.world, 3000);
  const host = new ProviderHere(stage.world, "eu-frankfurt", { transport });
  const [net, block, subnet] = ["Vpc", "Ipv6Block", "Subnet"].map((type) => new Deployment(host, type, "late"));
  await net?.up({ cidrBlock: "10.0.0.0/16" });
  const vpcId = net?.state?.outputs["vpcId"];
  await block?.up({ vpcId });
  const ipv6SubnetCidrBlock = String(block?.state?.outputs["ipv6CidrBlock"]).replace("/56", "/64");
  const args = { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/24" };
  await subnet?.up(args);
  stage.faults.add({ operation: { action: "AssignIpv6SubnetCidrBlock" }, when: "after", code: "ResourceUnavailable" });
  await subnet?.up({ ...args, ipv6SubnetCidrBlock });
  expect(subnet?.state?.outputs).toMatchObject({ ipv6SubnetCidrBlock });
  await host.restart("SIGINT");
  await transport.close();
});

test("every type is created, changed, read, recreated and deleted on a platform whose reads are three seconds late", async () => {
  await using stage = Stage.here();
  const transport = new LateReads(stage.world, 3000);
  const host = new ProviderHere(stage.world, "eu-frankfurt", { transport });
  const deployments = new Map<string, Deployment>();
  const of = (name: string): Deployment => {
    const [type = "", label = ""] = name.split(" ");
    const one = deployments.get(name) ?? new Deployment(host, type, label);
    deployments.set(name, one);
    return one;
  };
  const valueOf = (value: unknown) => resolved(value, (name) => of(name).state?.outputs ?? {});
  const argsOf = ({ args }: Declaration) => Object.fromEntries(Object.entries(args).map(([key, value]) => [key, valueOf(value)]));
  /** Works on all resources at the same time, on each after those that `before` names. */
  const each = (program: Program, before: (one: Declaration) => readonly string[], work: (one: Declaration) => Promise<unknown>) => {
    const done = new Map<string, Promise<unknown>>();
    const all = program.map((one) => {
      const own = Promise.all(before(one).map((name) => done.get(name) ?? Promise.resolve())).then(() => work(one));
      done.set(called(one), own);
      return own;
    });
    return Promise.all(all);
  };
  const [program, news] = [
    [...flagship(), ...declared(false)],
    [...changed(flagship()), ...declared(true)],
  ];
  const sources = ({ args }: Declaration) => sourcesOf(args);
  const up = (one: Declaration) => of(called(one)).up(argsOf(one));
  await each(program, sources, up);
  await each(news, sources, up);
  await each(news, sources, async (one) => {
    await of(called(one)).refresh();
    expect([called(one), await of(called(one)).preview(argsOf(one))]).toEqual([called(one), "nothing"]);
  });
  const isLast = (one: Declaration) => !news.some((other) => sources(other).includes(called(one)));
  // As with deleteBeforeReplace.
  await each(
    news.filter(isLast),
    () => [],
    (one) =>
      of(called(one))
        .destroy()
        .then(() => up(one)),
  );
  const dependents = (one: Declaration) => news.filter((other) => sources(other).includes(called(one))).map(called);
  await each(news.toReversed(), dependents, (one) => of(called(one)).destroy());
  await host.restart("SIGINT");
  await transport.close();
  expect(await stage.contents()).toEqual({});
}, 300_000);
