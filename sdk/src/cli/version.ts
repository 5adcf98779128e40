import { readFileSync } from "node:fs";

/** The version of this client. */
export function versionOfClient(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null ? String(Reflect.get(manifest, "version")) : "";
}
