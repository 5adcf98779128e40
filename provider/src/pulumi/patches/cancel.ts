/**
 * Pulumi's dynamic host answers the engine's `Cancel`, which a Control-C causes, and tells the providers nothing of it. This listens
 * on the host's own server. Node has no public way to find that server: if this one fails, Control-C waits for the call in flight.
 */
export function onCancel(cancelled: () => void): void {
  const handles: unknown = Reflect.get(process, "_getActiveHandles");
  if (typeof handles !== "function") return;
  const active: unknown = handles.call(process);
  for (const handle of Array.isArray(active) ? active : []) {
    if (!isServer(handle) || handle.listenerCount("stream") === 0) continue;
    handle.on("stream", (_stream: unknown, headers: unknown) => {
      const path: unknown = typeof headers === "object" && headers !== null ? Reflect.get(headers, ":path") : undefined;
      if (typeof path === "string" && path.endsWith("/Cancel")) cancelled();
    });
  }
}

function isServer(handle: unknown): handle is NodeJS.EventEmitter {
  return typeof handle === "object" && handle !== null && "listenerCount" in handle && "on" in handle;
}
