/** Serves a local platform over HTTP, and controls one that is served. */

export { HttpControl } from "./http-control.ts";
export { serve, type Timeouts, type PlatformServer, type ServeOptions } from "./server.ts";
