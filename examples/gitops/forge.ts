import { readFileSync } from "node:fs";
import type { Forge } from "./calls.ts";
import { GitHub } from "./github.ts";
import { GitLab } from "./gitlab.ts";
import { markerOf, reportIn, reviewedIn, withFingerprint } from "./report.ts";

const [, , command = "", ...files] = process.argv;
const forge: Forge = process.env["GITLAB_CI"] ? new GitLab() : new GitHub();
const [report, text] = [reportIn(textOf(files[0])), files[1] === undefined ? "" : textOf(files[1])];
const commands: Readonly<Record<string, () => Promise<number>>> = { comment, gate, reviewed, drift };

const run = commands[command];
if (!run) throw new Error(`${command} is none of ${Object.keys(commands).join(", ")}`);
process.exitCode = await run();

/** Keeps one comment for each stack. If nothing changes, an existing comment says so, and none is added. */
async function comment(): Promise<number> {
  const request = await ownRequest();
  const before = (await forge.comments(request)).find(({ body }) => body.startsWith(markerOf(report)));
  const nothing = `${markerOf(report)}\nNothing changes in \`${report.stack}\` any more.\n`;
  const body = withFingerprint(text || nothing, report);
  if (before) await forge.changeComment(request, before.id, body);
  else if (text) await forge.addComment(request, body);
  return 0;
}

/** Passes if the change is safe, or if exactly this change was approved. */
async function gate(): Promise<number> {
  return approved(await forge.labels(await ownRequest()));
}

/** Passes only if the change is the one that was reviewed in the merge request of this commit. */
async function reviewed(): Promise<number> {
  if (report.verdict === "nothing") return said(0, "Nothing changes.");
  const request = await forge.request();
  if (request === undefined) return said(1, "This commit belongs to no merge request: nobody has reviewed it.");
  const comments = await forge.comments(request);
  const before = comments
    .map(({ body }) => (body.startsWith(markerOf(report)) ? reviewedIn(body) : undefined))
    .find((found) => found !== undefined);
  if (before !== report.fingerprint)
    return said(
      1,
      `The change now (${report.fingerprint}) is not the one that was reviewed (${before ?? "none"}): open a merge request, and review it again.`,
    );
  return approved(await forge.labels(request));
}

/** Keeps one issue for each stack that was changed outside of the program, and closes it when there is no difference any more. */
async function drift(): Promise<number> {
  const before = (await forge.openIssues()).find(({ body }) => body.startsWith(markerOf(report)));
  if (text && before) await forge.changeIssue(before.id, text);
  else if (text) await forge.addIssue(`${report.stack} was changed outside of the program`, text);
  else if (before) await forge.closeIssue(before.id);
  return text ? said(3, `${report.stack} was changed outside of the program.`) : said(0, "Nothing was changed outside of the program.");
}

function approved(labels: readonly string[]): number {
  const label = `approved:${report.fingerprint}`;
  if (report.verdict === "blocked") return said(4, "Blocked: a label cannot approve it. The comment says why.");
  if (report.verdict !== "needs-approval") return said(0, `Verdict: ${report.verdict}.`);
  return labels.includes(label) ? said(0, `Approved by the label ${label}.`) : said(3, `Needs approval: the label ${label}.`);
}

async function ownRequest(): Promise<number> {
  const request = await forge.request();
  if (request === undefined) throw new Error("this run belongs to no merge request");
  return request;
}

function said(code: number, sentence: string): number {
  console.log(sentence);
  return code;
}

function textOf(file: string | undefined): string {
  if (file === undefined) throw new Error("usage: forge.ts comment|gate|reviewed|drift REPORT.json [COMMENT.md]");
  return readFileSync(file, "utf8");
}
