import * as registry from "@container-platform/sdk/registry";
import { nameOf } from "../../../lifecycle/template.ts";
import { at } from "../../../support/structs.ts";
import { serviceAccountDrifts } from "./service-account.drifts.ts";
import { serviceAccountJudged } from "./service-account.judged.ts";
import type { BadInput, KindCases } from "../kind-cases.ts";
import { idsOfTable } from "../world-ids.ts";

const account = { registryId: "tcr-1", name: "ci", permissions: [{ resource: "team", actions: ["reg:PullRepository"] }] };
const permitted = (...permissions: readonly object[]) => ({ ...account, permissions });

const refusedNames = ["CI", "reg$ci", "-ci", "ci--two"].map((name): BadInput => [
  { ...account, name },
  `name: takes lower-case letters, digits and separators (., _, -), which neither begin nor end it nor follow each other, not "${name}"`,
]);

const refusedPermissions: readonly BadInput[] = [
  ...["team/web", "*", "/", "Team"].map((resource): BadInput => [
    permitted({ resource, actions: ["reg:PullRepository"] }),
    `permissions[0].resource: takes the name of a namespace, such as team, not "${resource}"`,
  ]),
  [permitted({ resource: "team", actions: [] }), "permissions[0].actions: takes at least 1 entry, not 0"],
  [
    permitted({ resource: "team", actions: ["pull"] }),
    'permissions[0].actions[0]: "pull" is not one of reg:PushRepository, reg:PullRepository, reg:CreateRepository, reg:DeleteRepository, reg:CreateHelmChart, reg:DescribeHelmCharts',
  ],
  [
    permitted(...account.permissions, { resource: "team/", actions: ["reg:PushRepository"] }),
    "permissions: team/ is in it twice: name each namespace once",
  ],
];

const refusedEnds: readonly BadInput[] = [
  ...["soon", "2027-01-01", "2027-01-01T00:00:00", "2027-02-30T00:00:00Z"].map((expiresAt): BadInput => [
    { ...account, expiresAt },
    `expiresAt: takes a moment with its time zone, such as 2027-01-01T00:00:00Z, not "${expiresAt}"`,
  ]),
  [{ ...account, expiresAt: 1830297600000 }, "expiresAt: takes a string, not a number"],
];

export const cases: KindCases = {
  drifts: serviceAccountDrifts,
  refused: [
    [permitted(), "permissions: takes at least 1 entry, not 0"],
    ...refusedNames,
    ...refusedPermissions,
    ...refusedEnds,
    [
      { ...account, password: "mine" },
      "password: ServiceAccount has no such property; it has registryId, name, permissions, description, disable, expiresAt, passwordVersion",
    ],
  ],
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
