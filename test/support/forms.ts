import { isLong } from "../../sdk/src/long.fixture.ts";

/** How a provider reaches the platform: in its own process, or over HTTP in the form of the public API, strictly by its models. */
export type Form = "in process" | "public";

/** The forms in which a suite runs: in both if it is long. */
export const forms: readonly Form[] = isLong ? ["in process", "public"] : ["in process"];

/**
 * The parts of a suite, in each of the forms. The public one has a fifth of them: there the calls travel in another way, and what becomes
 * of a run is decided by the same code.
 */
export function partsIn(parts: number): readonly { readonly form: Form; readonly part: number }[] {
  return forms.flatMap((form) =>
    Array.from({ length: form === "public" ? Math.ceil(parts / 5) : parts }, (_, index) => ({ form, part: index + 1 })),
  );
}
