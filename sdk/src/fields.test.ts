import { expect, test } from "vitest";
import { z } from "zod";
import { fieldsIn } from "./fields.ts";
import { sensitive, spelt, state, unexposed } from "./operation.ts";

const schema = z.strictObject({
  vpcId: z.string().describe("The VPC."),
  oidc: spelt("OIDCConfig", z.object({ count: z.int().describe("How many.") }).optional()).describe("OIDC."),
  taints: z.array(z.object({ effect: z.enum(["NoSchedule", "NoExecute"]).describe("What happens.") })).describe("Taints."),
  names: z.array(z.string()).default([]).describe("Names."),
  ratio: z.number().optional().describe("A ratio."),
  password: sensitive(z.string().optional().describe("The password.")),
  status: state(["Creating", "Running"]).describe("The state."),
  token: unexposed(z.string().describe("A token.")),
});

test("fields are told with their place, type, values and what is said of them", () => {
  expect(fieldsIn(schema)).toEqual([
    { path: "VpcId", type: "string", values: [], required: true, sensitive: false, exposed: true, description: "The VPC." },
    { path: "OIDCConfig", type: "object", values: [], required: false, sensitive: false, exposed: true, description: "OIDC." },
    { path: "OIDCConfig.Count", type: "integer", values: [], required: true, sensitive: false, exposed: true, description: "How many." },
    { path: "Taints", type: "list of objects", values: [], required: true, sensitive: false, exposed: true, description: "Taints." },
    {
      path: "Taints[].Effect",
      type: "string",
      values: ["NoSchedule", "NoExecute"],
      required: true,
      sensitive: false,
      exposed: true,
      description: "What happens.",
    },
    { path: "Names", type: "list of strings", values: [], required: false, sensitive: false, exposed: true, description: "Names." },
    { path: "Ratio", type: "number", values: [], required: false, sensitive: false, exposed: true, description: "A ratio." },
    { path: "Password", type: "string", values: [], required: false, sensitive: true, exposed: true, description: "The password." },
    {
      path: "Status",
      type: "string",
      values: ["Creating", "Running"],
      required: true,
      sensitive: false,
      exposed: true,
      description: "The state.",
    },
    { path: "Token", type: "string", values: [], required: true, sensitive: false, exposed: false, description: "A token." },
  ]);
});
