import { execFileSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { root } from "./compiler.ts";

/** The environment in which an engine runs programs in another language. The host of the language is built once per machine. */
export function hostEnvironment(language: "yaml" | "python" | "go", ...folders: readonly string[]): { readonly PATH: string } {
  const printed = execFileSync(process.execPath, [join(root, "scripts", "engine-place.js"), language], { encoding: "utf8" }).trim();
  return { PATH: [...folders, printed, process.env["PATH"]].join(delimiter) };
}

/** The beginning of a program in YAML: its project, with the plugin of this clone and the emulator. */
export const yamlSettings = `
name: throw-away
runtime: yaml
plugins: { providers: [{ name: container-platform, path: ${join(root, "plugin")} }] }
config:
  container-platform:endpoint: { value: local }
  container-platform:region: { value: eu-frankfurt }
`;
