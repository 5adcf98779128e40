import * as vpc from "@container-platform/sdk/vpc";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, test } from "vitest";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { asSecret, isProps, type Props, propsOf, struct, unknown } from "../../support/structs.ts";
import { pluginPlace } from "../stage/plugin-place.ts";

/** What the plugin answers to the engine's own requests. */

const { cloud, plugin } = pluginPlace("plugin");

const urnOf = (type: string) => `urn:pulumi:test::laws::${nativeToken(type)}::example`;

async function checkedConfig(settings: Props) {
  const request = new messages.CheckRequest().setName("here").setNews(struct(settings));
  const answer = await plugin.checkConfig(request);
  return { inputs: propsOf(answer.getInputs()), failures: answer.getFailuresList().map((one) => one.getReason()) };
}

test("an engine that is too old is refused, and a new one is told what the plugin takes", () => {
  const says = "the plugin container-platform needs Pulumi 3.229 or newer, and this engine is older";
  expect(() => plugin.handshake(new messages.ProviderHandshakeRequest())).toThrow(says);
  expect(() => plugin.configure(new messages.ConfigureRequest())).toThrow(says);
  const taken = plugin.handshake(new messages.ProviderHandshakeRequest().setConfigureWithUrn(true)).toObject();
  expect(taken).toMatchObject({ acceptSecrets: true, acceptResources: true, acceptOutputs: true, acceptsOutputsInCheck: true });
  const configured = plugin.configure(new messages.ConfigureRequest().setName("default").setId(unknown)).toObject();
  expect(configured).toMatchObject({ acceptsecrets: true, supportspreview: true });
});

test("settings are refused by name, and returned with credentials as secrets", async () => {
  const place = { endpoint: "local", region: "eu-frankfurt" };
  const own = { version: "1.0.0", pluginDownloadURL: "https://example.com", __internal: "{}" };
  const { inputs, failures } = await checkedConfig({ ...place, ...own, secretKey: "hush", defaultTags: asSecret({ team: "a" }) });
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({ ...place, secretKey: asSecret("hush"), defaultTags: asSecret({ team: "a" }) });
  expect((await checkedConfig({ ...place, callsPerSecond: 0 })).failures).toEqual([
    "callsPerSecond of the Provider here is 0; it takes a number from 1 on [Provider.Configuration]",
  ]);
  // A value that is not known yet is not looked at, but its name is.
  expect((await checkedConfig({ region: unknown, callsPerSecond: 0 })).failures).toEqual([]);
  expect((await checkedConfig({ region: unknown, regoin: "x", zone: "y" })).failures).toEqual([
    expect.stringMatching(/^regoin: there is no such setting; there are endpoint, region, .* \[Provider\.Configuration\]$/),
    expect.stringMatching(/^zone: there is no such setting; /),
  ]);
});

test("changed settings are an update of the provider, whatever they are", () => {
  const compared = (before: Props, after: Props) => {
    const answer = plugin.diffConfig(new messages.DiffRequest().setOldInputs(struct(before)).setNews(struct(after)));
    return [answer.getChanges(), answer.getDiffsList().toSorted()];
  };
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const before = { region: "eu-frankfurt", defaultTags: { a: "b" } };
  expect(compared(before, before)).toEqual([DIFF_NONE, []]);
  expect(compared(before, { region: "na-ashburn", endpoint: "local" })).toEqual([DIFF_SOME, ["defaultTags", "endpoint", "region"]]);
});

test("a type or a function that this version does not have is refused with what it has", async () => {
  const [outdated, remedy] = ["this version of the plugin has no", "install the version"];
  for (const token of [nativeToken("Volcano"), "container-platform:network:Vpc", nativeToken("Network")])
    expect(() => plugin.check(new messages.CheckRequest().setUrn(`urn:pulumi:test::laws::${token}::example`))).toThrow(
      new RegExp(`^${outdated} ${token}; it has Vpc, .*: ${remedy} that made the stack$`),
    );
  await expect(plugin.invoke(new messages.InvokeRequest().setTok(nativeToken("getLava")))).rejects.toThrow(
    new RegExp(`^${outdated} function container-platform:index:getLava; it has .*getZones.*: ${remedy} that the program was written for$`),
  );
});

