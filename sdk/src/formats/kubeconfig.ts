import { X509Certificate } from "node:crypto";
import { z } from "zod";
import { InputError } from "../operation/errors.ts";

const form = z.looseObject({
  clusters: z
    .array(
      z.looseObject({
        name: z.string(),
        cluster: z.looseObject({ server: z.string(), "certificate-authority-data": z.string().optional() }),
      }),
    )
    .min(1),
  users: z.array(z.looseObject({ name: z.string(), user: z.looseObject({ "client-certificate-data": z.string().optional() }) })).min(1),
});

/** What a kubeconfig contains. */
export interface KubeconfigFacts {
  /** The server, such as `https://203.0.113.9`. */
  readonly server: string;
  /** The certificate of the cluster's authority, PEM; absent if the kubeconfig has none. */
  readonly certificateAuthority: string | undefined;
  /** When its client certificate ends, in milliseconds since 1970; absent if the kubeconfig has none. */
  readonly expiresAt: number | undefined;
  /** The serial number of its client certificate; absent if the kubeconfig has none. */
  readonly serialNumber: string | undefined;
}

/**
 * Reads a kubeconfig.
 *
 * @throws InputError if the text is no kubeconfig. The message never shows the text.
 */
export async function kubeconfigFacts(text: string): Promise<KubeconfigFacts> {
  const { clusters, users } = await parsed(text);
  const cluster = clusters[0]?.cluster;
  const data = users[0]?.user["client-certificate-data"];
  const certificate = data === undefined ? undefined : new X509Certificate(decoded(data));
  const authority = cluster?.["certificate-authority-data"];
  return {
    server: cluster?.server ?? "",
    certificateAuthority: authority === undefined ? undefined : decoded(authority),
    expiresAt: certificate && Date.parse(certificate.validTo),
    serialNumber: certificate?.serialNumber,
  };
}

/** The same kubeconfig with another server (specification, cluster service, rule 6). */
export async function withServer(text: string, server: string): Promise<string> {
  const { stringify } = await import("yaml");
  const config = await parsed(text);
  for (const { cluster } of config.clusters) cluster.server = server;
  return stringify(config);
}

async function parsed(text: string): Promise<z.output<typeof form>> {
  const { parse } = await import("yaml");
  const config = form.safeParse(parse(text));
  if (!config.success) throw new InputError("this is no kubeconfig: it lacks clusters or users");
  return config.data;
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}
