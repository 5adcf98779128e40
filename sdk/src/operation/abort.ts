/** The error of a call that was aborted: the signal's reason if that is an error, else an error about it. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
