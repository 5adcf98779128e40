import { engineUrn, testedShell } from "./shell.ts";
import type { Props } from "./structs.ts";

/** A resource as the state has it; its URN is that of a dynamic resource. */
interface Saved {
  readonly urn: string;
  readonly inputs: Props;
  /** The ID of its provider, if that is not the one in the state. */
  readonly provider?: string | undefined;
}

interface State {
  readonly project: string;
  readonly providerId: string;
  /** `undefined`: the state has no provider. */
  readonly resources: readonly Saved[] | undefined;
  readonly pending: readonly { readonly type: string; readonly resource: Saved }[];
}

/** What `pulumi stack export` shows of a stack with one provider. */
export function exportOf({ project, providerId, resources, pending }: State): string {
  const type = `pulumi:providers:${testedShell === "native" ? "container-platform" : "pulumi-nodejs"}`;
  const stack = { urn: `urn:pulumi:test::${project}::pulumi:pulumi:Stack::${project}-test`, type: "pulumi:pulumi:Stack" };
  const provider = { urn: `urn:pulumi:test::${project}::${type}::default`, type, id: providerId };
  const saved = ({ urn, provider: id = providerId, ...others }: Saved) => {
    const known = engineUrn(urn);
    return { ...others, urn: known, type: known.split("::")[2], provider: `${provider.urn}::${id}` };
  };
  const operations = pending.map(({ resource, ...operation }) => ({ ...operation, resource: saved(resource) }));
  const all = resources ? [stack, provider, ...resources.map(saved)] : [];
  return JSON.stringify({ version: 3, deployment: { resources: all, pending_operations: operations } });
}
