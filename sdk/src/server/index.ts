/** A platform served over HTTP, and control over one that is. */

export { HttpControl } from "./http-control.ts";
export { serve, type Patience, type PlatformServer, type ServeOptions } from "./server.ts";
