import * as registry from "@container-platform/sdk/registry";
import { nameOf } from "../../../lifecycle/template.ts";
import { at } from "../../../support/structs.ts";
import { serviceAccountDrifts } from "./service-account.drifts.ts";
import { serviceAccountJudged } from "./service-account.judged.ts";
import type { KindCases } from "../kind-cases.ts";
import { idsOfTable } from "../world-ids.ts";

const account = { registryId: "tcr-1", name: "ci", permissions: [{ resource: "team", actions: ["reg:PullRepository"] }] };

export const cases: KindCases = {
  drifts: serviceAccountDrifts,
  creates: { operation: registry.createServiceAccount, takenBackBy: registry.deleteServiceAccount },
  killed: {
    noted: ({ stage, registryId }) => ({
      args: { ...account, registryId },
      count: () => stage.rows("serviceAccounts"),
      deletes: registry.deleteServiceAccount,
      confirms: registry.modifyServiceAccount,
    }),
  },
  secrets: ({ registryId }) => ({
    args: () => ({ ...account, registryId }),
    to: { passwordVersion: "2" },
    secret: (props) => [at(props, "password")],
    inputs: false,
  }),
  site: async ({ cloud, idOf }) => {
    const registryId = idOf("RegistryInstance");
    const permissions = [{ resource: "team/", actions: ["reg:PushRepository", "reg:PullRepository"] }];
    const expiresAt = Date.parse("2099-01-01T00:00:00Z");
    await cloud.call(registry.createServiceAccount, { registryId, name: "ci", permissions, expiresAt });
    return [`${registryId}/ci`];
  },
  idsIn: idsOfTable("serviceAccounts", ({ id }) => id.replace("/reg$", "/")),
  program: {
    one: (called) => `new ServiceAccount("ci", {
  registryId, name: "ci", permissions: [{ resource: namespaceName, actions: ["reg:PushRepository"] }], description: "${called}",
  expiresAt: "2099-01-01T01:00:00+01:00",
});`,
  },
  random: {
    template: {
      needs: { namespace: "Namespace" },
      replaces: true,
      args: ({ version, place }, refer) => ({
        registryId: refer("namespace.registry", "registryId"),
        name: `place-${place}`,
        permissions: [{ resource: refer("namespace", "namespaceName"), actions: ["reg:PullRepository"] }],
        description: nameOf(version),
        passwordVersion: `${version >> 1}`,
      }),
    },
    renamed: { exempt: "its name cannot be changed" },
    deleted: (cloud, { id }) => {
      const [registryId = "", name = ""] = id.split("/");
      return cloud.call(registry.deleteServiceAccount, { registryId, name });
    },
    imported: { exempt: "would need a registry that was made by hand, too" },
  },
  judged: serviceAccountJudged,
};
