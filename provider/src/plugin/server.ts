import { promisify } from "node:util";
import grpc from "@grpc/grpc-js";
import any from "google-protobuf/google/protobuf/any_pb.js";
import empties from "google-protobuf/google/protobuf/empty_pb.js";
import plugins from "@pulumi/pulumi/proto/plugin_pb.js";
import services from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import statuses from "@pulumi/pulumi/proto/status_pb.js";
import { messageOf } from "../definition/codes.ts";
import { Unfinished } from "../lifecycle/errors.ts";
import type { NativeProvider } from "./native-provider.ts";
import { struct } from "./properties.ts";

/** In bytes, as Pulumi's own programs have it: a state may be large. */
const largest = 400 * 1024 * 1024;

/** Serves a provider to the engine. Returns the port. @param cancelled called when the engine wants what is under way to end */
export function serve(provider: NativeProvider, version: string, schema: () => string, cancelled: () => void): Promise<number> {
  const empty = () => new empties.Empty();
  const server = new grpc.Server({ "grpc.max_receive_message_length": largest, "grpc.max_send_message_length": largest });
  server.addService(services.ResourceProviderService, {
    handshake: unary(provider.handshake),
    getPluginInfo: unary(() => new plugins.PluginInfo().setVersion(version)),
    getSchema: unary(() => new messages.GetSchemaResponse().setSchema(schema())),
    checkConfig: unary(provider.checkConfig),
    diffConfig: unary(provider.diffConfig),
    configure: unary(provider.configure),
    check: unary(provider.check),
    diff: unary(provider.diff),
    create: unary(provider.create),
    read: unary(provider.read),
    update: unary(provider.update),
    delete: unary((request: messages.DeleteRequest) => provider.delete(request).then(empty)),
    invoke: unary(provider.invoke),
    construct: unary(provider.construct),
    list: streaming(provider.list),
    cancel: unary(() => {
      cancelled();
      return empty();
    }),
    // gRPC answers UNIMPLEMENTED to all other calls.
  });
  return promisify(server.bindAsync.bind(server))("127.0.0.1:0", grpc.ServerCredentials.createInsecure());
}

function unary<Request, Response>(handle: (request: Request) => Response | Promise<Response>): grpc.handleUnaryCall<Request, Response> {
  return ({ request }, answer) => {
    Promise.resolve(request)
      .then(handle)
      .then(
        (response) => answer(null, response),
        (error: unknown) => answer(refusal(error)),
      );
  };
}

function streaming<Request, Response>(handle: (request: Request) => Promise<readonly Response[]>) {
  return (call: grpc.ServerWritableStream<Request, Response>) => {
    handle(call.request).then(
      (responses) => {
        for (const response of responses) call.write(response);
        call.end();
      },
      (error: unknown) => call.emit("error", refusal(error)),
    );
  };
}

/** An error as the engine reads it: of a resource that exists, with all that has to go into the state. */
function refusal(error: unknown): Partial<grpc.StatusObject> {
  const details = error instanceof Error ? messageOf(error) : String(error);
  const metadata = new grpc.Metadata();
  if (error instanceof Unfinished) {
    const failed = new messages.ErrorResourceInitFailed()
      .setId(error.id)
      .setProperties(struct(error.properties))
      .setReasonsList([...error.reasons]);
    const packed = new any.Any();
    packed.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new statuses.Status().setCode(grpc.status.UNKNOWN).setMessage(details);
    status.addDetails(packed);
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  }
  return { code: grpc.status.UNKNOWN, details, metadata };
}
