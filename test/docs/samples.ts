/**
 * A block of code of a page. What a reader need not see of it stands in an HTML comment right above it, which begins with `sample`, and
 * has these lines, each of which may be left out:
 *
 * - `with TEXT = OTHER`: in the tests TEXT is OTHER, such as an id that the platform chooses.
 * - `until TEXT`: the commands go on for ever; they are ended once they have printed this.
 * - `run`: this TypeScript is run by Node, after the page's samples above it. Otherwise it is only compiled with them.
 * - `anew`: what the samples above have declared is unknown to this one.
 * - `elsewhere`: needs packages that the project does not have; a test of its own compiles and runs it.
 * - `before`, and below it lines of the same language that come before the block.
 */
export interface Sample {
  readonly language: string;
  /** The name of the file that the block is. */
  readonly title: string | undefined;
  readonly text: string;
  readonly before: string;
  readonly until: string | undefined;
  readonly run: boolean;
  readonly anew: boolean;
  readonly elsewhere: boolean;
}

const blocks = /^(?:<!-- sample\b(.*?)-->\n\n?)?```(\w+)(?: title=(\S+))?\n(.*?)^```$/gms;

export function samplesIn(page: string): Sample[] {
  const samples = [...page.matchAll(blocks)].map(([, marks = "", language = "", title, text = ""]) => sample(language, title, text, marks));
  const fences = page.split("\n").filter((line) => /^\s*(`{3}|~{3})/.test(line)).length;
  if (fences !== 2 * samples.length)
    throw new Error(`${fences} fences make ${samples.length} blocks: each block begins in the first column, and names its language`);
  return samples;
}

function sample(language: string, title: string | undefined, text: string, marks: string): Sample {
  const [lines = "", before = ""] = marks.split(/^before\n/m);
  let [replaced, until] = [text, undefined as string | undefined];
  const words = new Set<string>();
  for (const line of lines
    .split("\n")
    .map((one) => one.trim())
    .filter((one) => one !== "")) {
    const [, from, to] = /^with (.+?) = (.*)$/.exec(line) ?? [];
    const [, end] = /^until (.+)$/.exec(line) ?? [];
    if (from !== undefined && to !== undefined) {
      if (!replaced.includes(from)) throw new Error(`no sample has "${from}"`);
      replaced = replaced.replaceAll(from, to);
    } else if (end !== undefined) until = end;
    else if (line === "run" || line === "anew" || line === "elsewhere") words.add(line);
    else throw new Error(`what "${line}" says of a sample is not known`);
  }
  return {
    language,
    title,
    text: replaced,
    before,
    until,
    run: words.has("run"),
    anew: words.has("anew"),
    elsewhere: words.has("elsewhere"),
  };
}
