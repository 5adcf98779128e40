/** The layers of the project: what may know what. `npm run check:layers`. */

/** What the dynamic provider and the plugin have in common. */
const shared = "^provider/src/dynamic/(engine|hidden-outputs|operations|provider-process|stub)\\.ts$";
const test = "\\.(test|fixture)\\.ts$|^test/";

/** @param {string} name @param {object} from @param {object} to */
const forbidden = (name, from, to) => ({ name, severity: "error", from, to });

/**
 * The files at `from` know none at `to`. Tests may.
 * @param {string} name @param {string} from @param {string} to
 * @param {{ but?: string, outside?: string }} [exceptions] `but`: files at `to` that they know. `outside`: files at `from` that know all
 */
const layer = (name, from, to, { but, outside } = {}) =>
  forbidden(name, { path: from, pathNot: outside ? `${test}|${outside}` : test }, { path: to, ...(but && { pathNot: but }) });

module.exports = {
  forbidden: [
    // Files that need each other are one file, or three.
    forbidden("no-cycles", {}, { circular: true }),
    // What is imported has to be there.
    forbidden("resolvable", {}, { couldNotResolve: true }),
    // A package is used by who declares it.
    forbidden("declared-packages", { pathNot: test }, { dependencyTypes: ["npm-no-pkg", "npm-unknown"] }),
    // What is published does not need what only development needs. The plugin has all that it needs inside.
    forbidden(
      "no-development-packages",
      { path: "^(sdk|provider)/src/", pathNot: `${test}|^provider/src/plugin/` },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["npm-peer", "type-only"] },
    ),
    // Only tests import tests.
    forbidden("not-to-tests", { pathNot: test }, { path: test }),

    // What an operation, an error code and a field on the wire are: all other folders may import it, and it imports none of them.
    forbidden(
      "operation",
      { path: "^sdk/src/operation/", pathNot: test },
      { pathNot: "^sdk/src/operation/|^node:|node_modules/zod/", dependencyTypesNot: ["core"] },
    ),
    // Texts that have a form. What is refused is an InputError.
    layer("formats", "^sdk/src/formats/", "^sdk/src/", { but: "^sdk/src/(formats/|operation/errors\\.ts$)" }),
    // What the platform takes as one value: clients, the local platform and the docs read it. Every provider loads it, so it needs no operation.
    layer("rules", "^sdk/src/rules/", "^sdk/src/", { but: "^sdk/src/(rules|formats)/|^sdk/src/catalogue/cluster/roles\\.ts$" }),
    // The catalogue is data: it knows what an operation and what an error code is, and zod.
    layer("catalogue", "^sdk/src/catalogue/", ".", {
      but: "^sdk/src/catalogue/|^sdk/src/operation/(operation|errors|versions)\\.ts$|node_modules/zod/",
    }),
    // A wire format is data about the catalogue, and what reads it: it knows no way of sending, and neither clients nor the local platform.
    layer("wire-format", "^sdk/src/wire-format/", "^sdk/src/", { but: "^sdk/src/(wire-format|operation|catalogue)/" }),
    // The client, the finders, the statuses and the waits reach platforms by what all transports have in common.
    layer("client", "^sdk/src/(client|finders|status|wait|config)/", "^sdk/src/(local|server|cli|transport|wire-format)/", {
      but: "^sdk/src/transport/transport\\.ts$",
    }),
    // A way of sending knows neither who is at its other end nor who uses it; only `connect` opens a local platform.
    layer("transport", "^sdk/src/transport/", "^sdk/src/(local|server|cli|catalogue|client|finders|status|wait)/", {
      but: "^sdk/src/local/platform\\.ts$",
    }),
    // The local platform answers what the catalogue says, whoever asks and however the call came.
    layer("local", "^sdk/src/local/", "^sdk/src/(transport|wire-format|served|server|cli|client|finders|status|wait|config)/", {
      but: "^sdk/src/transport/transport\\.ts$",
    }),
    // The server serves local platforms: it knows these, and how calls are signed.
    layer("server", "^sdk/src/server/", "^sdk/src/(transport|cli|client|finders|status|wait|config)/", {
      but: "^sdk/src/transport/(transport|signature)\\.ts$",
    }),
    // What is served beside the calls decides by the local platform's rows: it knows it, and not who serves it.
    layer("served", "^sdk/src/served/", "^sdk/src/(transport|wire-format|server|cli|client|finders|wait|config)/"),
    // Registries and clusters know the rows alone; a dashboard also shows what states mean.
    layer("served-rows", "^sdk/src/served/(registries|clusters)/", "^sdk/src/(catalogue|status)/", {
      but: "^sdk/src/catalogue/cluster/roles\\.ts$",
    }),
    // Clusters pull from registries. Nothing else of what is served knows the rest.
    layer("served-order", "^sdk/src/served/(?:(registries|dashboard)/|[a-z]+\\.ts$)", "^sdk/src/served/(registries|clusters|dashboard)/", {
      but: "^sdk/src/served/$1/",
    }),
    // What the distribution protocol says on the wire knows no world and no file.
    forbidden(
      "served-protocol",
      { path: "^sdk/src/served/registries/protocol\\.ts$" },
      { path: "^sdk/src/(?!local/registry/content/images\\.ts$)" },
    ),
    // The page is served to browsers as it is: it has all that it needs.
    layer("dashboard-page", "^sdk/src/served/dashboard/page/", ".", { but: "^sdk/src/served/dashboard/page/" }),
    // Only the server opens them, when it is asked to: the platform in a process stays as light as it is.
    layer("served-when-asked", "^sdk/src/", "^sdk/src/served/", { outside: "^sdk/src/(served|server)/" }),
    // The SDK knows nothing of Pulumi.
    forbidden("sdk", { path: "^sdk/" }, { path: "^(provider|examples)/|node_modules/@pulumi/" }),

    // The provider reaches the platform through the SDK's entry points.
    forbidden(
      "provider-to-sdk",
      { path: "^provider/" },
      { path: "^sdk/(src|dist/(?!(((local|cli)/)?index|zod|(catalogue|finders|status)/[a-z]+|wait/waiters)\\.))" },
    ),
    // Examples use the provider, not the other way.
    forbidden("provider-to-examples", { path: "^(provider|sdk)/" }, { path: "^examples/" }),
    // What a resource is written with knows no resource, and nothing of what is done with it; only `resource.ts` makes a class of Pulumi's.
    layer(
      "definition",
      "^provider/src/(definition|schema)/",
      "^provider/src/(program|lifecycle|ownership|dynamic|resources|functions|import|review|testing)/",
      { but: "^provider/src/dynamic/constructor\\.ts$" },
    ),
    // What walks schemas knows definitions by their type only.
    layer("schema", "^provider/src/schema/", "^provider/src/definition/resource\\.ts$|^provider/src/dynamic/"),
    // The rules about the resources of one program read the platform and the state through `World` alone.
    layer("program", "^provider/src/program/", "^provider/src/(?!(program|definition|schema)/)|^provider/src/definition/resource\\.ts$"),
    // Whose a resource is depends on the definitions, the program, the tags and the state. What is done with it is the lifecycle's.
    layer(
      "ownership",
      "^provider/src/ownership/",
      "^provider/src/(?!(ownership|program|definition|schema)/)|^provider/src/definition/resource\\.ts$",
    ),
    // What serves both providers around the definitions, the dynamic one and the plugin, knows neither of them, and no single resource.
    layer(
      "lifecycle",
      "^provider/src/(lifecycle|ownership)/",
      "^provider/src/(dynamic|plugin|resources|functions|import|review|testing|runtime)/|^provider/src/definition/resource\\.ts$",
    ),
    // The lifecycle, and all that it is made of, is free of Pulumi.
    forbidden(
      "free-of-pulumi",
      { path: "^provider/src/(program|lifecycle|ownership|schema)/", pathNot: test },
      { path: "node_modules/@pulumi/", reachable: true },
    ),
    // A provider serves definitions; which there are, `host.ts` and the plugin's `main.ts` tell it.
    layer("providers", "^provider/src/(dynamic|plugin)/", "^provider/src/(resources|functions|import|review|testing)/", {
      outside: "^provider/src/plugin/(main\\.ts$|components/)",
    }),
    // What the dynamic provider and the plugin share knows neither of them, and they do not know each other.
    layer("shared", `${shared}|^provider/src/plugin/`, "^provider/src/dynamic/", {
      but: shared,
      outside: "^provider/src/plugin/components/",
    }),
    // Only the plugin's own entry point leads to it.
    layer("plugin", "^provider/src/", "^provider/src/plugin/", { outside: "^provider/src/plugin/" }),
    // The plugin has Pulumi's protocol, and not the SDK in which programs are written: only what makes components has it.
    layer("plugin-without-sdk", `${shared}|^provider/src/plugin/`, "node_modules/@pulumi/pulumi/(?!proto/)", {
      outside: "^provider/src/plugin/components/",
    }),
    // What makes components in the plugin is a program of its own: it is loaded as a whole, when the first component is asked for.
    layer("plugin-components", "^provider/src/plugin/", "^provider/src/plugin/components/(?!construct\\.ts$)", {
      outside: "^provider/src/plugin/components/",
    }),
    // A resource knows what it is written with, and its own product's helpers.
    layer("resources", "^provider/src/resources/", "^provider/src/(lifecycle|ownership|dynamic|functions|import|testing)/"),
    // A component is made of resources, as a program is: it knows nothing of how they are managed.
    layer("components", "^provider/src/components/", "^provider/src/(lifecycle|ownership|dynamic|import|review|testing)/", {
      but: "^provider/src/dynamic/(stub|known|options|describe-value)\\.ts$",
    }),
    // Only programs know components.
    layer("to-components", "^provider/src/", "^provider/src/components/", { outside: "^provider/src/((plugin/)?components/|index\\.ts$)" }),
    // The importer reads definitions: it needs no provider.
    layer("importer", "^provider/src/import/", "^provider/src/(dynamic|functions|review|testing)/"),
    // The reviewer starts without loading a resource.
    forbidden(
      "review",
      { path: "^provider/src/review/main\\.ts$" },
      { path: "^provider/src/(index|definition/resource)\\.ts$", reachable: true },
    ),
    // Examples use what is published.
    forbidden(
      "examples",
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
