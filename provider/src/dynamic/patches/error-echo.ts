/**
 * Pulumi's dynamic host returns the error of a provider to the engine, and also prints it with `console.error`. The engine would show
 * both. This leaves out the print for errors that were announced.
 *
 * @returns a function that announces an error before it is thrown
 */
export function leaveOutEchoes(): (error: Error) => void {
  const announced = new Set<string>();
  const print = console.error;
  console.error = (...words: unknown[]) => {
    const [text] = words;
    if (typeof text !== "string" || !announced.delete(text)) print(...words);
  };
  // The text that the host will print.
  return (error) => announced.add(`${error}: ${error.stack}`);
}
