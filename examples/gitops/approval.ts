import { type Decision, type Forge, isSame, type Person, type Request } from "./calls.ts";
import type { Report } from "./report.ts";

/** Files that decide what later merge requests have to pass, the reviewer's version among them. */
const guarded =
  /^(?:\.github\/|gitops\/|\.gitlab-ci\.yml$|container-platform\.policy\.yaml$|package(?:-lock)?\.json$|packages\/|\.npmrc$|(?:\.gitlab\/|docs\/)?CODEOWNERS$)/;

/** Whether a change may go on: it is safe, or somebody else than its authors has approved exactly this change. */
export async function decisionOn(forge: Forge, request: Request, report: Report): Promise<Decision> {
  const { verdict, fingerprint } = report;
  if (!["nothing", "safe", "needs-approval"].includes(verdict))
    return { code: 4, sentence: "Blocked: nobody can approve it. The comment says why." };
  const files = await forge.changedFiles(request);
  const changesPipeline = files === undefined || files.some((file) => guarded.test(file));
  const labels = [
    ...(verdict === "needs-approval" ? [`approved:${fingerprint}`] : []),
    ...(changesPipeline ? [`pipeline:${request.head.slice(0, 12)}`] : []),
  ];
  if (labels.length === 0) return { code: 0, sentence: `Verdict: ${verdict}.` };
  const set = await Promise.all(labels.map(async (label) => ({ label, setter: await forge.setterOf(request, label) })));
  const missing = set.flatMap(({ label, setter }) => {
    const why = setter && refusalOf(setter, request);
    if (!setter) return [`the label ${label}`];
    return why === undefined ? [] : [`the label ${label}, not by ${setter.login}, ${why}`];
  });
  if (missing.length === 0)
    return { code: 0, sentence: `Approved: ${set.map(({ label, setter }) => `${label} by ${setter?.login}`).join(", ")}.` };
  const reviews = files === undefined ? [] : await forge.approvals(request, report, files);
  const refused = reviews.map(({ by, wrong }) => ({ login: by.login, why: refusalOf(by, request) ?? wrong }));
  const counts = refused.find(({ why }) => why === undefined);
  if (counts) return { code: 0, sentence: `Approved: ${fingerprint} by the review of ${counts.login}.` };
  const others = refused.map(({ login, why }) => `; the review of ${login}, ${why}, does not count`);
  return { code: 3, sentence: `Needs approval: ${missing.join("; ")}${others.join("")}.` };
}

/** Why somebody's word does not count, as what follows the name; `undefined` if it does. */
function refusalOf({ login, isHuman, mayWrite }: Person, { authors }: Request): string | undefined {
  if (!isHuman) return "who is not a person";
  if (authors.some((author) => isSame(author, login))) return "who has made this change";
  return mayWrite ? undefined : "who may not push to this repository";
}
