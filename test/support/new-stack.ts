import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ServerProcess } from "./server-process.ts";

/**
 * A stack whose key comes from a key service. With a passphrase, each run of the engine would derive the key anew, which takes a quarter
 * of a second of processor time. What is secret is encrypted in the same way.
 */

const keyServer = join(import.meta.dirname, "key-server.ts");
const url = "hashivault://test";
let service: Promise<ServerProcess> | undefined;

/** What the engine has to know of the service. All stacks of this process share it; it ends with this process. */
export async function keyEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { address } = await (service ??= ServerProcess.start([keyServer]));
  return { VAULT_SERVER_URL: address, VAULT_SERVER_TOKEN: "test" };
}

/** Writes what `pulumi stack init --secrets-provider=hashivault://test` writes, into the project's folder and into the file of the stack. */
export function writeEmptyStack(folder: string, stateFile: string): void {
  const stack = basename(stateFile, ".json");
  const ofProject = dirname(stateFile);
  const key = Buffer.from(`vault:v1:${randomBytes(32).toString("base64")}`).toString("base64");
  writeFileSync(join(folder, `Pulumi.${stack}.yaml`), `secretsprovider: ${url}\nencryptedkey: ${key}\n`);
  mkdirSync(ofProject, { recursive: true });
  writeFileSync(join(ofProject, "..", "..", "meta.yaml"), "version: 1\n");
  const version = "v3.0.0";
  const latest = {
    manifest: { time: new Date().toISOString(), magic: createHash("sha256").update(version).digest("hex"), version },
    secrets_providers: { type: "cloud", state: { url, encryptedkey: key } },
    metadata: {},
  };
  writeFileSync(stateFile, JSON.stringify({ version: 3, checkpoint: { stack: `organization/${basename(ofProject)}/${stack}`, latest } }));
}
