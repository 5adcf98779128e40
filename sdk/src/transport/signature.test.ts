import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { neutral, publicApi } from "../wire-format/wire-format.ts";
import { authorizationFor, canonical, isSigned, readAuthorization, signatureOf } from "./signature.ts";

// The example of the public API's own pages. Its keys are published there.
const body = String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`;
const common = { "content-type": "application/json; charset=utf-8", host: "cvm.tencentcloudapi.com" };
const call = { body, service: "cvm", timestamp: 1_551_113_065 };

const vectors = [
  {
    name: "current page",
    secretKey: "*".repeat(32),
    headers: { ...common, "x-tc-action": "DescribeInstances" },
    digest: "7019a55be8395899b900fb5564e4200d984910f34794a27cb3fb7d10ff6a1e84",
    signature: "10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f",
  },
  {
    name: "earlier page",
    secretKey: "Gu5t9xGARNpq86cd98joQYCN3EXAMPLE",
    headers: common,
    digest: "5ffe6a04c0664d6b969fab9a13bdab201d63ee709638e2749d62a09ca18d7031",
    signature: "72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168",
  },
  {
    name: "another revision",
    secretKey: "Gu5t9xGARNpq86cd98joQYCN3*******",
    headers: common,
    digest: "5ffe6a04c0664d6b969fab9a13bdab201d63ee709638e2749d62a09ca18d7031",
    signature: "2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c",
  },
];

test.each(vectors)("the public API's example, $name", ({ secretKey, headers, digest, signature }) => {
  const signable = { ...call, headers };
  expect(createHash("sha256").update(canonical(signable)).digest("hex")).toBe(digest);
  expect(signatureOf(publicApi, secretKey, signable)).toBe(signature);
});

test.each([neutral, publicApi])("an $algorithm that was written is read back, and proves the key", (wireFormat) => {
  const signable = { ...call, headers: common };
  const text = authorizationFor(wireFormat, { secretId: "AKID1", secretKey: "one" }, signable);
  expect(text).toMatch(
    new RegExp(
      `^${wireFormat.algorithm} Credential=AKID1/2019-02-25/cvm/${wireFormat.scope}, SignedHeaders=content-type;host, Signature=[0-9a-f]{64}$`,
    ),
  );
  const claim = readAuthorization(wireFormat, text);
  if (!claim) throw new Error("it was not read");
  expect(claim).toMatchObject({ secretId: "AKID1", date: "2019-02-25", service: "cvm", signedHeaders: ["content-type", "host"] });
  expect(isSigned(wireFormat, "one", claim, signable)).toBe(true);
  expect(isSigned(wireFormat, "one", claim, { ...signable, headers: { ...common, host: ` ${common.host} ` } })).toBe(true);
  expect(isSigned(wireFormat, "other", claim, signable)).toBe(false);
  expect(isSigned(wireFormat, "one", claim, { ...signable, body: `${body} ` })).toBe(false);
  expect(isSigned(wireFormat, "one", claim, { ...signable, headers: { ...common, host: "elsewhere" } })).toBe(false);
  expect(isSigned(wireFormat, "one", claim, { ...signable, timestamp: call.timestamp + 1 })).toBe(false);
  expect(isSigned(wireFormat, "one", claim, { ...signable, service: "tke" })).toBe(false);
  expect(isSigned(wireFormat, "one", { ...claim, date: "2019-02-26" }, signable)).toBe(false);
  expect(isSigned(wireFormat, "one", { ...claim, signature: "" }, signable)).toBe(false);
});

test.each([
  "",
  "Basic abc",
  "CP3-HMAC-SHA256",
  "CP3-HMAC-SHA256 Credential=a/2026-01-31/vpc/cp3_request, SignedHeaders=host",
  "CP3-HMAC-SHA256 Credential=a/2026-01-31/vpc/tc3_request, SignedHeaders=host, Signature=0",
  "CP3-HMAC-SHA256 Credential=a/b/2026-01-31/vpc/cp3_request, SignedHeaders=host, Signature=0",
  "TC3-HMAC-SHA256 Credential=a/2026-01-31/vpc/tc3_request, SignedHeaders=host, Signature=0",
])("%j is no authorization of the neutral wire format", (text) => {
  expect(readAuthorization(neutral, text)).toBeUndefined();
});
