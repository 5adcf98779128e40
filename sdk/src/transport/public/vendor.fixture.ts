import type { IncomingMessage, ServerResponse } from "node:http";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { publicApi } from "../../wire-format/wire-format.ts";
import { listening } from "../listening.fixture.ts";
import { isSigned, readAuthorization } from "../signature.ts";

export interface Heard {
  readonly path: string;
  readonly action: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The key that the call was signed with, if the signature is right; `SKIP` for one that is not signed. */
  readonly signedBy: string;
  readonly token: string | undefined;
}

/** The keys that the server knows, by their ids. */
const secretOf = (id: string) => `hush-${id}`;

/**
 * A server that plays two services of the vendor by their published shapes: the product `sts`, and the metadata of an instance. Each
 * answer has credentials of its own, numbered from 1.
 */
export class Vendor {
  readonly heard: Heard[] = [];
  /** How many seconds the credentials last that it gives. */
  lasts = 7200;
  /** The role of the instance; an instance without one has no such page. */
  role: string | undefined = "builder";
  /** What `sts` answers instead of credentials. */
  refusal: { readonly Code: string; readonly Message: string } | undefined;
  /** Never answers, as nobody does on a machine elsewhere. */
  silent = false;
  /** The server's clock, in milliseconds ahead of the machine's. */
  ahead = 0;
  #address: URL | undefined;

  get address(): URL {
    if (!this.#address) throw new Error("not started");
    return this.#address;
  }

  static async started(): Promise<Vendor> {
    const vendor = new Vendor();
    const url = await listening((request, response) => void vendor.#answer(request, response));
    vendor.#address = new URL(`${url}/`);
    return vendor;
  }

  get actions(): string[] {
    return this.heard.map(({ path, action }) => action || path);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await text(request);
    const { url = "", headers } = request;
    this.heard.push({
      path: url,
      action: String(headers["x-tc-action"] ?? ""),
      body: content === "" ? {} : (JSON.parse(content) as Heard["body"]),
      signedBy: signerOf(headers, content),
      token: headers["x-tc-token"] as string | undefined,
    });
    if (this.silent) return;
    response.setHeader("date", new Date(this.#now()).toUTCString());
    const page = request.method === "GET" ? this.#metadata(url) : JSON.stringify({ Response: this.#sts() });
    response.writeHead(page === undefined ? 404 : 200).end(page);
  }

  #sts() {
    const RequestId = `r-${this.heard.length}`;
    if (this.refusal) return { Error: this.refusal, RequestId };
    const { ExpiredTime, ...Credentials } = this.#given();
    return { Credentials, ExpiredTime, Expiration: new Date(ExpiredTime * 1000).toISOString(), RequestId };
  }

  #metadata(url: string): string | undefined {
    const folder = "/latest/meta-data/cam/security-credentials/";
    if (this.role === undefined) return undefined;
    if (url === folder) return `${this.role}\n`;
    if (url === `${folder}${this.role}`) return JSON.stringify({ ...this.#given(), Code: "Success" });
    return undefined;
  }

  #given() {
    const number = this.heard.length;
    const ExpiredTime = Math.floor(this.#now() / 1000) + this.lasts;
    return { TmpSecretId: `tmp${number}`, TmpSecretKey: secretOf(`tmp${number}`), Token: `token${number}`, ExpiredTime };
  }

  #now(): number {
    return Date.now() + this.ahead;
  }
}

/** Checks the signature by the name of the key. */
function signerOf(headers: IncomingMessage["headers"], body: string): string {
  const { authorization = "" } = headers;
  const claim = readAuthorization(publicApi, authorization);
  if (!claim) return authorization;
  const signed = Object.fromEntries(claim.signedHeaders.map((name) => [name, String(headers[name])]));
  const call = { headers: signed, body, service: "sts", timestamp: Number(headers["x-tc-timestamp"]) };
  return isSigned(publicApi, secretOf(claim.secretId), claim, call) ? claim.secretId : "nobody";
}

export function homeWith(files: Readonly<Record<string, string>> = {}): string {
  const home = mkdtempSync(join(tmpdir(), "vendor-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  }
  return home;
}
