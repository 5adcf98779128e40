// Which sources of a package are one file, because who loads one of them nearly always loads the others. Node needs a millisecond for each
// file, and a run of `cpcli` or of the provider's process would otherwise load sixty to a hundred. The other shared files are the bundler's.

/**
 * By package: the names of the files, each with the sources in it, as paths in `src` or in the folder above node_modules. The first that
 * names a source has it. What a source needs, and no earlier one has, goes along with it: those that others need stand before them.
 *
 * @type {Record<string, Record<string, readonly RegExp[]>>}
 */
const together = {
  sdk: {
    errors: [/^operation\/(errors|versions)\./, /^formats\/texts\./, /^\0/],
    schemas: [/^node_modules\/zod\//, /^operation\//, /^catalogue\/(shared|identity|(cluster|registry)\/states)\./],
    "catalogue-vpc": [/^catalogue\/vpc\./],
    "catalogue-cluster": [/^catalogue\/cluster[./]/],
    "catalogue-registry": [/^catalogue\/registry[./]/],
    addresses: [/^node_modules\/ip-address\//, /^formats\/addresses\./],
    client: [/^client\//, /^config\/(credentials|profiles)\./, /^transport\/connect\./],
    rules: [/^rules\/(network|registry|rule)\./, /^formats\/resource-name\./],
    world: [/^local\/(accounts|faults|requests|store)\//, /^local\/platform\./],
    network: [/^local\/vpc\/subnets\./],
    run: [/^cli\/(commands|run)\./],
    command: [/^cli\/command\./, /^cli\/call\/products\./],
    connection: [/^cli\/connection\./, /^cli\/output\/(output|text)\./],
  },
  provider: {
    definition: [
      /^definition\/(?!resource|outliving|definition)/,
      /^schema\/(compare|marks|messages|named-otherwise|secrets|validate|values)\./,
      /^pulumi\/stub\./,
      /^runtime\/(configuration|tokens)\./,
    ],
    program: [/^schema\/(private-state|paths|urn)\./, /^program\/(graph|messages|rules)\./, /^definition\/outliving\./],
  },
};

/** The files of a package, for the bundler. @param {string} name the folder of the package */
export function chunksOf(name) {
  return Object.entries(together[name] ?? {}).map(([file, sources], index, all) => ({
    name: file,
    test: (/** @type {string} */ id) => sources.some((source) => source.test(placeOf(id))),
    priority: all.length - index,
  }));
}

/** @param {string} id the path of a module */
function placeOf(id) {
  return id.replaceAll("\\", "/").replace(/^.*\/(?=node_modules\/)|^.*\/src\//, "");
}
