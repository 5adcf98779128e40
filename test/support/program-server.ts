import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import grpc from "@grpc/grpc-js";
import { LanguageServer } from "@pulumi/pulumi/automation/server.js";
import language from "@pulumi/pulumi/proto/language_grpc_pb.js";

/**
 * `node program-server.ts FOLDER`: runs the `index.ts` of a folder for each run of the engine, as Pulumi's Automation API does with a
 * function. Prints its address. Ends when its standard input ends.
 */
const [folder = process.cwd()] = process.argv.slice(2);
const home = pathToFileURL(`${folder}/`).href;
let runs = 0;

// Each run reads the files of the program again, rather than using the modules of the run before.
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    const { url } = found;
    return url.startsWith(home) && !url.includes("/node_modules/") ? { ...found, url: `${url.replace(/\?.*/, "")}?run=${runs}` } : found;
  },
});

async function program(): Promise<Record<string, unknown>> {
  runs++;
  // The program's exports are the stack's outputs.
  const outputs: unknown = await import(pathToFileURL(join(folder, "index.ts")).href);
  return { ...(typeof outputs === "object" ? outputs : {}) };
}

const server = new grpc.Server();
server.addService(language.LanguageRuntimeService, new LanguageServer(program));
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(`127.0.0.1:${port}`);
});
process.stdin.once("end", () => process.exit()).resume();
