import { type AnyFunction, resultNameOf } from "../../provider/src/functions/asking.ts";
import { functions } from "../../provider/src/functions/all.ts";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import type { Member } from "./comments.ts";
import { type Defined, definedBy, interfaces } from "./functions.ts";
import { recordTypes } from "./results.ts";
import { capitalized, isRequired, propertyOf, ref, type Spec, type Types } from "./schema-types.ts";

/** The functions of the plugin, by token, as Pulumi's schema has them. What is nested in them is described in `types`. */
export function functionSpecs(types: Types): Record<string, Spec> {
  const known = interfaces();
  const records = recordTypes();
  Object.assign(types, records);
  const all = [...definedBy("reading"), ...definedBy("ofArguments")].map((defined) => {
    const asked = functions.find(({ name }) => name === defined.name);
    if (!asked) throw new Error(`the plugin has no function ${defined.name}: name its file in functions/all.ts`);
    return [nativeToken(defined.name), functionOf(asked, defined, known.get(defined.args) ?? [], records, types)] as const;
  });
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function functionOf(asked: AnyFunction, defined: Defined, members: readonly Member[], records: Types, types: Types): Spec {
  const { summary, throws } = defined;
  const comments = new Map(members.map(({ name, comment }) => [name, comment]));
  const schemas = Object.entries(asked.args);
  const properties = schemas.map(
    ([key, schema]) => [key, propertyOf(schema, { owner: capitalized(asked.name), path: key, comments }, types)] as const,
  );
  return {
    description: [summary, throws?.replace(/^Error (.*)$/s, "It fails $1.")].filter(Boolean).join("\n\n"),
    inputs: {
      type: "object",
      properties: Object.fromEntries(properties),
      required: schemas.filter(([, schema]) => isRequired(schema)).map(([key]) => key),
    },
    outputs: outputsOf(asked, defined.result, records),
  };
}

/** A record is the answer itself; anything else is a property of it. */
function outputsOf(asked: AnyFunction, result: string, records: Types): Spec {
  const record = records[nativeToken(result)];
  if (record) return record;
  const name = resultNameOf(asked);
  const secret = asked.secret ? { secret: true } : {};
  return { type: "object", properties: { [name]: { ...answerType(result, records), ...secret } }, required: [name] };
}

function answerType(result: string, records: Types): Spec {
  if (result.endsWith("[]")) return { type: "array", items: answerType(result.slice(0, -2), records) };
  if (result === "string") return { type: "string" };
  const token = nativeToken(result);
  if (!records[token]) throw new Error(`functions answer texts and records, not ${result}`);
  return ref(token);
}
