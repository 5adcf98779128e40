/** Where a served world is controlled: a `POST` whose action is the command. */
export const controlPath = "/control";

/** The service that its signatures name, in the place of a product. */
export const controlService = "control";
