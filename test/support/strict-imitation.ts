import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { leftOut, misfitsOf } from "../../sdk/src/wire-format/public/imitation.fixture.ts";
import { modelsOf } from "../../sdk/src/wire-format/public/models.fixture.ts";
import { Front } from "./front.ts";

const body = z.record(z.string(), z.json());
const answer = z.object({ Response: body });

/** A stand-in for the public API in front of a served platform: it lets nothing pass that the published models do not have. */
export class StrictImitation extends Front {
  readonly called = new Set<string>();
  /** What did not fit. Each was refused, or taken out of the answer. */
  readonly misfits = new Set<string>();

  static before(platform: string): Promise<StrictImitation> {
    return new StrictImitation(platform).listening();
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    if (this.misfits.size > 0) throw new Error(`what does not fit the published models:\n${[...this.misfits].join("\n")}`);
  }

  protected override async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { headers } = incoming;
    const [action, version] = [headers["x-tc-action"], headers["x-tc-version"]].map(String);
    const [, , service = ""] = /Credential=([^,]*)/.exec(headers.authorization ?? "")?.[1]?.split("/") ?? [];
    const sent = await text(incoming);
    const models = modelsOf(service, version ?? "");
    this.called.add(`${service} ${action ?? ""} ${version ?? ""}`);
    const { unknown, missing } = misfitsOf(models, `${action ?? ""}Request`, body.parse(JSON.parse(sent)));
    const wrong = [
      ...unknown.map((path) => `${action ?? ""} ${path}: unknown`),
      ...missing.filter((path) => !leftOut.test(path)).map((path) => `${action ?? ""} ${path}: missing`),
    ];
    for (const each of wrong) this.misfits.add(each);
    if (wrong.length > 0) {
      const refusal = { Code: unknown.length > 0 ? "UnknownParameter" : "MissingParameter", Message: wrong.join("; ") };
      outgoing.end(JSON.stringify({ Response: { Error: refusal, RequestId: "imitation" } }));
      return;
    }
    const told = answer.parse(JSON.parse(await this.forwarded(headers, sent)));
    const { unknown: extra } = "Error" in told.Response ? { unknown: [] } : misfitsOf(models, `${action ?? ""}Response`, told.Response);
    for (const path of extra) this.misfits.add(`${action ?? ""} -> ${path}: unknown`);
    outgoing.end(JSON.stringify(told));
  }
}
