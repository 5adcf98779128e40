#!/usr/bin/env node
// Here before anything is built, so that npm finds it when it links commands. An old Node has to understand this file, too.
"use strict";
try {
  require("../dist/cjs/node-version.js");
} catch (error) {
  console.error("container-platform-import: " + error.message);
  process.exit(1);
}
require("module").enableCompileCache();
import("../dist/import/main.js");
