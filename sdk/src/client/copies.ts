import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A copy of a package that this process has loaded. The copies of all versions know each other by this form. */
interface Copy {
  readonly version: string;
  readonly folder: string;
}

/**
 * Remembers that a copy of a package is loaded. If one of another version is loaded already, the answer says which both are, and what to do
 * about it. Copies of the same version do the same, and may be there twice.
 *
 * @param name the package
 * @param from the folder of a file of this copy
 */
export function twoVersions(name: string, from: string): string | undefined {
  const slot = Symbol.for(`loaded ${name}`);
  const own = copyAround(from);
  if (!own) return undefined;
  const first: unknown = Reflect.get(globalThis, slot);
  if (!isCopy(first)) {
    Reflect.set(globalThis, slot, own);
    return undefined;
  }
  if (first.version === own.version) return undefined;
  return (
    `${name} is here in two versions, ${first.version} in ${first.folder} and ${own.version} in ${own.folder}: ` +
    `\`npm ls ${name}\` says who brings which; update who brings the older one, or choose one with \`overrides\` in package.json`
  );
}

function isCopy(value: unknown): value is Copy {
  return typeof value === "object" && value !== null && "version" in value && "folder" in value;
}

/**
 * The package that a folder is in; `undefined` for a program that is one file, with its packages inside. A manifest without a name only says
 * how files are to be read.
 */
function copyAround(folder: string): Copy | undefined {
  const file = join(folder, "package.json");
  const manifest: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  if (typeof manifest === "object" && manifest !== null && "name" in manifest && "version" in manifest)
    return { version: String(manifest.version), folder };
  if (dirname(folder) === folder) return undefined;
  return copyAround(dirname(folder));
}
