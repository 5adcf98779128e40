/**
 * What the packages describe data with: the part of zod that they use. There is one copy of it in a process, in this package: a second
 * one would cost time and memory in each program and in each provider.
 */

export {
  array,
  base64,
  boolean,
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
  unknown,
  url,
  ZodArray,
  ZodDefault,
  ZodNullable,
  ZodObject,
  ZodOptional,
  ZodRecord,
  ZodString,
} from "zod";

// Also what declarations name that the compiler has inferred.
export type {
  core,
  input,
  output,
  ZodBase64,
  ZodBoolean,
  ZodDiscriminatedUnion,
  ZodEnum,
  ZodInt,
  ZodJSONSchema,
  ZodLiteral,
  ZodPipe,
  ZodRawShape,
  ZodTransform,
  ZodType,
  ZodUnknown,
  ZodURL,
} from "zod";
