import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The sources of the program, in Go, which this package has. */
export interface Sources {
  readonly folder: string;
  /** The SHA-256 of all of them, in hexadecimal. */
  readonly digest: string;
  /** The version of Kubernetes that they are built with, such as `1.34.4`. */
  readonly kubernetes: string;
}

export function sourcesOf(): Sources {
  const folder = join(dirname(fileURLToPath(import.meta.resolve("@container-platform/sdk/package.json"))), "kubernetes-server");
  const hash = createHash("sha256");
  const names = readdirSync(folder).filter((name) => /\.go$|^go\.(mod|sum)$/.test(name));
  for (const name of names.sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update("\0");
  const kubernetes = /^\s*k8s\.io\/kubernetes v(\S+)$/m.exec(readFileSync(join(folder, "go.mod"), "utf8"))?.[1];
  if (kubernetes === undefined) throw new Error(`${folder} does not say its version of Kubernetes`);
  return { folder, digest: hash.digest("hex"), kubernetes };
}
