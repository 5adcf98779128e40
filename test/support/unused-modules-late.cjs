"use strict";
const Module = require("node:module");

/**
 * For the hundreds of processes that tests start: Pulumi's SDK loads npm's Arborist, TypeScript and others into each, and uses them only
 * to make text of functions, which this library does beforehand, to run a program, to trace calls, or to compare the versions of packages.
 * A third of the time of a short run goes into that. With `node --require` of this file, they are loaded when they are used.
 */
const late = new Set([
  "@npmcli/arborist",
  "@opentelemetry/api",
  "typescript",
  "normalize-package-data",
  "execa",
  "js-yaml",
  "semver",
  "./automation",
]);
const load = Module._load;
Module._load = function (request, parent, ...rest) {
  const isPulumis = parent?.filename?.includes("/@pulumi/pulumi/");
  if (!isPulumis || !late.has(request)) return load.call(this, request, parent, ...rest);
  // `__esModule` keeps Pulumi's code from copying all members at once.
  const get = (_, key) => {
    if (key === "__esModule") return true;
    const loaded = load.call(this, request, parent, ...rest);
    return key === "default" && !loaded.__esModule ? loaded : loaded[key];
  };
  return new Proxy({}, { get });
};

// The programs of tests are ES modules, which ts-node never sees: Node itself strips their types.
delete process.env.PULUMI_NODEJS_TYPESCRIPT;
