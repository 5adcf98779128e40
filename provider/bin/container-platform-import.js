#!/usr/bin/env node
// Here before anything is built, so that npm finds it when it links commands.
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("../dist/import/main.js");
