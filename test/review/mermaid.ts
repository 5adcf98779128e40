import { JSDOM } from "jsdom";

/** Whether Mermaid's own parser takes a text. Mermaid wants a browser's window, if only to clean labels. */
export async function parsesAsMermaid(text: string): Promise<boolean> {
  const { window } = new JSDOM("");
  Object.assign(globalThis, { window, document: window.document });
  const { default: mermaid } = await import("mermaid");
  return (await mermaid.parse(text)) !== false;
}
