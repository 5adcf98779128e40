import { z } from "zod";
import { boolean, int, objects, operations, sensitive, string, strings } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, totalCount } from "../shared.ts";
import { insideErrors, makingErrors, registryId } from "./structures.ts";

const { operation, publicApiOperation } = operations("registry", "2019-09-24");

export const tokenTypes = ["temp", "longterm"] as const;
const tokenId = string("ID of the long-term token.");
const desc = string("Description of the token.");

export const createInstanceToken = operation("CreateInstanceToken", () => ({
  summary: "Creates a token for the log-in of container clients. Its password is only returned here.",
  input: {
    registryId,
    tokenType: z
      .enum(tokenTypes)
      .optional()
      .describe("`temp`, the default: valid for one hour. `longterm`: until it is disabled or deleted."),
    desc: desc.optional().describe("Description of a long-term token."),
  },
  output: {
    username: string("User name for the log-in."),
    token: sensitive(string("Password for the log-in.")),
    expTime: int("Time of expiry, milliseconds since 1970."),
    tokenId: string("ID of a long-term token; empty for a temporary one."),
  },
  errors: makingErrors,
}));

export const describeInstanceToken = operation("DescribeInstanceToken", () => ({
  summary: "Lists the long-term tokens of a registry, without their passwords.",
  input: { registryId, ...offsetPaging(z.int()) },
  output: {
    totalCount: int("Number of long-term tokens on all pages."),
    tokens: objects("The tokens.", {
      id: tokenId,
      desc,
      registryId,
      enabled: boolean("Whether it is enabled: it can be used to log in."),
      createdAt: string("Time of creation, ISO 8601."),
      expiredAt: int("Time of expiry, milliseconds since 1970."),
    }),
  },
  errors: listingErrors,
  pages: { by: "offset", items: "tokens", key: "id" },
}));

export const modifyInstanceToken = operation("ModifyInstanceToken", () => ({
  summary: "Enables or disables a long-term token, or changes its description; only one of them in a call.",
  input: {
    registryId,
    tokenId,
    enable: boolean("Whether it can be used to log in; required with `ModifyFlag` 2.").optional(),
    desc: desc.optional().describe("Description of the token; required with `ModifyFlag` 1."),
    modifyFlag: z.literal([1, 2]).optional().describe("1: changes the description. 2, the default: enables or disables."),
  },
  errors: insideErrors,
  repeatable: true,
}));

export const deleteInstanceToken = operation("DeleteInstanceToken", () => ({
  summary: "Deletes a long-term token. A temporary one expires by itself.",
  input: { registryId, tokenId },
  errors: insideErrors,
}));

export const registryActions = [
  "reg:PushRepository",
  "reg:PullRepository",
  "reg:CreateRepository",
  "reg:DeleteRepository",
  "reg:CreateHelmChart",
  "reg:DescribeHelmCharts",
] as const;

const name = string("Name of the service account; the platform adds the prefix `reg$`.");
const permissions = z.array(
  z.object({
    resource: string("Path of a namespace, `<namespace>/`."),
    actions: strings(`Allowed actions: ${registryActions.map((action) => `\`${action}\``).join(", ")}.`),
  }),
);

const validity = {
  description: string("Description of the service account.").optional(),
  duration: int("Number of days that it is valid from now on; overrides `ExpiresAt`.").optional(),
  expiresAt: int("Time of expiry, milliseconds since 1970; -1: never.").optional(),
  disable: boolean("Whether it is disabled: it cannot log in.").optional(),
};

export const createServiceAccount = operation("CreateServiceAccount", () => ({
  summary: "Creates a service account: a user of one registry with its own permissions. Its password is only returned here.",
  input: { registryId, name, permissions: permissions.describe("Its permissions; at least one entry."), ...validity },
  output: {
    name: string("Name for the log-in, with the prefix `reg$`."),
    password: sensitive(string("Password for the log-in.")),
    expiresAt: int("Time of expiry, milliseconds since 1970; -1: never."),
    createTime: string("Time of creation, ISO 8601."),
  },
  errors: [...makingErrors, "FailedOperation"],
  remoteErrors: ["OperationDenied.QuotaOverLimit"],
}));

export const modifyServiceAccount = operation("ModifyServiceAccount", () => ({
  summary: "Changes a service account; fields that are not given remain unchanged.",
  input: { registryId, name, permissions: permissions.optional().describe("All of its permissions."), ...validity },
  errors: insideErrors,
  repeatable: true,
}));

export const modifyServiceAccountPassword = publicApiOperation("ModifyServiceAccountPassword", () => ({
  summary: "Changes the password of a service account. The new password is only returned here; the old one is no longer valid.",
  input: {
    registryId,
    name,
    random: boolean("True: the platform generates the password. False: the password is `Password`."),
    password: sensitive(
      string(
        "The new password, if `Random` is false: 8 to 20 characters, including an upper-case letter, a lower-case letter and a digit.",
      ).optional(),
    ),
  },
  output: { password: sensitive(string("The new password for the log-in.")) },
  errors: insideErrors,
  repeatable: true,
}));

export const describeServiceAccounts = publicApiOperation("DescribeServiceAccounts", () => ({
  summary: "Lists service accounts of a registry, without their passwords.",
  input: {
    registryId,
    all: boolean("Whether to return all at once, without pages; false unless given.").optional(),
    embedPermission: boolean("Whether the response has their permissions; false unless given.").optional(),
    filters: filters("Filters: `ServiceAccountName`."),
    ...offsetPaging(z.int()),
  },
  output: {
    serviceAccounts: objects("The service accounts.", {
      name: string("Name for the log-in, with the prefix `reg$`."),
      description: string("Description of the service account."),
      disable: boolean("Whether it is disabled: it cannot log in."),
      expiresAt: int("Time of expiry, milliseconds since 1970; -1: never."),
      createTime: string("Time of creation, ISO 8601."),
      updateTime: string("Time of the last change, ISO 8601."),
      permissions: permissions.describe("Its permissions; empty unless asked for."),
    }),
    totalCount,
  },
  errors: listingErrors,
  pages: { by: "offset", items: "serviceAccounts", key: "name" },
}));

export const deleteServiceAccount = publicApiOperation("DeleteServiceAccount", () => ({
  summary: "Deletes a service account.",
  input: { registryId, name },
  errors: insideErrors,
}));
