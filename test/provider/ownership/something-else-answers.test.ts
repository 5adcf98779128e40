import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../sdk/src/operation/codec.ts";
import { Meddler, type Sent } from "../../support/meddler.ts";
import { Stage } from "../stage/stage.ts";

/** Something between provider and platform answers a call that the platform has carried out. */

const args = { cidrBlock: "10.0.0.0/16" };
const page = { headers: { "content-type": "text/html" }, text: "<html></html>" };
const ofSomethingElse =
  "The response may come from a proxy instead of the API. Check the endpoint, then run `pulumi up --refresh`, which finds what took effect";

function refusal(Code: string): Sent {
  return { text: JSON.stringify({ Response: { Error: { Code, Message: "no" }, RequestId: "r-1" } }), headers: { date: "" } };
}

const answers: readonly (readonly [what: string, instead: (told: JsonObject) => Sent, said: string])[] = [
  [
    "a page that refuses",
    () => ({ ...page, status: 403 }),
    `HTTP status 403, not as a platform does (CreateVpc: HttpStatus.403). ${ofSomethingElse}`,
  ],
  [
    "a redirect",
    () => ({ ...page, status: 302, headers: { location: "https://login.example/?secret" } }),
    `HTTP status 302, not as a platform does, and leads to https://login.example (CreateVpc: HttpStatus.302). ${ofSomethingElse}`,
  ],
  ["a page", () => page, `is not a platform's: it is not JSON (CreateVpc: UnreadableAnswer). ${ofSomethingElse}`],
  [
    "no more than the id of the call",
    ({ RequestId = "" }) => ({ text: JSON.stringify({ Response: { RequestId } }) }),
    "It may have taken effect: tell those who run the platform (CreateVpc: InternalError, request ",
  ],
];

test.each(answers)("%s is told with what to do, and what was made is in the state", async (_, instead, said) => {
  const { stage, front: meddler } = await Stage.behind((url) => Meddler.before(url));
  onTestFinished(() => stage[Symbol.asyncDispose]());
  const vpc = stage.deployment("Vpc", "net");
  meddler.meddling = { action: "CreateVpc", nth: 1, instead };
  await expect(vpc.up(args)).rejects.toThrow(said);
  expect(vpc.id).toMatch(/^vpc-/);
  expect(await vpc.up(args)).not.toBe("create");
  expect(await vpc.preview(args)).toBe("nothing");
  expect(await stage.rows("vpcs")).toBe(1);
  await vpc.destroy();
});

test("a call that is refused for its time, by an answer that does not tell the right one, says what to do", async () => {
  const { stage, front: meddler } = await Stage.behind((url) => Meddler.before(url));
  onTestFinished(() => stage[Symbol.asyncDispose]());
  meddler.meddling = { action: "GetCallerIdentity", nth: 1, instead: () => refusal("AuthFailure.SignatureExpire") };
  await expect(stage.deployment("Vpc", "net").up(args)).rejects.toThrow("Set the clock of this machine, then run `pulumi up` again");
});
