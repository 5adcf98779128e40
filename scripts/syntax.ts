import { type ecmaVersion, parse } from "acorn";

/** The edition of the language that each Node reads as a whole, by its major version. Node 22 knows parts of the next one only. */
const editions: Readonly<Record<string, ecmaVersion>> = { "22": 2024, "24": 2025 };

/**
 * Why the oldest Node that a package supports cannot read a file of it; `undefined` if it can. An entry point for `require`, and what checks
 * the Node, has to be read by any Node: it is in the language of 2009.
 *
 * @param engine `engines.node` of the package, such as `>=22.19`
 */
export function unreadable(path: string, text: string, engine: string): string | undefined {
  const edition = editions[/^>=(\d+)\./.exec(engine)?.[1] ?? ""];
  if (edition === undefined) return `scripts/syntax.ts does not know which edition of the language Node ${engine} reads`;
  const isForAll = /(^|\/)(dist\/cjs\/|dist\/node-version\.js$)/.test(path);
  try {
    parse(text, {
      ecmaVersion: isForAll ? 5 : edition,
      sourceType: isForAll || path.endsWith(".cjs") ? "script" : "module",
      allowHashBang: true,
    });
    return undefined;
  } catch (error) {
    const wanted = isForAll ? "old Nodes" : `Node ${engine.replace(">=", "")}`;
    return `${path} cannot be read by ${wanted}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
