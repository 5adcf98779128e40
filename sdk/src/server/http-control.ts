import { z } from "zod";
import { InputError } from "../operation/errors.ts";
import type { AccessKey } from "../local/accounts/rows.ts";
import type { WorldControl, WorldStatus } from "../local/control/control.ts";
import { checkedSnapshot, type Snapshot } from "../local/control/snapshot.ts";
import { countedFaultSchema, type Fault, faultAsData, type ListedFault } from "../local/faults/faults.ts";
import { type TimeScale, timeScales } from "../local/time.ts";
import { neutral } from "../wire-format/wire-format.ts";
import { authorizationFor } from "../transport/signature.ts";
import { controlPath, controlService } from "./http-messages.ts";

const statusSchema = z.object({ time: z.number(), frozen: z.boolean(), timeScale: z.enum(timeScales), seed: z.string() });
const keySchema = z.object({ secretId: z.string(), secretKey: z.string() }).transform((key): AccessKey => ({ ...key, token: undefined }));
const faultsSchema = z.array(z.object({ id: z.int(), ...countedFaultSchema().shape }));
const answerSchema = z.union([z.object({ result: z.unknown() }), z.object({ error: z.string() })]);

/**
 * Control of a world that is served over HTTP.
 *
 * @example
 * const control = new HttpControl(server.url, accessKeyOf(world));
 * await control.advance(31 * 60_000);
 */
export class HttpControl implements WorldControl {
  readonly #url: URL;
  #key: Pick<AccessKey, "secretId" | "secretKey">;

  /** @param key an access key of the world's first main account, without a token */
  constructor(url: string, key: Pick<AccessKey, "secretId" | "secretKey">) {
    this.#url = new URL(controlPath, url);
    this.#key = key;
  }

  status(): Promise<WorldStatus> {
    return this.#statusAfter("status");
  }

  setTime(time: number): Promise<WorldStatus> {
    return this.#statusAfter("setTime", { time });
  }

  advance(milliseconds: number): Promise<WorldStatus> {
    return this.#statusAfter("advance", { milliseconds });
  }

  freeze(): Promise<WorldStatus> {
    return this.#statusAfter("freeze");
  }

  unfreeze(): Promise<WorldStatus> {
    return this.#statusAfter("unfreeze");
  }

  setTimeScale(timeScale: TimeScale): Promise<WorldStatus> {
    return this.#statusAfter("setTimeScale", { timeScale });
  }

  async faults(): Promise<readonly ListedFault[]> {
    return faultsSchema.parse(await this.#send("faults"));
  }

  async addFault(fault: Fault): Promise<number> {
    return z.int().parse(await this.#send("addFault", faultAsData(fault)));
  }

  async removeFault(id: number): Promise<void> {
    await this.#send("removeFault", { id });
  }

  async clearFaults(): Promise<void> {
    await this.#send("clearFaults");
  }

  /** Later commands are signed with the first key of the emptied world. */
  async reset(options: { readonly seed?: string; readonly timeScale?: TimeScale } = {}): Promise<AccessKey> {
    return this.#useKey(await this.#send("reset", options));
  }

  async snapshot(options: { readonly audit?: boolean } = {}): Promise<Snapshot> {
    return checkedSnapshot(await this.#send("snapshot", options));
  }

  /** Later commands are signed with the first key of the snapshot. */
  async restore(snapshot: Snapshot): Promise<AccessKey> {
    return this.#useKey(await this.#send("restore", snapshot));
  }

  #useKey(answer: unknown): AccessKey {
    const key = keySchema.parse(answer);
    this.#key = key;
    return key;
  }

  async #statusAfter(command: string, input: object = {}): Promise<WorldStatus> {
    return statusSchema.parse(await this.#send(command, input));
  }

  /** @throws InputError with the server's message if it refuses the command. */
  async #send(command: string, input: object = {}): Promise<unknown> {
    const body = JSON.stringify(input);
    const timestamp = Math.floor(Date.now() / 1000);
    const { headers: prefix } = neutral;
    const signed = { "content-type": "application/json", host: this.#url.host, [`${prefix}action`]: command };
    const authorization = authorizationFor(neutral, this.#key, { headers: signed, body, service: controlService, timestamp });
    // `fetch` sets the host by itself.
    const { host: _, ...others } = signed;
    const headers = { ...others, [`${prefix}timestamp`]: String(timestamp), authorization };
    const response = await fetch(this.#url, { method: "POST", headers, body });
    const answer = answerSchema.parse(await response.json());
    if ("error" in answer) throw new InputError(answer.error);
    return answer.result;
  }
}
