import { deleteUserPermissions, describeUserPermissions, grantUserPermissions } from "@container-platform/sdk/cluster";
import { describe, expect, test } from "vitest";
import { canBuild, hasKubectl } from "./kubectl.ts";
import { serveWorld } from "./stage.ts";

const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

/** A served cluster with the namespaces `web` and `api`, and sub-accounts in it. */
async function start() {
  const at = await serveWorld();
  const clusterId = await at.cluster();
  const main = await at.as(clusterId);
  await main.apply(namespace("web"), namespace("api"));
  const permission = (roleName: string, scope = "") =>
    ({ clusterId, roleName, roleType: scope === "" ? "cluster" : "namespace", namespace: scope }) as const;
  const grant = (targetUin: string, ...permissions: ReturnType<typeof permission>[]) =>
    at.cloud.call(grantUserPermissions, { targetUin, permissions });
  const granted = async (targetUin: string) =>
    (await at.cloud.call(describeUserPermissions, { targetUin })).permissions.map(({ roleName, namespace: of }) => `${roleName}@${of}`);
  const user = async (name: string) => {
    const uin = await at.subAccount(name);
    return { uin, kubectl: await at.as(clusterId, uin) };
  };
  return { ...at, clusterId, main, permission, grant, granted, user };
}

/** What somebody may do with a role; the words of `kubectl auth can-i`. */
const roles = {
  "svc:admin": { yes: ["delete nodes", "create clusterrolebindings", "delete secrets -n api", "get /metrics"], no: [] },
  "svc:ops": {
    yes: ["update nodes", "create namespaces", "update secrets -n api", "delete pods -n api", "get /metrics", "list clusterroles"],
    no: ["delete nodes", "delete namespaces", "delete secrets -n api", "delete deployments.apps -n api", "escalate clusterroles"],
  },
  "svc:dev": {
    yes: ["create deployments.apps -n web", "delete secrets -n api", "create pods/exec -n api", "list namespaces"],
    no: ["update nodes", "create namespaces", "create rolebindings -n web", "get persistentvolumes"],
  },
  "svc:ro": {
    yes: ["list nodes", "watch pods -n api", "get clusterroles", "get pods/log -n web"],
    no: ["get secrets -n web", "create pods -n web", "delete pods -n api", "create pods/exec -n web"],
  },
  "svc:ns:dev": {
    yes: ["create deployments.apps -n web", "get secrets -n web", "create pods/exec -n web"],
    no: ["list pods -n api", "list nodes", "create rolebindings -n web", "list pods -A"],
  },
  "svc:ns:ro": {
    yes: ["list pods -n web", "get services -n web"],
    no: ["get secrets -n web", "create pods -n web", "list pods -n api", "list nodes"],
  },
} as const;

describe.runIf(hasKubectl && canBuild)("permissions in a served cluster", () => {
  test("each preset role allows what it says, at once, and nothing before it is granted or after it is taken", async () => {
    const { grant, permission, user, cloud } = await start();
    for (const [role, { yes, no }] of Object.entries(roles)) {
      const { uin, kubectl } = await user(role.replaceAll(":", "-"));
      const answers = async (questions: readonly string[]) =>
        Promise.all(questions.map(async (question) => ((await kubectl.can(...question.split(" "))) ? "yes: " : "no: ") + question));
      const given = permission(role, role.startsWith("svc:ns:") ? "web" : "");
      const [first = ""] = yes;
      expect(await answers([first])).toEqual([`no: ${first}`]);
      await grant(uin, given);
      const expected = [...yes.map((question) => `yes: ${question}`), ...no.map((question) => `no: ${question}`)];
      expect(await answers([...yes, ...no]), role).toEqual(expected);
      await cloud.call(deleteUserPermissions, { targetUin: uin, permissions: [given] });
      expect(await answers([first])).toEqual([`no: ${first}`]);
    }
  });

  test("a permission that is taken ends what its user watches; what others have bound with kubectl stays", async () => {
    const { grant, permission, user, main } = await start();
    const { uin, kubectl } = await user("watcher");
    await grant(uin, permission("svc:ns:ro", "web"));
    await main.done("create", "rolebinding", "own", "--clusterrole=view", `--user=${uin}`, "-n", "api");
    const watch = kubectl.watch("get", "configmaps", "-n", "web");
    await expect.poll(watch.heard).toContain("kube-root-ca.crt");
    await grant(uin);
    await watch.ended;
    expect((await kubectl.outcome(["get", "configmaps", "-n", "web"])).output).toContain(`User "${uin}" cannot list resource "configmaps"`);
    expect(await kubectl.done("get", "configmaps", "-n", "api")).toContain("kube-root-ca.crt");
    expect(await main.done("get", "rolebindings", "-n", "api", "-o", "name")).toBe("rolebinding.rbac.authorization.k8s.io/own");
  });

  test("what kubectl does to roles and bindings is what the platform tells, and the other way", async () => {
    const { grant, granted, permission, user, main } = await start();
    const { uin, kubectl } = await user("both");
    await expect(grant(uin, permission("reader"))).rejects.toThrow("has no ClusterRole reader");
    await main.done("create", "clusterrole", "reader", "--verb=get,list", "--resource=nodes");
    await main.done("create", "role", "scaler", "--verb=update", "--resource=deployments.apps", "-n", "web");
    await expect
      .poll(() => grant(uin, permission("reader"), permission("scaler", "web"), permission("view", "api")).then(() => granted(uin), String))
      .toEqual(["reader@", "scaler@web", "view@api"]);
    expect(await kubectl.can("list", "nodes")).toBe(true);
    expect(await kubectl.can("update", "deployments.apps", "-n", "web")).toBe(true);
    // Kubernetes puts its role together a moment after a cluster's first start.
    await expect.poll(() => kubectl.can("list", "pods", "-n", "api")).toBe(true);
    const binding = await main.done("get", "clusterrolebinding", "-l", "container-platform/managed=true", "-o", "name");
    const own = binding.split("\n").filter((name) => name.includes(uin));
    expect(own).toHaveLength(1);
    await main.done("delete", ...own);
    await expect.poll(() => granted(uin)).toEqual(["scaler@web", "view@api"]);
    expect(await kubectl.can("list", "nodes")).toBe(false);
    // A namespace takes its bindings with it.
    await main.done("delete", "namespace", "web", "--wait=true");
    await expect.poll(() => granted(uin)).toEqual(["view@api"]);
    await expect
      // One that was granted before the cluster has told that its role is gone would stay.
      .poll(() => grant(uin, permission("scaler", "web")).then(() => grant(uin).then(() => "granted"), String))
      .toContain("neither a Role scaler in namespace web nor a ClusterRole");
    // The main account cannot lock itself out.
    await main.done("delete", "clusterrolebinding", "-l", "container-platform/managed=true");
    await expect.poll(() => main.can("delete", "nodes")).toBe(true);
    await main.done("delete", "clusterrole", "svc:ro");
    await expect.poll(() => main.outcome(["get", "clusterrole", "svc:ro", "-o", "name"]).then(({ output }) => output)).toContain("svc:ro");
  });

  test("a permission for a namespace that is not there yet holds as soon as it is", async () => {
    const { grant, permission, user, main } = await start();
    const { uin, kubectl } = await user("early");
    await grant(uin, permission("svc:ns:dev", "later"));
    expect(await kubectl.can("create", "pods", "-n", "later")).toBe(false);
    await main.apply(namespace("later"));
    expect(await kubectl.can("create", "pods", "-n", "later")).toBe(true);
  });
});
