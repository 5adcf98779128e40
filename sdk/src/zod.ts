/**
 * What the packages describe data with: the part of zod that they use. There is one copy of it in a process, in this package: a second
 * one would cost time and memory in each program and in each provider.
 */

export {
  array,
  base64,
  boolean,
  custom,
  discriminatedUnion,
  enum,
  int,
  iso,
  json,
  literal,
  looseObject,
  number,
  object,
  record,
  registry,
  safeParse,
  strictObject,
  string,
  union,
  unknown,
  url,
  ZodArray,
  ZodDefault,
  ZodNullable,
  ZodObject,
  ZodOptional,
  ZodPipe,
  ZodRecord,
  ZodString,
  ZodUnion,
} from "zod";

// Also what declarations name that the compiler has inferred.
export type {
  core,
  input,
  output,
  ZodBase64,
  ZodBoolean,
  ZodCustom,
  ZodDiscriminatedUnion,
  ZodEnum,
  ZodInt,
  ZodJSONSchema,
  ZodLiteral,
  ZodRawShape,
  ZodTransform,
  ZodType,
  ZodUnknown,
  ZodURL,
} from "zod";
