import type { Decision, Forge, Person, Request } from "./calls.ts";
import type { Report } from "./report.ts";

/** Files that decide what later merge requests have to pass, the reviewer's version among them. */
const guarded =
  /^(?:\.github\/|gitops\/|\.gitlab-ci\.yml$|container-platform\.policy\.yaml$|package(?:-lock)?\.json$|\.npmrc$|(?:\.gitlab\/|docs\/)?CODEOWNERS$)/;

/** Whether a change may go on: it is safe, or somebody else than its authors has approved exactly this change. */
export async function decisionOn(forge: Forge, request: Request, { verdict, fingerprint }: Report): Promise<Decision> {
  if (!["nothing", "safe", "needs-approval"].includes(verdict))
    return { code: 4, sentence: "Blocked: a label cannot approve it. The comment says why." };
  const labels = [
    ...(verdict === "needs-approval" ? [`approved:${fingerprint}`] : []),
    ...((await changesPipeline(forge, request)) ? [`pipeline:${request.head.slice(0, 12)}`] : []),
  ];
  const set = await Promise.all(labels.map(async (label) => ({ label, setter: await forge.setterOf(request, label) })));
  const missing = set.flatMap(({ label, setter }) => {
    const why = refusalOf(setter, request);
    return why === undefined ? [] : [`the label ${label}${why}`];
  });
  if (missing.length > 0) return { code: 3, sentence: `Needs approval: ${missing.join("; ")}.` };
  if (labels.length === 0) return { code: 0, sentence: `Verdict: ${verdict}.` };
  return { code: 0, sentence: `Approved: ${set.map(({ label, setter }) => `${label} by ${setter?.login}`).join(", ")}.` };
}

async function changesPipeline(forge: Forge, request: Request): Promise<boolean> {
  const files = await forge.changedFiles(request);
  return files === undefined || files.some((file) => guarded.test(file));
}

/** Why a label does not count, as what follows its name; `undefined` if it does. */
function refusalOf(setter: Person | undefined, { authors }: Request): string | undefined {
  if (!setter) return "";
  const { login, isHuman, mayWrite } = setter;
  if (!isHuman) return `, which ${login} has set: not a person`;
  if (authors.some((author) => author.toLowerCase() === login.toLowerCase())) return `, not by ${login}, who has made this change`;
  return mayWrite ? undefined : `, not by ${login}, who may not push to this repository`;
}
