import { z } from "zod";
import { operations, sensitive } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging } from "../shared.ts";
import { makingErrors, insideErrors, registryId, totalCount } from "./structures.ts";

const operation = operations("registry", "2019-09-24");

export const registryActions = [
  "reg:PushRepository",
  "reg:PullRepository",
  "reg:CreateRepository",
  "reg:DeleteRepository",
  "reg:CreateHelmChart",
  "reg:DescribeHelmCharts",
] as const;

const name = z.string().describe("Name of the service account; the platform puts `reg$` before it.");
const permissions = z.array(
  z.object({
    resource: z.string().describe("Path of a namespace, `<namespace>/`."),
    actions: z.array(z.string()).describe(`What may be done there: ${registryActions.map((action) => `\`${action}\``).join(", ")}.`),
  }),
);

const validity = {
  description: z.string().optional().describe("What the service account is for."),
  duration: z.int().optional().describe("Days from now that it is valid; it counts more than `ExpiresAt`."),
  expiresAt: z.int().optional().describe("When it expires, milliseconds since 1970; -1: never."),
  disable: z.boolean().optional().describe("Whether one cannot log in with it."),
};

export const createServiceAccount = operation("CreateServiceAccount", () => ({
  summary: "Creates a service account: a user of one registry with permissions of its own. Its password is told only here.",
  input: { registryId, name, permissions: permissions.describe("What it may do, where; at least one entry."), ...validity },
  output: {
    name: z.string().describe("Name to log in as, `reg$` before it."),
    password: sensitive(z.string()).describe("Password to log in with."),
    expiresAt: z.int().describe("When it expires, milliseconds since 1970; -1: never."),
    createTime: z.string().describe("When it was made, ISO 8601."),
  },
  errors: [...makingErrors, "FailedOperation"],
  remoteErrors: ["OperationDenied.QuotaOverLimit"],
  effect: "write",
  source: "specification",
}));

export const modifyServiceAccount = operation("ModifyServiceAccount", () => ({
  summary: "Changes a service account; what is not given stays as it is.",
  input: { registryId, name, permissions: permissions.optional().describe("What it may do, where: the whole list."), ...validity },
  output: {},
  errors: insideErrors,
  effect: "write",
  repeatable: true,
  source: "specification",
}));

export const modifyServiceAccountPassword = operation("ModifyServiceAccountPassword", () => ({
  summary: "Gives a service account another password, which is told only here. The earlier one no longer logs in.",
  input: {
    registryId,
    name,
    random: z.boolean().describe("True: the platform draws the password. False: it is `Password`."),
    password: sensitive(z.string().optional()).describe(
      "The password, with `Random` false: 8 to 20 characters, among them an upper-case letter, a lower-case letter and a digit.",
    ),
  },
  output: { password: sensitive(z.string()).describe("Password to log in with from now on.") },
  errors: insideErrors,
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const describeServiceAccounts = operation("DescribeServiceAccounts", () => ({
  summary: "Lists service accounts of a registry, without their passwords.",
  input: {
    registryId,
    all: z.boolean().optional().describe("Whether to answer all at once, without pages; false unless given."),
    embedPermission: z.boolean().optional().describe("Whether to tell their permissions; false unless given."),
    filters: filters.optional().describe("Filters: `ServiceAccountName`."),
    ...offsetPaging(z.int()),
  },
  output: {
    serviceAccounts: z
      .array(
        z.object({
          name: z.string().describe("Name to log in as, `reg$` before it."),
          description: z.string().describe("What it is for."),
          disable: z.boolean().describe("Whether one cannot log in with it."),
          expiresAt: z.int().describe("When it expires, milliseconds since 1970; -1: never."),
          createTime: z.string().describe("When it was made, ISO 8601."),
          updateTime: z.string().describe("When it was last changed, ISO 8601."),
          permissions: permissions.describe("What it may do, where; empty unless asked for."),
        }),
      )
      .describe("The service accounts."),
    totalCount,
  },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "serviceAccounts" },
  source: "public-api",
}));

export const deleteServiceAccount = operation("DeleteServiceAccount", () => ({
  summary: "Deletes a service account.",
  input: { registryId, name },
  output: {},
  errors: insideErrors,
  effect: "write",
  source: "public-api",
}));
