/** The layers of the project: what may know what. `npm run check:layers`. */

const typesApart = { dependencyTypesNot: ["type-only"] };
const test = "\\.(test|fixture)\\.ts$|^test/";

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const forbidden = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** @param {string} workspace @param {string} doors */
const unreachable = (workspace, doors) =>
  forbidden(
    `unreachable-in-${workspace}`,
    "A file that no door of its package leads to.",
    { path: doors },
    { path: `^${workspace}/src/`, pathNot: `${doors}|${test}`, reachable: false },
  );

module.exports = {
  forbidden: [
    forbidden("no-cycles", "Files that need each other are one file, or three.", {}, { circular: true, viaOnly: typesApart }),
    forbidden("no-orphans", "A file that nothing uses.", { orphan: true, pathNot: `${test}|\\.d\\.ts$|^examples/[^/]+/index\\.ts$` }, {}),
    unreachable("sdk", "^sdk/src/(index|reference|waiters|(local|server|cli)/index|cli/main|catalogue/[a-z]+|finders/[a-z]+)\\.ts$"),
    unreachable("provider", "^provider/src/(index|host|policy-pack|testing|(import|review)/main)\\.ts$"),
    forbidden("resolvable", "What is imported has to be there.", {}, { couldNotResolve: true }),
    forbidden(
      "declared-packages",
      "A package is used by who declares it.",
      { pathNot: test },
      { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    ),
    forbidden(
      "no-development-packages",
      "What is published does not need what only development needs.",
      { path: "^(sdk|provider)/src/", pathNot: test },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["npm-peer", "type-only"] },
    ),
    forbidden("not-to-tests", "Tests serve nobody.", { pathNot: test }, { path: test }),

    forbidden(
      "catalogue",
      "The catalogue is data: it knows what an operation and what an error code is, and zod.",
      { path: "^sdk/src/catalogue(/|\\.ts$)", pathNot: test },
      { pathNot: "^sdk/src/catalogue(/|\\.ts$)|^sdk/src/(operation|errors)\\.ts$|node_modules/zod/" },
    ),
    forbidden(
      "client",
      "The client reaches platforms by what all transports have in common.",
      { path: "^sdk/src/(finders/)?[^/]+\\.ts$", pathNot: `^sdk/src/index\\.ts$|${test}` },
      { path: "^sdk/src/(local|server|cli|transport)/", pathNot: "^sdk/src/transport/transport\\.ts$" },
    ),
    forbidden(
      "transport",
      "A way of sending knows neither who is at its other end nor who uses it; only `connect` opens a local platform.",
      { path: "^sdk/src/transport/", pathNot: test },
      {
        path: "^sdk/src/(local|server|cli|catalogue|client|finders|sending|rate|retry|record)(/|\\.ts$)",
        pathNot: "^sdk/src/local/open\\.ts$",
      },
    ),
    forbidden(
      "local",
      "The local platform answers what the catalogue says, whoever asks and however the call came.",
      { path: "^sdk/src/local/", pathNot: test },
      {
        path: "^sdk/src/(transport|server|cli|client|coalesce|finders|sending|rate|retry|record|pages)(/|\\.ts$)",
        pathNot: "^sdk/src/transport/transport\\.ts$",
      },
    ),
    forbidden(
      "server",
      "The server serves local platforms: it knows these, and how calls are signed.",
      { path: "^sdk/src/server/", pathNot: test },
      {
        path: "^sdk/src/(transport|cli|client|coalesce|credentials|finders|sending|rate|retry|record|pages)(/|\\.ts$)",
        pathNot: "^sdk/src/transport/(transport|dialect|signature)\\.ts$",
      },
    ),
    forbidden("sdk", "The SDK knows nothing of Pulumi.", { path: "^sdk/" }, { path: "^(provider|examples)/|node_modules/@pulumi/" }),

    forbidden(
      "provider-to-sdk",
      "The provider reaches the platform through the SDK's door.",
      { path: "^provider/" },
      { path: "^sdk/(src|dist/(?!(((local|cli)/)?index|(catalogue|finders)/[a-z]+)\\.))" },
    ),
    forbidden(
      "provider-to-examples",
      "Examples use the provider, not the other way.",
      { path: "^(provider|sdk)/" },
      { path: "^examples/" },
    ),
    forbidden(
      "lifecycle",
      "What serves every shell around the definitions (Pulumi's dynamic host is one) is free of Pulumi.",
      { path: "^provider/src/lifecycle\\.ts$" },
      { path: "node_modules/@pulumi/", reachable: true },
    ),
    forbidden(
      "review",
      "The reviewer starts without loading a resource.",
      { path: "^provider/src/review/main\\.ts$" },
      { path: "^provider/src/(index|resource)\\.ts$", reachable: true },
    ),
    forbidden(
      "examples",
      "Examples use what is published.",
      { path: "^examples/" },
      { path: "^(sdk|provider)/", pathNot: "^sdk/dist/(local/)?index\\.|^provider/dist/(index|testing)\\." },
    ),
  ],
  options: {
    doNotFollow: { path: ["(^|/)node_modules/", "^(sdk|provider)/dist/"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "test/tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "node", "default"] },
  },
};
