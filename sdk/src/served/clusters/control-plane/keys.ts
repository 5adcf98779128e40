import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Certified, certify, makeAuthority } from "../../../local/cluster/access/certificates.ts";
import { loopback } from "../../ports.ts";

/** The clock of another program may be behind this one's by as much, in milliseconds. */
const tolerance = 60_000;

/** The keys with which the parts of a control plane know each other. They are new at every start. */
export interface InternalKeys {
  /** PEM: the authority of all but the front. */
  readonly ca: string;
  readonly admin: Certified;
  readonly server: Certified;
  /** What the front shows, which may then say who somebody is. */
  readonly front: Certified;
}

/**
 * Writes the keys of a control plane into its folder.
 *
 * @param authority the cluster's own: it is told to pods, and signs what is approved in the cluster. Who shows a certificate of it at the API
 * server itself is nobody: the front alone knows which are revoked.
 */
export async function writeKeys(
  folder: string,
  clusterId: string,
  authority: Pick<Certified, "certificate" | "privateKey">,
): Promise<InternalKeys> {
  const put = (name: string, content: string) => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
  };
  const from = Date.now() - tolerance;
  const ca = await makeAuthority(`${clusterId} internal`, randomBytes(32), from);
  const frontCa = await makeAuthority(`${clusterId} front`, randomBytes(32), from);
  const client = (subject: string, group?: string) =>
    certify(ca, { subject, kind: "client", from, ...(group !== undefined && { group }) }, randomBytes(32));
  const admin = await client("container-platform", "system:masters");
  const server = await certify(
    ca,
    { subject: "kube-apiserver", kind: "server", from, names: ["localhost"], addresses: [loopback] },
    randomBytes(32),
  );
  put("internal-ca.crt", ca.certificate);
  put("front-ca.crt", frontCa.certificate);
  put("server.crt", server.certificate);
  put("server.key", server.privateKey);
  const egress = await client("egress");
  put("egress.crt", egress.certificate);
  put("egress.key", egress.privateKey);
  put("ca.crt", authority.certificate);
  put("ca.key", authority.privateKey);
  put("admin.kubeconfig", kubeconfigOf(ca, admin));
  put("controller-manager.kubeconfig", kubeconfigOf(ca, await client("system:kube-controller-manager")));
  put("scheduler.kubeconfig", kubeconfigOf(ca, await client("system:kube-scheduler")));
  writeTokenKeys(folder, put);
  const front = await certify(frontCa, { subject: "front", kind: "client", from }, randomBytes(32));
  return { ca: ca.certificate, admin, server, front };
}

/** Tokens of service accounts are in the cluster's data: the keys that have signed them stay, unless their writing was cut short, before anybody used them. */
function writeTokenKeys(folder: string, put: (name: string, content: string) => void): void {
  const last = join(folder, "service-accounts.pub");
  if (existsSync(last) && readFileSync(last, "utf8").trimEnd().endsWith("-----END PUBLIC KEY-----")) return;
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  put("service-accounts.key", String(privateKey.export({ type: "pkcs8", format: "pem" })));
  put("service-accounts.pub", String(publicKey.export({ type: "spki", format: "pem" })));
}

/** For a part of the control plane itself; the address is given to it when it is known. */
function kubeconfigOf({ certificate: ca }: Certified, { certificate, privateKey }: Certified): string {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "cluster", cluster: { server: `https://${loopback}`, "certificate-authority-data": base64(ca) } }],
    users: [{ name: "user", user: { "client-certificate-data": base64(certificate), "client-key-data": base64(privateKey) } }],
    contexts: [{ name: "context", context: { cluster: "cluster", user: "user" } }],
    "current-context": "context",
  });
}
