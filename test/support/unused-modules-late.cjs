"use strict";
const Module = require("node:module");

/**
 * For the hundreds of provider processes that tests start: Pulumi's SDK loads npm's Arborist and TypeScript into each, and uses them only
 * to make text of functions, which this library does beforehand. A third of the time of a short run goes into that. With `node --require`
 * of this file, they are loaded when they are used.
 */
const late = new Set(["@npmcli/arborist", "typescript"]);
const load = Module._load;
Module._load = function (request, parent, ...rest) {
  const isPulumis = parent?.filename?.includes("/@pulumi/pulumi/");
  if (!isPulumis || !late.has(request)) return load.call(this, request, parent, ...rest);
  // `__esModule` keeps Pulumi's code from copying all members at once.
  const get = (_, key) => (key === "__esModule" ? true : load.call(this, request, parent, ...rest)[key]);
  return new Proxy({}, { get });
};
