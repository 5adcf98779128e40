/** Whether a text is as a pattern says, in which `*` stands for any text. */
export function fits(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "s").test(text);
}