/** The kinds of the differences, by path, and what replaces the resource. */
async function differences(id: string, state: Props, before: Props, after: Props) {
  const request = new messages.DiffRequest().setUrn(urnOf("Vpc")).setId(id).setOlds(struct(state)).setOldInputs(struct(before));
  const answer = await plugin.diff(request.setNews(struct(after)));
  const { detaileddiffMap, replacesList: replaces, deletebeforereplace: first, changes } = answer.toObject();
  const detailed = Object.fromEntries(detaileddiffMap.map(([path, { kind, inputdiff }]) => [path, [kind, inputdiff]]));
  return { detailed, replaces, first, changes };
}

test("a resource is previewed, made with its secrets, compared place by place, and deleted", async () => {
  const urn = urnOf("Vpc");
  const args = { cidrBlock: "10.0.0.0/16", vpcName: asSecret("hush-net"), tags: { team: "a" } };
  const checked = await plugin.check(new messages.CheckRequest().setUrn(urn).setNews(struct({ ...args, __urn: "other" })));
  const inputs = propsOf(checked.getInputs());
  expect(inputs).toMatchObject({ ...args, __urn: expect.stringContaining("dynamic/container-platform:Vpc::example") as string });
  const request = new messages.CreateRequest().setUrn(urn).setProperties(struct(inputs)).setTimeout(60);
  expect(propsOf((await plugin.create(request.setPreview(true))).getProperties())).toMatchObject({ ...args, vpcId: unknown });
  const made = await plugin.create(request.setPreview(false));
  const [id, state] = [made.getId(), propsOf(made.getProperties())];
  expect(state).toMatchObject({ ...args, vpcId: id, __provider: expect.stringContaining('get("Vpc")') as string });
  expect(Object.keys(state)).not.toContain("__timeouts");
  expect((await cloud.call(vpc.describeVpcs, { vpcIds: [id] })).vpcSet[0]?.vpcName).toBe("hush-net");

  const { ADD, UPDATE, UPDATE_REPLACE } = messages.PropertyDiff.Kind;
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  expect(await differences(id, state, inputs, inputs)).toMatchObject({ detailed: {}, changes: DIFF_NONE });
  const changed = { ...inputs, tags: { team: "b", "cost centre": "7" } };
  expect(await differences(id, state, inputs, changed)).toEqual({
    detailed: { "tags.team": [UPDATE, true], 'tags["cost centre"]': [ADD, true] },
    // An option of the program may make a replacement of it: two of this name cannot exist.
    ...{ replaces: [], first: true, changes: DIFF_SOME },
  });
  expect(await differences(id, state, inputs, { ...changed, cidrBlock: "10.0.0.0/12" })).toMatchObject({
    detailed: { cidrBlock: [UPDATE_REPLACE, true], "tags.team": [UPDATE, true] },
    ...{ replaces: ["cidrBlock"], first: true },
  });

  const update = new messages.UpdateRequest().setUrn(urn).setId(id).setOlds(struct(state)).setNews(struct(changed));
  expect(propsOf((await plugin.update(update.setPreview(true))).getProperties())).toMatchObject({ vpcId: id, dnsServers: unknown });
  const updated = propsOf((await plugin.update(update.setPreview(false))).getProperties());
  expect(updated["tags"]).toEqual(changed.tags);
  await plugin.delete(new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(struct(updated)).setTimeout(60));
  expect((await plugin.read(new messages.ReadRequest().setUrn(urn).setId(id).setProperties(struct(updated)))).getId()).toBe("");
  expect(isProps(state["__home"])).toBe(true);
});
