/** A platform served over HTTP. */

export { serve, type Patience, type PlatformServer, type ServeOptions } from "./server.ts";
