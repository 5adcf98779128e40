import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

const programs = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** What a headless browser is started with: as root, with a profile of its own, and without looking for anything on the network. */
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--remote-debugging-port=0"].concat(
  ["background-networking", "component-update", "sync"].map((what) => `--disable-${what}`),
);

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

/** The screen of a page, and what its user prefers. */
export interface Screen {
  readonly width: number;
  readonly scheme: "light" | "dark";
  /** Whether things may move; they may unless given. */
  readonly motion?: "reduce" | "no-preference";
}

/** Of a page, so much is in its picture. */
const tallest = 3000;

/** A headless browser with one page, over its DevTools protocol. */
export class Browser implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>();
  #errors: string[] = [];
  #requests: string[] = [];
  #loaded: (() => void) | undefined;
  #sent = 0;

  private constructor(child: ChildProcess, folder: string, socket: WebSocket) {
    this.#child = child;
    this.#folder = folder;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.#hear(message.parse(JSON.parse(String(data))));
    });
  }

  static async start(): Promise<Browser> {
    const program = programs.find(isThere);
    if (program === undefined)
      throw new Error(`no browser was found (${programs.join(", ")}): Debian has one, \`apt-get install chromium\``);
    const folder = mkdtempSync(join(tmpdir(), "container-platform-browser-"));
    // What it keeps outside of its profile goes with it, too.
    const env = { ...process.env, TMPDIR: folder };
    const child = spawn(program, [...flags, `--user-data-dir=${folder}`], { env, stdio: ["ignore", "ignore", "pipe"] });
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
    const browser = new Browser(child, folder, socket);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.#send(`${domain}.enable`);
    return browser;
  }

  /** The script errors and messages since a page was opened. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  /** The addresses that were asked for since a page was opened. */
  get requests(): readonly string[] {
    return this.#requests;
  }

  async show({ width, scheme, motion = "no-preference" }: Screen): Promise<void> {
    await this.#send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 });
    const features = [
      { name: "prefers-color-scheme", value: scheme },
      { name: "prefers-reduced-motion", value: motion },
    ];
    await this.#send("Emulation.setEmulatedMedia", { features });
  }

  async open(url: string): Promise<void> {
    this.#errors = [];
    this.#requests = [];
    const loaded = new Promise<void>((resolve) => (this.#loaded = resolve));
    await this.#send("Page.navigate", { url });
    await loaded;
  }

  /** Presses a key, such as `Tab`, `Enter` or `Escape`. */
  async press(key: "Tab" | "Enter" | "Escape" | "ArrowDown", { shift = false } = {}): Promise<void> {
    const code = { Tab: 9, Enter: 13, Escape: 27, ArrowDown: 40 }[key];
    const event = { key, code: key, windowsVirtualKeyCode: code, modifiers: shift ? 8 : 0, ...(key === "Enter" && { text: "\r" }) };
    await this.#send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
    await this.#send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  async evaluate<Schema extends z.ZodType>(expression: string, schema: Schema): Promise<z.output<Schema>> {
    const answer = await this.#send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    const { result, exceptionDetails } = evaluated.parse(answer);
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return schema.parse(result.value);
  }

  async look(url: string, screen: Screen): Promise<Look> {
    await this.show(screen);
    await this.open(url);
    return this.see(screen);
  }

  /** The page as it is now. */
  async see({ width }: Pick<Screen, "width">): Promise<Look> {
    // Folded parts are opened, so that they count.
    const value = await this.evaluate(tooWide, z.array(z.string()));
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
    else if (method === "Network.requestWillBeSent") this.#requests.push(requested.parse(params).request.url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.kill();
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const evaluated = z.object({ result: z.object({ value: z.unknown() }), exceptionDetails: z.unknown().optional() });
const requested = z.object({ request: z.object({ url: z.string() }) });

function isThere(name: string): boolean {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const tooWide = `(() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  const width = document.documentElement.clientWidth;
  // What scrolls by itself is as wide as it may be, and what is cut off is for ears.
  const scrolls = (one) => one !== null && (getComputedStyle(one).clipPath !== "none" || ["auto", "scroll"].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
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
