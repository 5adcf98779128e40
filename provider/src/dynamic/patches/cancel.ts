/**
 * Control-C makes the engine send `Cancel`. Pulumi's dynamic host answers it, but does not pass it to the providers. So this listens on
 * the host's own server. Node has no public way to find that server: if this one fails, Control-C waits for the current call.
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
