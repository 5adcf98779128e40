import { Agent, request } from "undici";
import { renewed, type Temporary } from "../../config/renewed.ts";
import type { CredentialSource } from "../../config/credential-source.ts";
import { PlatformError } from "../../operation/errors.ts";
import { faultOf } from "../network-faults.ts";
import { instanceForm, temporary } from "./sts.ts";
import { jsonIn } from "../../formats/json.ts";

/** Where a virtual machine of the cloud finds its own metadata. */
export const metadataAddress: URL = new URL("http://metadata.tencentyun.com/");

/** How long all of the metadata may take, in milliseconds: on any other machine nobody answers. */
const longest = 1000;

const origin = { product: "metadata", action: "the role of the instance", requestId: "" };

/** The credentials of the role that a virtual machine has. A renewal that fails is tried again with the next call. */
export function ofInstance(address: URL): CredentialSource {
  return renewed(async () => {
    // Metadata is of this machine: no proxy may be asked for it.
    const dispatcher = new Agent();
    const signal = AbortSignal.timeout(longest);
    const read = async (path: string) => {
      const { statusCode, body, headers } = await request(new URL(path, address), { dispatcher, signal });
      const answer = await body.text();
      if (statusCode !== 200) throw lacking(statusCode === 404 ? "the instance has no role" : `HTTP status ${statusCode}`);
      return { answer, date: Date.parse([headers["date"]].flat()[0] ?? "") };
    };
    try {
      return await roleRead(read);
    } catch (error) {
      if (signal.aborted) throw lacking(`${address.host} did not answer within a second`);
      throw error instanceof PlatformError ? error : faultOf(error, address.host, origin);
    } finally {
      await dispatcher.destroy();
    }
  });
}

type Read = (path: string) => Promise<{ readonly answer: string; readonly date: number }>;

const folder = "/latest/meta-data/cam/security-credentials/";

async function roleRead(read: Read): Promise<Temporary> {
  const name = (await read(folder)).answer.trim();
  // A gateway may answer for any name with a page of its own.
  if (!/^[\w+=,.@-]+$/.test(name)) throw lacking("the answer is no name of a role");
  const { answer, date } = await read(`${folder}${name}`);
  const parsed = instanceForm.safeParse(jsonIn(answer));
  if (!parsed.success) throw lacking(`there are no credentials for the role ${name}`);
  return temporary(parsed.data, parsed.data.ExpiredTime, Number.isFinite(date) ? date : Date.now());
}

/** Whatever it is, no call of the platform was sent. */
function lacking(reason: string): PlatformError {
  return new PlatformError("NoInstanceRole", reason, origin, "unsent");
}
