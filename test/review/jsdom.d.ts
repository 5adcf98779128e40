/** The part of jsdom that is used. Its published types declare a browser's globals, which differ from Node's. */
declare module "jsdom" {
  interface Element {
    readonly tagName: string;
    readonly textContent: string | null;
    readonly ownerDocument: Document;
    querySelectorAll(selector: string): ArrayLike<Element> & Iterable<Element>;
    closest(selector: string): Element | null;
  }
  interface Text {
    readonly textContent: string | null;
    readonly parentElement: Element | null;
  }
  interface Document {
    readonly body: Element;
    createTreeWalker(root: Element, whatToShow: number): { nextNode(): Text | null };
  }
  class JSDOM {
    constructor(html: string);
    readonly window: { readonly document: Document };
  }
}
