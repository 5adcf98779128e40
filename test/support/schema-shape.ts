import { z } from "zod";

type Property = z.output<typeof property>;
interface Nested {
  readonly type?: string | undefined;
  readonly $ref?: string | undefined;
  readonly items?: Nested | undefined;
  readonly additionalProperties?: Nested | undefined;
}
const nested: z.ZodType<Nested> = z.lazy(() =>
  z.object({ type: z.string().optional(), $ref: z.string().optional(), items: nested.optional(), additionalProperties: nested.optional() }),
);
const property = nested;
const properties = z.record(z.string(), property).default({});
const object = z.object({ properties, required: z.array(z.string()).default([]) });
const resource = object.extend({ inputProperties: properties, requiredInputs: z.array(z.string()).default([]) });
const type = object.extend({ enum: z.array(z.object({ value: z.union([z.string(), z.number()]) })).optional() });
const call = z.object({ inputs: object.optional(), outputs: object.optional() });
const schema = z.object({
  types: z.record(z.string(), type),
  resources: z.record(z.string(), resource),
  functions: z.record(z.string(), call),
});

/** What programs rely on in a schema of Pulumi: the type of each input and output, by its path. A required input ends with `!`. */
export type Shape = Readonly<Record<string, string>>;

export function shapeOf(text: string): Shape {
  const { types, resources, functions } = schema.parse(JSON.parse(text));
  const shape: Record<string, string> = {};
  const put = (path: string, all: Readonly<Record<string, Property>>, required: readonly string[]) => {
    for (const [key, one] of Object.entries(all)) shape[`${path}.${key}`] = `${textOf(one)}${required.includes(key) ? "!" : ""}`;
  };
  for (const [name, { inputProperties, requiredInputs, ...outputs }] of Object.entries(resources)) {
    put(`${name} input`, inputProperties, requiredInputs);
    put(`${name} output`, outputs.properties, []);
  }
  for (const [name, { inputs, outputs }] of Object.entries(functions)) {
    put(`${name} input`, inputs?.properties ?? {}, inputs?.required ?? []);
    put(`${name} output`, outputs?.properties ?? {}, []);
  }
  for (const [name, one] of Object.entries(types)) {
    if (one.enum) shape[`${name} value`] = one.enum.map(({ value }) => value).join("|");
    put(`${name} input`, one.properties, one.required);
  }
  return shape;
}

function textOf({ type, $ref, items, additionalProperties }: Nested): string {
  if (items) return `${textOf(items)}[]`;
  if (additionalProperties) return `{${textOf(additionalProperties)}}`;
  return $ref ?? type ?? "any";
}

/** What a program of the shape before has to change, one sentence each. */
export function breaks(before: Shape, after: Shape): string[] {
  const removed = Object.entries(before).flatMap(([path, was]): string[] => {
    const is = after[path];
    if (is === undefined) return [`${path} is removed`];
    if (path.endsWith(" value"))
      return was.split("|").flatMap((value) => (is.split("|").includes(value) ? [] : [`${path} ${value} is removed`]));
    if (is === `${was}!`) return [`${path} became required`];
    return is === was || `${is}!` === was ? [] : [`${path} was ${was}, and is ${is}`];
  });
  const known = new Set(Object.keys(before).map((path) => path.replace(/\.[^.]*$/, "")));
  const demanded = Object.entries(after).filter(
    ([path, is]) => !(path in before) && is.endsWith("!") && known.has(path.replace(/\.[^.]*$/, "")),
  );
  return [...removed, ...demanded.map(([path]) => `${path} is new, and required`)];
}
