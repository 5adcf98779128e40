import { readFileSync } from "node:fs";
import { getAsset, isSea } from "node:sea";
import grpc from "@grpc/grpc-js";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import type { Find } from "./list-requests.ts";
import { KnownUrns } from "./known-urns.ts";
import { nativeProvider } from "./native-provider.ts";
import { serve } from "./server.ts";
import { nativeToken } from "../runtime/tokens.ts";
import { everyKind, kinds } from "../resources/kinds.ts";
import { engineOf } from "../dynamic/engine.ts";
import { inThisProcess } from "../dynamic/provider-process.ts";

// The program `pulumi-resource-container-platform`: Pulumi's engine starts it, reads the port that it prints, and asks it at that.
const cancel = new AbortController();
const urns = new KnownUrns();
const engine = engineOf(
  () => ({ ...engineServices, ...engineMessages, credentials: grpc.credentials }),
  (cancelled) => cancel.signal.addEventListener("abort", cancelled),
);
const own = inThisProcess({
  kinds: everyKind,
  engine: urns.for(engine),
  announce: () => undefined,
  inEngineWords: (text) => urns.inText(text),
  tokenOf: nativeToken,
});
const functions = () => import("../functions/all.ts").then(({ callables }) => callables);
const components = () => import("./components/construct.ts").then(({ construct }) => construct);
const find: Find = (...asked) => import("../import/find-resources.ts").then(({ findOfKind }) => findOfKind(...asked));
const provider = nativeProvider({ kinds, functions, components, find }, own, process.argv.at(-1) ?? "", urns);
// What is made of this as an executable cannot wait at its top.
void serve(
  provider,
  version(),
  () => ownFile("schema.json"),
  () => cancel.abort(),
).then((port) => console.log(String(port)));

function version(): string {
  const manifest: unknown = JSON.parse(ownFile("package.json"));
  return typeof manifest === "object" && manifest !== null ? String(Reflect.get(manifest, "version")) : "";
}

/** A file of the plugin's package. As one executable, the plugin has it inside. */
function ownFile(name: "package.json" | "schema.json"): string {
  return isSea() ? getAsset(name, "utf8") : readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
}
