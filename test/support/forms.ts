import { isLong } from "../../sdk/src/long.fixture.ts";

/** How a provider reaches the platform: in its own process, or over HTTP in the form of the public API, strictly by its models. */
export type Form = "in process" | "public";

/** The forms in which a suite runs: in both if it is long. */
export const forms: readonly Form[] = isLong ? ["in process", "public"] : ["in process"];
