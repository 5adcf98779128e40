import grpc from "@grpc/grpc-js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import { type Props, propsOf } from "./structs.ts";

/** The failure of a resource that exists, but is not as desired. The engine saves it in the state all the same. */
export class InitFailed extends Error {
  readonly id: string;
  readonly properties: Props;
  readonly reasons: readonly string[];

  constructor(message: string, detail: messages.ErrorResourceInitFailed) {
    super(message);
    this.id = detail.getId();
    this.properties = propsOf(detail.getProperties());
    this.reasons = detail.getReasonsList();
  }
}

/** Makes one call, which is answered through a callback. A failure after the resource was made is an `InitFailed`. */
export function ask<Reply>(start: (done: (error: Error | null, reply?: Reply) => void) => unknown): Promise<Reply> {
  return new Promise((resolve, reject) => {
    start((error, reply) => {
      if (error) reject(explained(error));
      else if (reply === undefined) reject(new Error("there was no answer"));
      else resolve(reply);
    });
  });
}

function explained(error: Error): Error {
  if (!("metadata" in error) || !(error.metadata instanceof grpc.Metadata)) return error;
  const message = "details" in error && typeof error.details === "string" ? error.details : error.message;
  const [packed] = error.metadata.get("grpc-status-details-bin");
  if (!(packed instanceof Buffer)) return new Error(message);
  const [any] = statusMessages.Status.deserializeBinary(packed).getDetailsList();
  const detail = any?.unpack((bytes) => messages.ErrorResourceInitFailed.deserializeBinary(bytes), "pulumirpc.ErrorResourceInitFailed");
  return detail ? new InitFailed(message, detail) : new Error(message);
}
