import { createPrivateKey, createPublicKey, hash, randomBytes, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { certify, makeAuthority } from "./certificates.ts";

const now = Date.UTC(2026, 0, 31, 12);

test("an authority signs certificates that Node parses and verifies", async () => {
  const authority = await makeAuthority("cls-12345678", randomBytes(32), now);
  const client = await certify(authority, { subject: "100000000001", kind: "client", from: now }, randomBytes(32));

  const issuer = new X509Certificate(authority.certificate);
  const user = new X509Certificate(client.certificate);
  expect(issuer.ca).toBe(true);
  expect(issuer.subject).toBe("CN=cls-12345678");
  expect(issuer.verify(issuer.publicKey)).toBe(true);
  expect(user.ca).toBe(false);
  expect(user.subject).toBe("CN=100000000001");
  expect(user.issuer).toBe("CN=cls-12345678");
  expect(user.verify(issuer.publicKey)).toBe(true);
  expect(user.checkIssued(issuer)).toBe(true);
  expect(user.serialNumber).toBe(client.serial);
  expect(user.checkPrivateKey(createPrivateKey(client.privateKey))).toBe(true);
  expect(createPublicKey(client.privateKey).asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
});

test("a client's certificate is valid for a year from the moment given", async () => {
  const authority = await makeAuthority("cls-12345678", randomBytes(32), now);
  const { certificate } = await certify(authority, { subject: "100000000001", kind: "client", from: now }, randomBytes(32));
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  expect(validFromDate.toISOString()).toBe("2026-01-31T12:00:00.000Z");
  expect(validToDate.toISOString()).toBe("2027-01-31T12:00:00.000Z");
});

test("a certificate of another authority is not verified", async () => {
  const [one, other] = [await makeAuthority("one", randomBytes(32), now), await makeAuthority("one", randomBytes(32), now)];
  const { certificate } = await certify(one, { subject: "100000000001", kind: "client", from: now }, randomBytes(32));
  expect(new X509Certificate(certificate).verify(new X509Certificate(other.certificate).publicKey)).toBe(false);
});

test("the same bytes give the same keys and certificates, and any bytes give valid ones", async () => {
  const drawn = Buffer.alloc(32, 7);
  const authority = await makeAuthority("one", drawn, now);
  expect(await makeAuthority("one", drawn, now)).toEqual(authority);
  expect(await certify(authority, { subject: "1", kind: "client", from: now }, drawn)).toEqual(
    await certify(authority, { subject: "1", kind: "client", from: now }, drawn),
  );
  for (const bytes of [
    Buffer.alloc(32),
    Buffer.alloc(32, 255),
    ...Array.from({ length: 100 }, (_, index) => Buffer.alloc(32, index + 1)),
  ]) {
    const issuer = new X509Certificate((await makeAuthority("one", bytes, now)).certificate);
    expect(issuer.verify(issuer.publicKey)).toBe(true);
  }
});

test.each([
  [0, "387641d4b7a9084104752011437b565bf4ed2a09a89574778fbf94f3008ef5fc"],
  [7, "40a533c5b4b85878268b6c2bd85f05cdf4d28526d5cf632361934bc0dc5fc178"],
  [255, "2f2cff2d073c46a4567420925eb3deff105254c57348e015ba6ca9ef9379cbaa"],
])("bytes of %i give the keys that they gave in every version", async (byte, fingerprint) => {
  const { privateKey } = await makeAuthority("one", Buffer.alloc(32, byte), now);
  expect(hash("sha256", createPublicKey(privateKey).export({ type: "spki", format: "der" }))).toBe(fingerprint);
});
