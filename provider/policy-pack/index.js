// Pulumi's language host loads this folder, if it is given as a policy pack. An old Node has to understand this file, too.
"use strict";
const pack = require("@container-platform/pulumi/policy-pack");
// Another program that loads the folder gets the exports of the entry point. The host runs this file in the folder: PWD is where `pulumi`
// was started.
if (/[\\/]run-policy-pack([\\/]|$)/.test(process.argv[1] || "")) pack.servePolicyPack(process.env.PWD);
module.exports = pack;
