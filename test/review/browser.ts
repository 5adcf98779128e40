import type { ChildProcess } from "node:child_process";
import { z } from "zod";

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
  params: z.unknown().optional(),
});

interface Look {
  readonly errors: readonly string[];
  /** The elements that are wider than the screen. */
  readonly overflow: readonly string[];
  readonly picture: Buffer;
}

/** Of a page, so much is in its picture. */
const tallest = 3000;

/** A headless browser, over its DevTools protocol. */
export class Browser implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>();
  #errors: string[] = [];
  #loaded: (() => void) | undefined;
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.#hear(message.parse(JSON.parse(String(data))));
    });
  }

  /** The browser of a process that was started with `--remote-debugging-port=0`. */
  static async of(child: ChildProcess): Promise<Browser> {
    const port = await portOf(child);
    const pages = z
      .array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string() }))
      .parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
    const page = pages.find(({ type }) => type === "page");
    if (!page) throw new Error("the browser has no page");
    const socket = new WebSocket(page.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    const browser = new Browser(socket);
    for (const domain of ["Page", "Runtime", "Log"]) await browser.#send(`${domain}.enable`);
    return browser;
  }

  async look(url: string, { width, scheme }: { readonly width: number; readonly scheme: "light" | "dark" }): Promise<Look> {
    this.#errors = [];
    await this.#send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 });
    await this.#send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    const loaded = new Promise<void>((resolve) => (this.#loaded = resolve));
    await this.#send("Page.navigate", { url });
    await loaded;
    // Folded parts are opened, so that they count.
    const { result } = await this.#send("Runtime.evaluate", { expression: tooWide, returnByValue: true });
    const { value } = z.object({ value: z.array(z.string()) }).parse(result);
    const { cssContentSize } = z
      .object({ cssContentSize: z.object({ height: z.number() }) })
      .parse(await this.#send("Page.getLayoutMetrics"));
    const clip = { x: 0, y: 0, width, height: Math.min(cssContentSize.height, tallest), scale: 1 };
    const { data } = await this.#send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
    return { errors: this.#errors, overflow: value, picture: Buffer.from(String(data), "base64") };
  }

  #send(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const answer = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    this.#sent += 1;
    this.#waiting.set(this.#sent, answer);
    this.#socket.send(JSON.stringify({ id: this.#sent, method, params }));
    return answer.promise;
  }

  #hear({ id, method, result = {}, error, params }: z.output<typeof message>): void {
    const answer = id === undefined ? undefined : this.#waiting.get(id);
    if (answer) {
      if (error) answer.reject(new Error(error.message));
      else answer.resolve(result);
    } else if (method === "Page.loadEventFired") this.#loaded?.();
    else if (method === "Runtime.exceptionThrown" || method === "Log.entryAdded") this.#errors.push(JSON.stringify(params));
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    return Promise.resolve();
  }
}

const tooWide = `(() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  const width = document.documentElement.clientWidth;
  // What scrolls by itself is as wide as it may be.
  const scrolls = (one) => one !== null && (["auto", "scroll"].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  const found = [...document.querySelectorAll("body *")].filter((one) => !scrolls(one) && (one.getBoundingClientRect().right > width + 1 || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline"));
  const names = found.map((one) => one.tagName.toLowerCase() + " " + one.textContent.slice(0, 60));
  const whole = document.documentElement.scrollWidth > width ? ["the page"] : [];
  for (const details of document.querySelectorAll("details:not(:first-of-type)")) details.open = false;
  return whole.concat(names.slice(0, 5));
})()`;

function portOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let told = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      told += text;
      const [, port] = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(told) ?? [];
      if (port !== undefined) resolve(port);
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`the browser ended: ${told}`)));
  });
}
