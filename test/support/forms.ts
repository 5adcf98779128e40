/** How a provider reaches the platform: in its own process, or over HTTP in the form of the public API, strictly by its models. */
export const forms = ["in process", "public"] as const;
export type Form = (typeof forms)[number];
