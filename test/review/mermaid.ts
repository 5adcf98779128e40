import { JSDOM } from "jsdom";

/** What Mermaid's own parser takes a text for; fails if for nothing. Mermaid wants a browser's window, if only to clean labels. */
export async function parsedByMermaid(text: string): Promise<string> {
  const { window } = new JSDOM("");
  Object.assign(globalThis, { window, document: window.document });
  const { default: mermaid } = await import("mermaid");
  return (await mermaid.parse(text)).diagramType;
}
