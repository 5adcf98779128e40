import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { Keys } from "./drawn-keys.ts";

const day = 24 * 60 * 60 * 1000;
/** How long certificates are valid, in milliseconds: a client's for one year, an authority's for twenty. */
const lifetimes = { client: 365 * day, authority: 20 * 365 * day } as const;

/** Object identifiers of the signature algorithm and of the common name. */
const ecdsaWithSha256 = "1.2.840.10045.4.3.2";
const commonName = "2.5.4.3";

interface Certified {
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
}

/** Makes a certificate authority: keys on P-256, and a certificate signed with them. */
export async function makeAuthority(name: string, drawn: Buffer, now: number): Promise<Certified> {
  const keys = await drawnKeys(drawn);
  return certified(keys, keys.privateKey, { subject: name, issuer: name, serial: serialOf(drawn), kind: "authority", from: now });
}

/** Makes keys for a user, and a certificate signed by an authority. */
export async function certifyUser(
  authority: { readonly certificate: string; readonly privateKey: string },
  uin: string,
  drawn: Buffer,
  now: number,
): Promise<Certified> {
  const keys = await drawnKeys(drawn);
  const issuer = new X509Certificate(authority.certificate).subject.replace(/^CN=/, "");
  const plan: Plan = { subject: uin, issuer, serial: serialOf(drawn), kind: "client", from: now };
  return certified(keys, createPrivateKey(authority.privateKey), plan);
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
async function signedCertificate(publicKey: KeyObject, signer: KeyObject, { subject, issuer, serial, kind, from }: Plan): Promise<Buffer> {
  const [{ AsnConvert, OctetString }, x509] = await Promise.all([import("@peculiar/asn1-schema"), import("@peculiar/asn1-x509")]);
  const named = (text: string) =>
    new x509.Name([
      new x509.RelativeDistinguishedName([
        new x509.AttributeTypeAndValue({ type: commonName, value: new x509.AttributeValue({ utf8String: text }) }),
      ]),
    ]);
  const extension = (extnID: string, value: object) =>
    new x509.Extension({ extnID, critical: true, extnValue: new OctetString(AsnConvert.serialize(value)) });
  const { digitalSignature, keyCertSign, cRLSign } = x509.KeyUsageFlags;
  const isAuthority = kind === "authority";
  const algorithm = new x509.AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: bytes(serial),
    signature: algorithm,
    issuer: named(issuer),
    validity: new x509.Validity({ notBefore: new Date(from), notAfter: new Date(from + lifetimes[kind]) }),
    subject: named(subject),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: "spki", format: "der" }), x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions([
      extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: isAuthority })),
      extension(x509.id_ce_keyUsage, new x509.KeyUsage(isAuthority ? keyCertSign | cRLSign : digitalSignature)),
      ...(isAuthority ? [] : [extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_clientAuth]))]),
    ]),
  });
  const text = new Uint8Array(AsnConvert.serialize(tbsCertificate));
  const signature = await import("./drawn-keys.ts").then(({ signatureOf }) => signatureOf(text, signer));
  const certificate = new x509.Certificate({ tbsCertificate, signatureAlgorithm: algorithm, signatureValue: bytes(signature) });
  return Buffer.from(AsnConvert.serialize(certificate));
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
