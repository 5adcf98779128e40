import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { connect } from "@container-platform/sdk";
import { accessKeyOf } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { z } from "zod";
import type { Body, Stage } from "./proof-stage.ts";

const answerForm = z.object({ Response: z.looseObject({ RequestId: z.guid(), Error: z.object({ Code: z.string() }).optional() }) });
type Answer = z.output<typeof answerForm>["Response"];

/**
 * Calls over HTTP whose answers are read as they travel, between server and client: the client keeps the `RequestId` for itself.
 * An answer without one fails the call.
 */
export async function overheard(stage: Stage) {
  const server = await serve(stage.world);
  const heard: string[] = [];
  const relay = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const onward = request(server.url, { method, headers, agent: false }, (answer) => {
      void text(answer).then((body) => {
        heard.push(body);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
      });
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const address = z.object({ port: z.number() }).parse(relay.address());
  const transport = await connect(`http://127.0.0.1:${address.port}`, { credentials: accessKeyOf(stage.world) });
  return {
    answerTo: async (call: Omit<Parameters<typeof transport.send>[0], "region" | "body">, body: Body = {}): Promise<Answer> => {
      await transport.send({ ...call, region: stage.region, body }).catch(() => undefined);
      return answerForm.parse(JSON.parse(heard.pop() ?? "")).Response;
    },
    [Symbol.asyncDispose]: async () => {
      await transport.close();
      await new Promise((resolve) => relay.close(resolve));
      await server.close();
    },
  };
}
