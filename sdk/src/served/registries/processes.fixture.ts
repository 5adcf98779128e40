import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createInstanceToken } from "../../catalogue/registry.ts";
import { programFile } from "../../cli/user.fixture.ts";
import { Cloud } from "../../client/client.ts";
import { LocalPlatform } from "../../local/platform.ts";
import { World } from "../../local/store/world.ts";
import { askerAt, basic, contentFolder, makeRegistry, region } from "./stage.fixture.ts";

/** A world in a file with a registry, and servers of it in processes of their own. */
export async function processes() {
  const folder = contentFolder();
  const file = join(folder, "world.db");
  const world = World.open(file, { timeScale: "instant", seed: "durable" });
  onTestFinished(() => {
    world.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const registryId = await makeRegistry(cloud, "acme-images");
  const { username, token } = await cloud.call(createInstanceToken, { registryId, tokenType: "longterm", desc: "" });
  const serve = async () => {
    const child = spawn(process.execPath, [programFile, "serve", "--registry", "--db", file], { stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (told += text));
    await once(child.stdout, "data");
    const address = /registry acme-images, from the internet: (\S+)\n/.exec(told)?.[1] ?? "";
    const kill = async () => {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    };
    return { kill, address, ask: askerAt(address, basic(username, token)) };
  };
  return { serve };
}
