import { once } from "node:events";
import { createServer, type RequestListener, Server as HttpServer } from "node:http";
import type { Server } from "node:net";
import { onTestFinished } from "vitest";
import { z } from "zod";

/** The address of a server that ends with the test. */
export async function listening(given: RequestListener | Server): Promise<string> {
  const server = typeof given === "function" ? createServer(given) : given;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    if (server instanceof HttpServer) server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
}
