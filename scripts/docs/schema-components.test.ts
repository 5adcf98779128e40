import { expect, test } from "vitest";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { commentsOfResources } from "./comments.ts";
import { componentSpecs } from "./schema-components.ts";
import type { Types } from "./schema-types.ts";

const types: Types = {};
const specs = componentSpecs(commentsOfResources(), types);
const text = { type: "string" };
const known = { type: "string", plain: true };

test("what is an Input in the class may come later in every language, and all else is plain", () => {
  expect(specs[nativeToken("Network")]).toMatchObject({
    isComponent: true,
    inputProperties: {
      cidrBlock: known,
      zones: {
        oneOf: [
          { type: "integer", plain: true },
          { type: "array", items: known, plain: true },
        ],
        plain: true,
      },
    },
    requiredInputs: [],
  });
  const tags = { type: "object", additionalProperties: text, plain: true };
  const described = (spec: object) => ({ ...spec, description: expect.any(String) });
  expect(specs[nativeToken("Network")]).toHaveProperty("inputProperties.tags", described(tags));
  for (const properties of [specs[nativeToken("Network")]?.["inputProperties"], types[nativeToken("PlatformNetwork")]?.["properties"]])
    expect(properties).toHaveProperty("subnetRoles", described({ type: "array", items: known, plain: true }));
  const pool = types[nativeToken("PlatformPool")];
  expect(pool).toHaveProperty("properties.instanceTypes", described({ type: "array", items: text, plain: true }));
  expect(pool).toHaveProperty("properties.max", described({ type: "integer" }));
  expect(pool).toHaveProperty("properties.role", described(known));
});

test("functions are left out, a network is given or shared, and no nested type is called as the arguments of a resource", () => {
  const { inputProperties, requiredInputs } = specs[nativeToken("Platform")] ?? {};
  expect(inputProperties).not.toHaveProperty("transform");
  expect(inputProperties).toMatchObject({
    network: { $ref: `#/types/${nativeToken("PlatformNetwork")}`, plain: true },
    sharedNetwork: { $ref: `#/resources/${nativeToken("Network")}`, plain: true },
    childAliases: { $ref: `#/types/${nativeToken("PlatformChildAliases")}`, plain: true },
  });
  expect(requiredInputs).toEqual(["nodePools"]);
  expect(types).not.toHaveProperty([nativeToken("NetworkArgs")]);
});

test("outputs may all come later, and those that let somebody in are secrets", () => {
  const { properties = {} } = specs[nativeToken("Platform")] ?? {};
  expect(properties).toMatchObject({
    clusterId: text,
    kubeconfig: { type: "string", secret: true },
    pullSecret: { type: "string", secret: true },
    subnetIds: { type: "object", additionalProperties: { type: "array", items: text } },
  });
  expect(JSON.stringify(properties)).not.toContain('"plain"');
});
