/**
 * Pulumi's dynamic host answers the engine with what a provider throws, and prints it with `console.error` besides. The engine would
 * show both. From now on, the print is left out for the errors that are announced here.
 *
 * @returns what announces an error that is about to be thrown
 */
export function leaveOutEchoes(): (error: Error) => void {
  const announced = new Set<string>();
  const print = console.error;
  console.error = (...words: unknown[]) => {
    const [text] = words;
    if (typeof text !== "string" || !announced.delete(text)) print(...words);
  };
  // The text that the host makes of it.
  return (error) => announced.add(`${error}: ${error.stack}`);
}
