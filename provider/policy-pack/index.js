// The engine's language host for Node runs this file, if it is given the folder. An old Node has to understand it, too.
"use strict";
require("@container-platform/pulumi/policy-pack").servePolicyPack();
