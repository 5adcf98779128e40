/** What Pulumi gives as the text of an Output, in whatever it is put. */
const marks = ["Calling [toString] on an [Output<T>] is not supported", "Calling [toJSON] on an [Output<T>] is not supported"];

/** Whether a value holds the text of an Output, at any depth: the program has put an Output into a text. */
export function holdsOutputText(value: unknown): boolean {
  if (typeof value === "string") return marks.some((mark) => value.includes(mark));
  return typeof value === "object" && value !== null && Object.entries(value).some((entry) => entry.some(holdsOutputText));
}

/** Why such a value is refused. */
export function outputTextIn(key: string): string {
  return `${key}: holds the text of an Output, which has no value yet while the program runs. Pass the Output itself, such as ${key}: vpc.vpcId, or make the text with pulumi.interpolate`;
}
