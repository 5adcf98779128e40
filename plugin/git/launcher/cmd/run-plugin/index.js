"use strict";
// Pulumi runs `node <this file> <folder of the plugin> <arguments of the plugin>`.
require(require("node:path").join(process.argv[2], "pulumi-resource-container-platform"));
