import { JSDOM } from "jsdom";

/** The type of diagram that Mermaid's own parser finds in a text. Fails if there is none. Mermaid needs a browser's window to clean labels. */
export async function parsedByMermaid(text: string): Promise<string> {
  const { window } = new JSDOM("");
  Object.assign(globalThis, { window, document: window.document });
  const { default: mermaid } = await import("mermaid");
  return (await mermaid.parse(text)).diagramType;
}
