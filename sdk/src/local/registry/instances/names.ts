import { mainAccounts } from "../../accounts/accounts.ts";
import type { Call } from "../../behaviour.ts";
import { registryRules } from "../../../rules/registry.ts";
import { regions } from "../../regions.ts";
import { registries } from "../tables.ts";

/** Reserved names. The public API has some, but does not list them: these are the local platform's choice. */
const reserved: readonly string[] = ["admin", "library", "public", "registry", "system"];

export interface NameFlaw {
  readonly code: "InvalidParameter.ErrorNameIllegal" | "InvalidParameter.ErrorNameReserved" | "InvalidParameter.ErrorNameExists";
  /** As CheckInstanceName numbers it. */
  readonly detail: 1 | 2 | 3;
  readonly reason: string;
}

/** Why a registry cannot have a name; `undefined` if it can. Names are unique over all accounts and regions, because domains are. */
export function flawOfName(call: Call, name: string): NameFlaw | undefined {
  const shown = `RegistryName is ${JSON.stringify(name)}`;
  if (!registryRules.registryName.allows(name)) {
    const reason = `${shown}; it takes ${registryRules.registryName.takes}`;
    return { code: "InvalidParameter.ErrorNameIllegal", detail: 1, reason };
  }
  if (reserved.includes(name)) {
    const reason = `${shown}, which is reserved, like ${reserved.join(", ")}; take another`;
    return { code: "InvalidParameter.ErrorNameReserved", detail: 2, reason };
  }
  const taken = mainAccounts(call.world).some((account) =>
    regions.some((region) =>
      call.world
        .rows(registries, region, account)
        .list()
        .some((registry) => registry.name === name),
    ),
  );
  if (!taken) return undefined;
  const reason = `${shown}, which a registry has already; names are unique over the whole platform`;
  return { code: "InvalidParameter.ErrorNameExists", detail: 3, reason };
}
