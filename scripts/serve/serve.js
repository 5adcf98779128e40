import { once } from "node:events";
import { ConfigurationError } from "@container-platform/sdk";
import { accessKeyOf, World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";

// Serves the world of `npm run up -- --serve` for the command that has started this, and no longer: once that is gone, however it ended,
// its channel closes. The key of the world goes through the channel, where no other process sees it.

const [file = "", port = "0"] = process.argv.slice(2);
// A terminal sends Control-C to the command, too, which ends this when the engine is done.
process.on("SIGINT", () => undefined);
const world = World.open(file);
const served = { port: Number(port), images: {}, dashboard: true };
/** @param {string} line */
const told = (line) => void process.stderr.write(`${line}\n`);
/** Why clusters are not served. @type {string | undefined} */
let withoutClusters;
try {
  const server = await serve(world, { ...served, kubernetes: { told } }).catch((error) => {
    // A machine without what control planes need still has images.
    if (!(error instanceof ConfigurationError)) throw error;
    withoutClusters = error.message;
    return serve(world, served);
  });
  const { secretId, secretKey } = accessKeyOf(world);
  process.send?.({ url: server.url, dashboardUrl: server.dashboardUrl, secretId, secretKey, withoutClusters });
  await once(process, "disconnect");
  await server.close();
} catch (error) {
  // What cannot be served because of its address is an InputError; because another process serves it, a ConfigurationError.
  const isServed = error instanceof ConfigurationError;
  process.send?.({ problem: error instanceof Error ? error.message : String(error), isServed });
  process.exitCode = 1;
} finally {
  world.close();
}
process.exit();
