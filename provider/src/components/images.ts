import type { Input } from "@pulumi/pulumi";
import { Namespace } from "../resources/registry/namespace.ts";
import { RegistryInstance } from "../resources/registry/registry-instance.ts";
import { ServiceAccount } from "../resources/registry/service-account.ts";
import { Token } from "../resources/registry/token.ts";
import type { Children } from "./children.ts";
import type { PlatformArgs, PlatformRegistry } from "./platform-args.ts";
import { mapped, tagged } from "./records.ts";

interface Place extends Pick<PlatformArgs, "deletionProtection" | "tags"> {
  readonly name: string;
  readonly vpcId: Input<string>;
  readonly subnetId: Input<string>;
}

/** The registry of a platform, and what is in it. */
interface Images {
  readonly registry: RegistryInstance;
  readonly namespaces: Readonly<Record<string, Namespace>>;
  /** What the nodes log in with. */
  readonly login: ServiceAccount | Token;
}

/** Makes a registry that the VPC reaches and the internet does not, with private namespaces and a login for pulls. */
export function imagesOf(
  children: Children,
  { name: registryName, namespaces, login = "service-account" }: PlatformRegistry,
  place: Place,
): Images {
  const { name, vpcId, subnetId, deletionProtection = true, tags } = place;
  const args = { registryName, internalAccess: [{ vpcId, subnetId }], deletionProtection, ...tagged(tags) };
  const registry = children.make({ kind: "registry", of: RegistryInstance, name, args, from: { registryName: "registry.name" } });
  const { registryId } = registry;
  const made = mapped(Object.fromEntries(namespaces.map((one) => [one, one])), (namespaceName) =>
    children.make({
      kind: "namespace",
      of: Namespace,
      name: `${name}-${namespaceName}`,
      from: { namespaceName: "registry.namespaces" },
      args: {
        registryId,
        namespaceName,
        isPublic: false,
        autoScan: true,
        severity: "high",
        retentionRule: { key: "latestPushedK", value: 20, cronSetting: "weekly" },
        ...tagged(tags),
      },
    }),
  );
  const permissions = Object.values(made).map(({ namespaceName }) => ({
    resource: namespaceName,
    actions: ["reg:PullRepository" as const],
  }));
  return {
    registry,
    namespaces: made,
    login:
      login === "token"
        ? children.make({ kind: "token", of: Token, name, args: { registryId, desc: `the nodes of ${name} pull with it` } })
        : children.make({
            kind: "serviceAccount",
            of: ServiceAccount,
            name,
            args: { registryId, name: "puller", permissions },
            from: { permissions: "registry.namespaces" },
          }),
  };
}
