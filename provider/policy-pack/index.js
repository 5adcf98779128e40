// Pulumi's language host loads this folder, if it is given as a policy pack. An old Node has to understand this file, too.
"use strict";
const pack = require("@container-platform/pulumi/policy-pack");
// Whoever else loads the folder gets what the door exports. The host runs this in the folder itself: PWD is where `pulumi` was started.
if (/[\\/]run-policy-pack([\\/]|$)/.test(process.argv[1] || "")) pack.servePolicyPack(process.env.PWD);
module.exports = pack;
