import { readFileSync } from "node:fs";
import { getAsset, isSea } from "node:sea";

/** A file of the plugin's package. As one executable, the plugin has it inside. */
export function ownFile(name: "package.json" | "schema.json"): string {
  return isSea() ? getAsset(name, "utf8") : readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
}
