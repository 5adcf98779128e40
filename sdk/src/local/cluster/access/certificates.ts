import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { Keys } from "./drawn-keys.ts";

const day = 24 * 60 * 60 * 1000;
/** How long certificates are valid, in milliseconds: those of clients and servers for one year, an authority's for twenty. */
const lifetimes = { client: 365 * day, server: 365 * day, authority: 20 * 365 * day } as const;

/** Object identifiers of the signature algorithm, of the common name and of the organization. */
const ecdsaWithSha256 = "1.2.840.10045.4.3.2";
const commonName = "2.5.4.3";
const organization = "2.5.4.10";

export interface Certified {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
  /** Serial number in upper-case hexadecimal, as Node formats it. */
  readonly serial: string;
}

interface Plan {
  readonly subject: string;
  readonly issuer: string;
  readonly serial: Buffer;
  readonly kind: keyof typeof lifetimes;
  /** The moment from which it is valid, in milliseconds. */
  readonly from: number;
  /** The organization of the subject, which Kubernetes takes for a group. */
  readonly group?: string;
  /** The names and addresses of a server. */
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
}

/** What signs certificates. */
type Authority = Pick<Certified, "certificate" | "privateKey">;

/** Makes a certificate authority: keys on P-256, and a certificate signed with them. */
export async function makeAuthority(name: string, drawn: Buffer, now: number): Promise<Certified> {
  const keys = await drawnKeys(drawn);
  return certified(keys, keys.privateKey, { subject: name, issuer: name, serial: serialOf(drawn), kind: "authority", from: now });
}

/** Makes keys, and a certificate for them that an authority signs. */
export async function certify(authority: Authority, plan: Omit<Plan, "issuer" | "serial">, drawn: Buffer): Promise<Certified> {
  const keys = await drawnKeys(drawn);
  const issuer = new X509Certificate(authority.certificate).subject.replace(/^CN=/, "");
  return certified(keys, createPrivateKey(authority.privateKey), { ...plan, issuer, serial: serialOf(drawn) });
}

/** Keys from a hash of the drawn bytes, because the serial number, which is no secret, shows some of them. */
async function drawnKeys(drawn: Buffer): Promise<Keys> {
  const hash = createHash("sha256").update(drawn).update("keys").digest();
  return import("./drawn-keys.ts").then(({ keysFrom }) => keysFrom(hash));
}

async function certified({ publicKey, privateKey }: Keys, signer: KeyObject, plan: Plan): Promise<Certified> {
  const der = await signedCertificate(publicKey, signer, plan);
  return {
    certificate: new X509Certificate(der).toString(),
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    serial: plan.serial.toString("hex").toUpperCase(),
  };
}

/** The certificate in DER. The packages that make it are loaded here, as only few calls make certificates. */
async function signedCertificate(publicKey: KeyObject, signer: KeyObject, plan: Plan): Promise<Buffer> {
  const [{ AsnConvert }, x509] = await Promise.all([import("@peculiar/asn1-schema"), import("@peculiar/asn1-x509")]);
  const named = (attributes: readonly (readonly [type: string, text: string])[]) =>
    new x509.Name(
      attributes.map(
        ([type, text]) =>
          new x509.RelativeDistinguishedName([
            new x509.AttributeTypeAndValue({ type, value: new x509.AttributeValue({ utf8String: text }) }),
          ]),
      ),
    );
  const { subject, issuer, serial, kind, from, group } = plan;
  const algorithm = new x509.AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: bytes(serial),
    signature: algorithm,
    issuer: named([[commonName, issuer]]),
    validity: new x509.Validity({ notBefore: new Date(from), notAfter: new Date(from + lifetimes[kind]) }),
    subject: named([...(group === undefined ? [] : [[organization, group] as const]), [commonName, subject]]),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: "spki", format: "der" }), x509.SubjectPublicKeyInfo),
    extensions: await extensionsOf(plan),
  });
  const text = new Uint8Array(AsnConvert.serialize(tbsCertificate));
  const signature = await import("./drawn-keys.ts").then(({ signatureOf }) => signatureOf(text, signer));
  const certificate = new x509.Certificate({ tbsCertificate, signatureAlgorithm: algorithm, signatureValue: bytes(signature) });
  return Buffer.from(AsnConvert.serialize(certificate));
}

async function extensionsOf({ kind, names = [], addresses = [] }: Plan) {
  const [{ AsnConvert, OctetString }, x509] = await Promise.all([import("@peculiar/asn1-schema"), import("@peculiar/asn1-x509")]);
  const extension = (extnID: string, value: object, critical = true) =>
    new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
  const { digitalSignature, keyCertSign, cRLSign } = x509.KeyUsageFlags;
  const isAuthority = kind === "authority";
  const purposes = kind === "server" ? [x509.id_kp_serverAuth] : [x509.id_kp_clientAuth];
  const known = [...names.map((dNSName) => ({ dNSName })), ...addresses.map((iPAddress) => ({ iPAddress }))];
  return new x509.Extensions([
    extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: isAuthority })),
    extension(x509.id_ce_keyUsage, new x509.KeyUsage(isAuthority ? keyCertSign | cRLSign : digitalSignature)),
    ...(isAuthority ? [] : [extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage(purposes))]),
    ...(known.length === 0
      ? []
      : [extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(known.map((name) => new x509.GeneralName(name))), false)]),
  ]);
}

/** A serial number of 16 bytes, which is positive and has no leading zeros. */
function serialOf(drawn: Buffer): Buffer {
  const serial = Buffer.from(drawn.subarray(0, 16));
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0);
  return serial;
}

function bytes(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
