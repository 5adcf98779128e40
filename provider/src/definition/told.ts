import type * as z from "@container-platform/sdk/zod";

/**
 * What the platform tells of a part of a resource, as a program would declare it.
 *
 * @param what the part, in words
 * @throws for what no program could declare: it is neither overlooked, nor written back as something else
 */
export function told<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const odd = result.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new Error(
    `${what} is told as no program could declare it: ${odd.join("; ")}. Look at it in the console, and tell those who run the platform if it is right there`,
  );
}
