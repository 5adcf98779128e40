import { expect, onTestFinished, test } from "vitest";
import { type CredentialSource, renewed } from "../config/credential-source.ts";
import { publicApi } from "../wire-format/wire-format.ts";
import { HttpTransport } from "./http.ts";
import { listening } from "./listening.fixture.ts";

const describeVpcs = { product: "vpc", action: "DescribeVpcs", version: "2017-03-12", region: "eu-frankfurt", body: {} } as const;
const place = "the identity of the pod (TKE_…)";

/** A platform that takes the keys of some tokens no more, and who calls it. */
async function platformRefusing(refused: readonly string[], source: CredentialSource) {
  const tokens: string[] = [];
  const url = await listening((request, response) => {
    const token = String(request.headers["x-tc-token"]);
    tokens.push(token);
    const refusal = refused.includes(token) && { Error: { Code: "AuthFailure.TokenFailure", Message: `${token} has ended` } };
    response.end(JSON.stringify({ Response: { RequestId: "r", ...refusal } }));
  });
  const transport = new HttpTransport(new URL(url), source, { wireFormat: publicApi, place });
  onTestFinished(() => transport.close());
  return { transport, tokens };
}

/** Keys that say of themselves that they are good for an hour. */
function hourly(): CredentialSource {
  let fetches = 0;
  const end = Date.now() + 3_600_000;
  return renewed(() => {
    const credentials = { secretId: "a", secretKey: "b", token: `token${++fetches}` };
    return Promise.resolve({ credentials, renewal: end, end });
  });
}

test("temporary keys that the platform takes no more are renewed before their time, once for all calls", async () => {
  const { transport, tokens } = await platformRefusing(["token1"], hourly());
  const calls = Array.from({ length: 3 }, () => transport.send(describeVpcs));
  expect(await Promise.all(calls)).toHaveLength(3);
  expect(tokens.sort()).toEqual(["token1", "token1", "token1", "token2", "token2", "token2"]);
});

test("keys that are refused again are not tried for ever, and the refusal tells where they are from", async () => {
  const { transport, tokens } = await platformRefusing(["token1", "token2"], hourly());
  await expect(transport.send(describeVpcs)).rejects.toMatchObject({
    code: "AuthFailure.TokenFailure",
    reason: `[secret] has ended; it was signed with the keys of ${place}`,
  });
  expect(tokens).toEqual(["token1", "token2"]);
});

test("keys that do not change are refused at once", async () => {
  const keys = { secretId: "a", secretKey: "b", token: "token1" };
  const { transport, tokens } = await platformRefusing(["token1"], () => Promise.resolve(keys));
  await expect(transport.send(describeVpcs)).rejects.toMatchObject({ code: "AuthFailure.TokenFailure" });
  expect(tokens).toEqual(["token1"]);
});
