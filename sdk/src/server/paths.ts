/** The paths that are served, besides `/`, of which calls are a `POST`. */

/** Where a served world is controlled: a `POST` whose action is the command. */
export const controlPath = "/control";

/** The service in the signatures of control commands, in place of a product. */
export const controlService = "control";

/** Where the dashboard's page has its files, and asks for what it shows. The page itself is a `GET` of `/`. */
export const dashboardPath = "/dashboard/";
