import type { z } from "zod";
import { describeClusterAuthenticationOptions, modifyClusterAuthenticationOptions } from "../../../catalogue/cluster/authentication.ts";
import { listed } from "../../../formats/texts.ts";
import { clusterRules } from "../../../rules/cluster.ts";
import { type Call, on } from "../../behaviour.ts";
import { given } from "../../requests/input.ts";
import { passing } from "../../store/timeline.ts";
import { authenticationStateAt, clusterOf, requireUsable } from "../states.ts";
import { type AuthenticationOptions, type ClusterRow, clusters, unreachableAddresses } from "../tables.ts";
import { beginTask } from "./tasks.ts";

type Input = z.output<typeof modifyClusterAuthenticationOptions.input>;

/** A moment in a region. */
type Moment = Pick<Call, "region" | "now">;

export const authenticationBehaviours = [
  on(modifyClusterAuthenticationOptions, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    requireUsable(call, cluster);
    const latest = latestOperationOf(call, cluster);
    if (latest === "Updating")
      throw call.error(
        "ResourceUnavailable.ClusterState",
        `the authentication options of cluster ${cluster.id} are being updated; one change at a time`,
      );
    const authentication = optionsOf(call, cluster);
    const options = optionsAfter(call, cluster, authentication, input);
    const until = call.after("clusterModify");
    const failure = failureOf(call, options);
    const timeline = passing("Updating", until, failure?.endState ?? "Success", failure?.reason);
    call.rows(clusters).update(cluster.id, { authentication, authenticationChange: { options, timeline } });
    beginTask(call, cluster.id, { type: "modify_authentication_options", until, failure: failure?.reason });
  }),

  on(describeClusterAuthenticationOptions, (call, { clusterId }) => {
    const cluster = clusterOf(call, clusterId);
    const { useServiceDefault, autoCreateDiscoveryAnonymousAuth, oidc = {} } = optionsOf(call, cluster);
    const { issuer, jwksUri } = issuerOf(call, cluster);
    return {
      serviceAccounts: { useServiceDefault, issuer, jwksUri, autoCreateDiscoveryAnonymousAuth },
      oidcConfig: oidc,
      latestOperationState: latestOperationOf(call, cluster),
    };
  }),
];

/** The issuer of a cluster's tokens, and where its keys are. */
export function issuerOf(call: Moment, cluster: ClusterRow): Pick<AuthenticationOptions, "issuer" | "jwksUri"> {
  const { useServiceDefault, issuer, jwksUri } = optionsOf(call, cluster);
  return useServiceDefault ? defaultIssuer(call, cluster.id) : { issuer, jwksUri };
}

/** The platform's default issuer of a cluster's tokens. */
function defaultIssuer({ region }: Moment, clusterId: string) {
  const issuer = `https://${region}-oidc.container-platform.internal/id/${clusterId}`;
  return { issuer, jwksUri: `${issuer}/openid/v1/jwks` };
}

function latestOperationOf(call: Moment, { authenticationChange: change }: ClusterRow) {
  return change && authenticationStateAt(change.timeline, call.now);
}

/** The options in effect: those of the latest change if it has succeeded. A change that failed has no effect. */
function optionsOf(call: Moment, cluster: ClusterRow): AuthenticationOptions {
  const { authentication, authenticationChange: change } = cluster;
  return change && latestOperationOf(call, cluster) === "Success" ? change.options : authentication;
}

/** The options after a change. Those that it does not give stay; an empty `OIDCConfig` removes OIDC. */
function optionsAfter(
  call: Call<"InvalidParameter.Param">,
  { id }: ClusterRow,
  was: AuthenticationOptions,
  { serviceAccounts, oidcConfig }: Input,
): AuthenticationOptions {
  const isCleared = oidcConfig && Object.keys(given(oidcConfig)).length === 0;
  const oidc = isCleared ? undefined : (oidcConfig ?? was.oidc);
  if (!serviceAccounts) return { ...was, oidc };
  const { useServiceDefault = was.useServiceDefault, issuer, jwksUri } = serviceAccounts;
  const autoCreateDiscoveryAnonymousAuth = serviceAccounts.autoCreateDiscoveryAnonymousAuth ?? was.autoCreateDiscoveryAnonymousAuth;
  const common = { useServiceDefault, autoCreateDiscoveryAnonymousAuth, oidc };
  if (useServiceDefault) {
    // The values of the default issuer may be given.
    const usual = defaultIssuer(call, id);
    const names = [
      ...((issuer ?? usual.issuer) === usual.issuer ? [] : ["Issuer"]),
      ...((jwksUri ?? usual.jwksUri) === usual.jwksUri ? [] : ["JWKSURI"]),
    ];
    if (names.length > 0)
      throw call.error(
        "InvalidParameter.Param",
        `ServiceAccounts.UseServiceDefault is true, but ${listed(names)} ${names.length === 1 ? "is" : "are"} given; give one of the two`,
      );
    return common;
  }
  const lacksKeys = call.form === "public" && jwksUri === "";
  const own = { issuer: issuer ?? was.issuer, jwksUri: lacksKeys ? undefined : (jwksUri ?? was.jwksUri) };
  if (!own.issuer) throw call.error("InvalidParameter.Param", "ServiceAccounts.UseServiceDefault is false, but Issuer is not given");
  return { ...common, ...own };
}

/** Why a change fails: an unreachable issuer, or a wrong `JWKSURI` (specification, Authentication 4). */
function failureOf(call: Call, { useServiceDefault, issuer, jwksUri }: AuthenticationOptions) {
  const fault = call.faults.endFor("authentication");
  if (fault || useServiceDefault) return fault;
  for (const [name, address] of Object.entries({ Issuer: issuer, JWKSURI: jwksUri })) {
    if (address === undefined) continue;
    if (!clusterRules.httpsAddress.allows(address)) return { endState: "Failed", reason: `${name} ${address} is no https address` };
    if (call.rows(unreachableAddresses).get(address)) return { endState: "Failed", reason: `${name} ${address} cannot be reached` };
  }
  return undefined;
}
