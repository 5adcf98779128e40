import { expect, test } from "vitest";
import { z } from "zod";
import { fieldsIn } from "./fields.ts";
import { inExample, sensitive, spelt, state, unexposed } from "./operation.ts";

const schema = z.strictObject({
  vpcId: z.string().describe("The VPC."),
  oidc: spelt("OIDCConfig", z.object({ count: z.int().describe("How many.") }).optional()).describe("OIDC."),
  taints: z.array(z.object({ effect: z.enum(["NoSchedule", "NoExecute"]).describe("What happens.") })).describe("Taints."),
  names: z.array(z.string()).default([]).describe("Names."),
  ratio: inExample(z.number().min(0).max(100).optional().describe("A ratio.")),
  password: sensitive(z.string().optional().describe("The password.")),
  status: state(["Creating", "Running"]).describe("The state."),
  mode: z.literal([1, 2]).optional().describe("The mode."),
  token: unexposed(z.string().describe("A token.")),
});

test("fields have their path, type, values, limits and description", () => {
  const usual = { values: [], limits: "", required: true, inExample: true, sensitive: false, exposed: true };
  const optional = { ...usual, required: false, inExample: false };
  const told = fieldsIn(schema).map(({ name: _name, kind: _kind, fields: _fields, item: _item, ...field }) => field);
  expect(told).toEqual([
    { ...usual, path: "VpcId", type: "string", description: "The VPC." },
    { ...optional, path: "OIDCConfig", type: "object", description: "OIDC." },
    { ...usual, path: "OIDCConfig.Count", type: "integer", description: "How many." },
    { ...usual, path: "Taints", type: "list of objects", description: "Taints." },
    { ...usual, path: "Taints[].Effect", type: "string", values: ["NoSchedule", "NoExecute"], description: "What happens." },
    { ...optional, path: "Names", type: "list of strings", description: "Names." },
    { ...usual, path: "Ratio", type: "number", limits: "0 to 100", required: false, description: "A ratio." },
    { ...optional, path: "Password", type: "string", sensitive: true, description: "The password." },
    { ...usual, path: "Status", type: "string", values: ["Creating", "Running"], description: "The state." },
    { ...optional, path: "Mode", type: "integer", values: ["1", "2"], description: "The mode." },
    { ...usual, path: "Token", type: "string", exposed: false, description: "A token." },
  ]);
});

test("a field has its inner fields and items", () => {
  const [, oidc, , taints] = fieldsIn(schema);
  expect(oidc?.fields.map(({ name, kind }) => [name, kind])).toEqual([["Count", "integer"]]);
  expect(taints?.kind).toBe("list");
  expect(taints?.item).toMatchObject({ kind: "object", path: "Taints[]", required: true });
  expect(taints?.item?.fields.map(({ name }) => name)).toEqual(["Effect"]);
});
