/** The layers of the project: what may know what. `npm run check:layers`. */

/** What the dynamic provider and the plugin have in common. */
const shared = "^provider/src/dynamic/(engine|hidden-outputs|operations|provider-process|stub)\\.ts$";
const test = "\\.(test|fixture)\\.ts$|^test/";

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const forbidden = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    forbidden("no-cycles", "Files that need each other are one file, or three.", {}, { circular: true }),
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
      // The plugin has all that it needs inside.
      { path: "^(sdk|provider)/src/", pathNot: `${test}|^provider/src/plugin/` },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["npm-peer", "type-only"] },
    ),
    forbidden("not-to-tests", "Tests serve nobody.", { pathNot: test }, { path: test }),

    forbidden(
      "operation",
      "What an operation, an error code and a field on the wire are: everybody knows this, and it knows nobody.",
      { path: "^sdk/src/operation/", pathNot: test },
      { pathNot: "^sdk/src/operation/|^node:|node_modules/zod/", dependencyTypesNot: ["core"] },
    ),
    forbidden(
      "formats",
      "Texts that have a form. What is refused is an InputError.",
      { path: "^sdk/src/formats/", pathNot: test },
      { path: "^sdk/src/", pathNot: "^sdk/src/(formats/|operation/errors\\.ts$)" },
    ),
    forbidden(
      "rules",
      "What the platform takes as one value: clients, the local platform and the docs read it.",
      { path: "^sdk/src/rules/", pathNot: test },
      { path: "^sdk/src/", pathNot: "^sdk/src/(rules|formats|catalogue)/" },
    ),
    forbidden(
      "catalogue",
      "The catalogue is data: it knows what an operation and what an error code is, and zod.",
      { path: "^sdk/src/catalogue/", pathNot: test },
      { pathNot: "^sdk/src/catalogue/|^sdk/src/operation/(operation|errors|versions)\\.ts$|node_modules/zod/" },
    ),
    forbidden(
      "wire-format",
      "A wire format is data about the catalogue, and what reads it: it knows no way of sending, and nobody who calls or answers.",
      { path: "^sdk/src/wire-format/", pathNot: test },
      { path: "^sdk/src/", pathNot: "^sdk/src/(wire-format|operation|catalogue)/" },
    ),
    forbidden(
      "client",
      "The client, the finders, the statuses and the waits reach platforms by what all transports have in common.",
      { path: "^sdk/src/(client|finders|status|wait|config)/", pathNot: test },
      { path: "^sdk/src/(local|server|cli|transport|wire-format)/", pathNot: "^sdk/src/transport/transport\\.ts$" },
    ),
    forbidden(
      "transport",
      "A way of sending knows neither who is at its other end nor who uses it; only `connect` opens a local platform.",
      { path: "^sdk/src/transport/", pathNot: test },
      { path: "^sdk/src/(local|server|cli|catalogue|client|finders|status|wait)/", pathNot: "^sdk/src/local/platform\\.ts$" },
    ),
    forbidden(
      "local",
      "The local platform answers what the catalogue says, whoever asks and however the call came.",
      { path: "^sdk/src/local/", pathNot: test },
      {
        path: "^sdk/src/(transport|wire-format|served|server|cli|client|finders|status|wait|config)/",
        pathNot: "^sdk/src/transport/transport\\.ts$",
      },
    ),
    forbidden(
      "server",
      "The server serves local platforms: it knows these, and how calls are signed.",
      { path: "^sdk/src/server/", pathNot: test },
      {
        path: "^sdk/src/(transport|cli|client|finders|status|wait|config)/",
        pathNot: "^sdk/src/transport/(transport|signature)\\.ts$",
      },
    ),
    forbidden(
      "served",
      "What is served beside the calls decides by the local platform's rows: it knows it, and not who serves it.",
      { path: "^sdk/src/served/", pathNot: test },
      { path: "^sdk/src/(transport|wire-format|server|cli|client|finders|wait|config)/" },
    ),
    forbidden(
      "served-rows",
      "Registries and clusters know the rows alone; a dashboard also shows what states mean.",
      { path: "^sdk/src/served/(registries|clusters)/", pathNot: test },
      { path: "^sdk/src/(catalogue|status)/", pathNot: "^sdk/src/catalogue/cluster/permissions\\.ts$" },
    ),
    forbidden(
      "served-order",
      "Clusters pull from registries. Nothing else of what is served knows the rest.",
      { path: "^sdk/src/served/(?:(registries|dashboard)/|[a-z]+\\.ts$)", pathNot: test },
      { path: "^sdk/src/served/(registries|clusters|dashboard)/", pathNot: "^sdk/src/served/$1/" },
    ),
    forbidden(
      "served-protocol",
      "What the distribution protocol says on the wire knows no world and no file.",
      { path: "^sdk/src/served/registries/protocol\\.ts$" },
      { path: "^sdk/src/(?!local/registry/content/images\\.ts$)" },
    ),
    forbidden(
      "dashboard-page",
      "The page is served to browsers as it is: it has all that it needs.",
      { path: "^sdk/src/served/dashboard/page/", pathNot: test },
      { pathNot: "^sdk/src/served/dashboard/page/" },
    ),
    forbidden(
      "served-when-asked",
      "Only the server opens them, when it is asked to: the platform in a process stays as light as it is.",
      { path: "^sdk/src/", pathNot: `${test}|^sdk/src/(served|server)/` },
      { path: "^sdk/src/served/" },
    ),
    forbidden("sdk", "The SDK knows nothing of Pulumi.", { path: "^sdk/" }, { path: "^(provider|examples)/|node_modules/@pulumi/" }),

    forbidden(
      "provider-to-sdk",
      "The provider reaches the platform through the SDK's entry points.",
      { path: "^provider/" },
      { path: "^sdk/(src|dist/(?!(((local|cli)/)?index|zod|(catalogue|finders|status)/[a-z]+|wait/waiters)\\.))" },
    ),
    forbidden(
      "provider-to-examples",
      "Examples use the provider, not the other way.",
      { path: "^(provider|sdk)/" },
      { path: "^examples/" },
    ),
    forbidden(
      "definition",
      "What a resource is written with knows no resource, and nothing of what is done with it; only `resource.ts` makes a class of Pulumi's.",
      { path: "^provider/src/(definition|schema)/", pathNot: test },
      {
        path: "^provider/src/(program|lifecycle|ownership|dynamic|resources|functions|import|review|testing)/",
        pathNot: "^provider/src/dynamic/constructor\\.ts$",
      },
    ),
    forbidden(
      "schema",
      "What walks schemas knows definitions by their type only.",
      { path: "^provider/src/schema/", pathNot: test },
      { path: "^provider/src/definition/resource\\.ts$|^provider/src/dynamic/" },
    ),
    forbidden(
      "program",
      "The rules about the resources of one program read the platform and the state through `World` alone.",
      { path: "^provider/src/program/", pathNot: test },
      { path: "^provider/src/(?!(program|definition|schema)/)|^provider/src/definition/resource\\.ts$" },
    ),
    forbidden(
      "ownership",
      "Whose a resource is depends on the definitions, the program, the tags and the state. What is done with it is the lifecycle's.",
      { path: "^provider/src/ownership/", pathNot: test },
      { path: "^provider/src/(?!(ownership|program|definition|schema)/)|^provider/src/definition/resource\\.ts$" },
    ),
    forbidden(
      "lifecycle",
      "What serves both providers around the definitions, the dynamic one and the plugin, knows neither of them, and no single resource.",
      { path: "^provider/src/(lifecycle|ownership)/", pathNot: test },
      {
        path: "^provider/src/(dynamic|plugin|resources|functions|import|review|testing|runtime)/|^provider/src/definition/resource\\.ts$",
      },
    ),
    forbidden(
      "free-of-pulumi",
      "The lifecycle, and all that it is made of, is free of Pulumi.",
      { path: "^provider/src/(program|lifecycle|ownership|schema)/", pathNot: test },
      { path: "node_modules/@pulumi/", reachable: true },
    ),
    forbidden(
      "providers",
      "A provider serves definitions; which there are, `host.ts` and the plugin's `main.ts` tell it.",
      { path: "^provider/src/(dynamic|plugin)/", pathNot: `${test}|^provider/src/plugin/(main\\.ts$|components/)` },
      { path: "^provider/src/(resources|functions|import|review|testing)/" },
    ),
    forbidden(
      "shared",
      "What the dynamic provider and the plugin share knows neither of them, and they do not know each other.",
      { path: `${shared}|^provider/src/plugin/`, pathNot: `${test}|^provider/src/plugin/components/` },
      { path: "^provider/src/dynamic/", pathNot: shared },
    ),
    forbidden(
      "plugin",
      "Only the plugin's own entry point leads to it.",
      { path: "^provider/src/", pathNot: `${test}|^provider/src/plugin/` },
      { path: "^provider/src/plugin/" },
    ),
    forbidden(
      "plugin-without-sdk",
      "The plugin has Pulumi's protocol, and not the SDK in which programs are written: only what makes components has it.",
      { path: `${shared}|^provider/src/plugin/`, pathNot: `${test}|^provider/src/plugin/components/` },
      { path: "node_modules/@pulumi/pulumi/(?!proto/)" },
    ),
    forbidden(
      "plugin-components",
      "What makes components in the plugin is a program of its own: it is loaded as a whole, when the first component is asked for.",
      { path: "^provider/src/plugin/", pathNot: `${test}|^provider/src/plugin/components/` },
      { path: "^provider/src/plugin/components/(?!construct\\.ts$)" },
    ),
    forbidden(
      "resources",
      "A resource knows what it is written with, and its own product's helpers.",
      { path: "^provider/src/resources/", pathNot: test },
      { path: "^provider/src/(lifecycle|ownership|dynamic|functions|import|testing)/" },
    ),
    forbidden(
      "components",
      "A component is made of resources, as a program is: it knows nothing of how they are managed.",
      { path: "^provider/src/components/", pathNot: test },
      {
        path: "^provider/src/(lifecycle|ownership|dynamic|import|review|testing)/",
        pathNot: "^provider/src/dynamic/(stub|known|options|describe-value)\\.ts$",
      },
    ),
    forbidden(
      "to-components",
      "Only programs know components.",
      { path: "^provider/src/", pathNot: `^provider/src/((plugin/)?components/|index\\.ts$)|${test}` },
      { path: "^provider/src/components/" },
    ),
    forbidden(
      "importer",
      "The importer reads definitions: it needs no provider.",
      { path: "^provider/src/import/", pathNot: test },
      { path: "^provider/src/(dynamic|functions|review|testing)/" },
    ),
    forbidden(
      "review",
      "The reviewer starts without loading a resource.",
      { path: "^provider/src/review/main\\.ts$" },
      { path: "^provider/src/(index|definition/resource)\\.ts$", reachable: true },
    ),
    forbidden(
      "examples",
      "Examples use what is published.",
      { path: "^examples/" },
      { path: "^(sdk|provider)/", pathNot: "^sdk/dist/(local/)?index\\.|^provider/dist/(index|testing)\\." },
    ),
  ],
  options: {
    // A project of its own, with packages of its own.
    exclude: { path: "^examples/dual-stack/" },
    doNotFollow: { path: ["(^|/)node_modules/", "^(sdk|provider)/dist/"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "node", "default"] },
  },
};
