import { readFileSync } from "node:fs";
import { decisionOn } from "./approval.ts";
import { type Decision, type Forge, type Request, variable } from "./calls.ts";
import { GitHub } from "./github.ts";
import { GitLab } from "./gitlab.ts";
import { keepLines } from "./lines.ts";
import { markerOf, reportIn, withFingerprint } from "./report.ts";

const [, , command = "", ...files] = process.argv;
const forge: Forge = process.env["GITLAB_CI"] ? new GitLab() : new GitHub();
const [report, text] = [reportIn(textOf(files[0])), files[1] === undefined ? "" : textOf(files[1])];
const commands: Readonly<Record<string, () => Promise<Decision>>> = { comment, lines, gate, reviewed, drift };

const run = commands[command];
if (!run) throw new Error(`${command} is none of ${Object.keys(commands).join(", ")}`);
// A preview is data that anybody may have made: that of dev does not stand for production.
if (report.stack !== variable("STACK")) throw new Error(`this is a report on ${report.stack}, not on ${variable("STACK")}`);
const { code, sentence } = await run();
console.log(sentence);
process.exitCode = code;

/** Keeps one comment for each stack. If nothing changes, an existing comment says so, and none is added. */
async function comment(): Promise<Decision> {
  const request = await ownRequest();
  const before = (await forge.comments(request)).find(({ body }) => body.startsWith(markerOf(report)));
  const nothing = `${markerOf(report)}\nNothing changes in \`${report.stack}\` any more.\n`;
  const body = withFingerprint(text || nothing, report);
  if (before) await forge.changeComment(request, before.id, body);
  else if (text) await forge.addComment(request, body);
  return { code: 0, sentence: `Fingerprint: ${report.fingerprint}.` };
}

/** Keeps the comments on lines of the program. */
async function lines(): Promise<Decision> {
  return keepLines(forge, await ownRequest(), report, text);
}

/** Passes if the change is safe, or if exactly this change was approved. In a merge queue, it also has to be the one that was judged. */
async function gate(): Promise<Decision> {
  const request = await ownRequest();
  const decision = request.isQueued ? await judgedBefore(request) : await decisionOn(forge, request, report);
  await forge.conclude(request, report.stack, report.fingerprint, decision);
  return decision;
}

/** Passes only if the change is the one that was judged in the merge request of this commit. */
async function reviewed(): Promise<Decision> {
  const request = await forge.request();
  if (request) return judgedBefore(request);
  if (report.verdict === "nothing") return { code: 0, sentence: "Nothing changes." };
  return { code: 1, sentence: "This commit belongs to no merge request: nobody has reviewed it." };
}

async function judgedBefore(request: Request): Promise<Decision> {
  if (report.verdict === "nothing") return { code: 0, sentence: "Nothing changes." };
  const before = await forge.judged(request, markerOf(report), report.stack);
  if (before === report.fingerprint) return decisionOn(forge, request, report);
  const sentence = `The change now (${report.fingerprint}) is not the one that was reviewed (${before ?? "none"}): open a merge request, and review it again.`;
  return { code: 1, sentence };
}

/** Keeps one issue for each stack that was changed outside of the program, and closes it when there is no difference any more. */
async function drift(): Promise<Decision> {
  const before = (await forge.openIssues()).find(({ body }) => body.startsWith(markerOf(report)));
  if (text && before) await forge.changeIssue(before.id, text);
  else if (text) await forge.addIssue(`${report.stack} was changed outside of the program`, text);
  else if (before) await forge.closeIssue(before.id);
  return text
    ? { code: 3, sentence: `${report.stack} was changed outside of the program.` }
    : { code: 0, sentence: "Nothing was changed outside of the program." };
}

async function ownRequest(): Promise<Request> {
  const request = await forge.request();
  if (request === undefined) throw new Error("this run belongs to no open merge request, or to several");
  return request;
}

function textOf(file: string | undefined): string {
  if (file === undefined) throw new Error("usage: forge.ts comment|lines|gate|reviewed|drift REPORT.json [COMMENT.md|LINES.json]");
  return readFileSync(file, "utf8");
}
