/** What is served where, besides calls, which are a `POST` of `/`. */

/** Where container clients log in. */
export const realm = "/service/token";

/** Where a served world is controlled: a `POST` whose action is the command. */
export const controlPath = "/control";

/** The service that its signatures name, in the place of a product. */
export const controlService = "control";
