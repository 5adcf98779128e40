import { z } from "zod";
import { publicApi } from "../wire-format/wire-format.ts";
import { type Example, publishedExamples, unread } from "../wire-format/public/examples.fixture.ts";
import { calledByVendor } from "../wire-format/public/vendor-client.fixture.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { World } from "../local/store/world.ts";
import { serve } from "./server.ts";

/** An example call as a served platform answered it. */
export interface Replayed {
  readonly action: string;
  /** That of the refusal; `undefined` if the call was answered. */
  readonly code: string | undefined;
  readonly reason: string;
}

/** The codes with which a platform without resources refuses a call that names some. Each operation answers where they exist: `sdk/src/cli/vendor-client.test.ts`. */
const stateCodes: ReadonlySet<string | undefined> = new Set([
  "FailedOperation.TaskNotFound",
  "InternalError.DbRecordNotFound",
  "InternalError.ErrNotExist",
  "InvalidParameter.ClusterNotFound",
  // A machine of another account.
  "InvalidParameterValue.ResourceDescriptionError",
  // A zone of another region.
  "InvalidZone.MismatchRegion",
  "ResourceNotFound",
  "ResourceNotFound.ClusterNotFound",
  "ResourceNotFound.TcrResourceNotFound",
]);

export type Outcome = "answered" | "refused for its state" | "refused";

export function outcomeOf({ code }: Replayed): Outcome {
  if (code === undefined) return "answered";
  return stateCodes.has(code) ? "refused for its state" : "refused";
}

const elsewhere = { because: "it names a place of another region" };

/** The example calls that are refused whatever exists, and why. */
export const refusedExamples: readonly { readonly action: string; readonly because: string }[] = [
  ...unread.filter(({ part }) => part === "request"),
  { action: "RotateClusterToken", because: "it does not have a field for the cluster" },
  { action: "CreateInternalEndpointDns", ...elsewhere },
  { action: "DeleteInternalEndpointDns", ...elsewhere },
  { action: "DescribeInternalEndpointDnsStatus", ...elsewhere },
  { action: "DescribeDiskConfigQuota", ...elsewhere },
];

const refusal = z.object({ code: z.string(), message: z.string() });

/** Makes each of the vendor's example calls with its own client, which signs it, on a served platform without a resource. */
export async function replayedExamples(): Promise<Replayed[]> {
  const replays: Replayed[] = [];
  for (const example of publishedExamples().filter(({ part }) => part === "request")) replays.push(await replayed(example));
  return replays;
}

async function replayed({ product, action, version, body }: Example): Promise<Replayed> {
  const world = World.open(":memory:", { timeScale: "instant", seed: "examples" });
  try {
    await using server = await serve(world);
    const access = { url: server.url, credentials: accessKeyOf(world), region: "eu-frankfurt" };
    await calledByVendor({ service: publicApi.services[product], action, version }, body, access);
    return { action, code: undefined, reason: "" };
  } catch (error) {
    const { code, message: reason } = refusal.parse(error);
    return { action, code, reason };
  } finally {
    world.close();
  }
}
