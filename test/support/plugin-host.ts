import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import grpc from "@grpc/grpc-js";
import plugins from "@pulumi/pulumi/proto/plugin_pb.js";
import services from "@pulumi/pulumi/proto/language_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/language_pb.js";

/**
 * Installs and starts plugins as Pulumi's language host for Node does from 3.259 on: `npm install` in the plugin's folder, which has to make
 * `node_modules`, then the module `@pulumi/pulumi/cmd/run-plugin` as it is found from there. The host that can be built from Pulumi's Go
 * modules is older. With a release of Pulumi, the tests have the release's own.
 */
const host: Pick<services.ILanguageRuntimeServer, "handshake" | "getPluginInfo" | "installDependencies" | "runPlugin"> = {
  handshake: (_call, answer) => {
    answer(null, new messages.LanguageHandshakeResponse());
  },
  getPluginInfo: (_call, answer) => {
    answer(null, new plugins.PluginInfo().setVersion("3.259.0"));
  },
  installDependencies: (call) => {
    const folder = folderIn(call.request);
    const { status, stderr } = spawnSync("npm", ["install", "--loglevel=error"], { cwd: folder, encoding: "utf8" });
    if (status === 0 && existsSync(join(folder, "node_modules"))) call.end();
    else call.emit("error", { code: grpc.status.UNKNOWN, details: `npm install made no node_modules: ${stderr}` });
  },
  runPlugin: (call) => {
    const folder = folderIn(call.request);
    const launcher = createRequire(join(folder, "package.json")).resolve("@pulumi/pulumi/cmd/run-plugin");
    const { request } = call;
    const env = Object.fromEntries(request.getEnvList().map((one) => /^(.*?)=(.*)$/s.exec(one)?.slice(1) ?? [one, ""]));
    const args = [launcher, folder, ...request.getArgsList()];
    const child = spawn(process.execPath, args, { cwd: request.getPwd(), env, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", (text: Buffer) => call.write(new messages.RunPluginResponse().setStdout(text)));
    child.stderr.on("data", (text: Buffer) => call.write(new messages.RunPluginResponse().setStderr(text)));
    child.on("exit", (code) => {
      call.write(new messages.RunPluginResponse().setExitcode(code ?? 1));
      call.end();
    });
    call.on("cancelled", () => child.kill("SIGKILL"));
  },
};

function folderIn(request: messages.InstallDependenciesRequest | messages.RunPluginRequest): string {
  return request.getInfo()?.getProgramDirectory() ?? "";
}

const server = new grpc.Server();
server.addService(services.LanguageRuntimeService, host);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(String(port));
});
