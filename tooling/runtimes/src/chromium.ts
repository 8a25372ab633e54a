import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type Executable, environmentOf } from "./executable.ts";
import type { StartedProcesses } from "./started-processes.ts";

/** A headless Chromium that a check drives as a person would. */
export interface Chromium {
  /** The version that it reports, such as `153.0.8010.0`. */
  version: string;
  /** Errors that nobody caught in its pages, and what their security policies refused. */
  readonly errors: ReadonlySet<string>;
  /** Opens a page that shares nothing with the other ones, as in another profile. */
  open(url: string): Promise<Page>;
  /** Opens a page of the profile that is in the folder, where another start of the browser finds what it keeps. */
  openKept(url: string): Promise<Page>;
  /** Ends the browser as a person does, so that its profile is written. */
  quit(): Promise<void>;
}

/** A page. Elements are given as expressions of JavaScript. All reject if the browser ends. */
export interface Page {
  /**
   * Resolves with the value of the expression, as JSON can hold it, as soon as it is truthy: now, or after a change of the page.
   * After 30 s it rejects with the text that the page shows.
   */
  until(expression: string): Promise<unknown>;
  /** Clicks with a mouse, in the middle of the element. */
  click(element: string): Promise<void>;
  /** Clicks on an element, writes into it and presses Enter. */
  enter(element: string, text: string): Promise<void>;
  /** Writes into the element that has the focus, as at a keyboard. */
  type(text: string): Promise<void>;
  /** Presses a key with a character, such as `j`, or one of those with a name. */
  press(key: string | NamedKey, modifier?: "Shift"): Promise<void>;
  /** What the system of the person prefers. */
  prefer(theme: "light" | "dark", motion?: "reduce"): Promise<void>;
  /** Gives the page this many CSS pixels, as a phone or a zoom does. */
  resize(width: number, height: number): Promise<void>;
  /** What the page shows now, as PNG. */
  picture(): Promise<Buffer>;
  /** Opens another page of the same profile. */
  openBeside(url: string): Promise<Page>;
  reload(): Promise<void>;
}

type NamedKey = keyof typeof namedKeys;

/** By the numbers that the protocol wants beside their names. */
const namedKeys = { Enter: 13, Tab: 9, Space: 32, Escape: 27 };

/**
 * Starts a Chromium, and speaks its DevTools protocol over two pipes: there is no port that could be taken, and no library
 * that must fit the version of the browser.
 *
 * @param folder where its profile is kept
 * @param extra further flags of its command line
 */
export async function startChromium(
  processes: StartedProcesses,
  executable: Executable,
  folder: string,
  extra: readonly string[] = [],
): Promise<Chromium> {
  const { file } = executable;
  const browser = processes.start(file, [...flags, ...extra, `--user-data-dir=${join(folder, "profile")}`], {
    env: environmentOf(executable, folder),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  });
  let stderr = "";
  browser.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<string>((resolve) => {
    browser.once("error", ({ message }) => resolve(`${file} cannot be started: ${message}`));
    browser.once("close", () => resolve(`${file} has ended.\n${stderr}`.trimEnd()));
  });
  const errors = new Set<string>();
  const { send, next } = protocolOver(browser.stdio[3] as Writable, browser.stdio[4] as Readable, ended, errors);
  const { product } = await send("Browser.getVersion");
  return {
    version: String(product).replace(/^.*\//, ""),
    errors,
    async open(url) {
      const { browserContextId } = await send("Target.createBrowserContext");
      return openIn(browserContextId, url);
    },
    openKept: (url) => openIn(undefined, url),
    async quit() {
      // It may end before it has answered.
      await Promise.race([send("Browser.close").catch(() => {}), ended]);
      await ended;
    },
  };

  async function openIn(browserContextId: string | undefined, url: string): Promise<Page> {
    const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    for (const domain of ["Page", "Runtime", "Log"]) await send(`${domain}.enable`, {}, sessionId);
    // Each page behaves as the one that a person looks at.
    await send("Emulation.setFocusEmulationEnabled", { enabled: true }, sessionId);
    const go = async (method: string, params = {}) => {
      await Promise.all([next("Page.loadEventFired", sessionId), send(method, params, sessionId)]);
    };
    await go("Page.navigate", { url });
    return {
      ...pageOf((method, params) => send(method, params, sessionId)),
      reload: () => go("Page.reload"),
      openBeside: (address) => openIn(browserContextId, address),
    };
  }
}

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--remote-debugging-pipe",
];

// biome-ignore lint/suspicious/noExplicitAny: the protocol has a type for each of its methods, and none here
type Answer = any;
type Send = (method: string, params?: object, sessionId?: string) => Promise<Answer>;

/** Commands with their answers, and events: JSON, each with a NUL after it. */
function protocolOver(output: Writable, input: Readable, ended: Promise<string>, errors: Set<string>) {
  const waiting = new Map<number | string, { resolve(value: Answer): void; reject(error: Error): void }>();
  let lastId = 0;
  let rest = "";
  let end: string | undefined;
  // That the browser has gone is told by its end.
  output.on("error", () => {});
  input.setEncoding("utf8").on("data", (chunk: string) => {
    const texts = `${rest}${chunk}`.split("\0");
    rest = texts.pop() ?? "";
    for (const text of texts) receive(JSON.parse(text));
  });
  ended.then((why) => {
    end = why;
    for (const { reject } of waiting.values()) reject(new Error(why));
  });

  function receive({ id, method, params, sessionId, result, error }: Answer): void {
    const name = id ?? `${method} ${sessionId}`;
    if (error) waiting.get(name)?.reject(new Error(error.message));
    else waiting.get(name)?.resolve(result);
    waiting.delete(name);
    if (method === "Runtime.exceptionThrown") errors.add(errorText(params.exceptionDetails));
    if (method === "Log.entryAdded" && params.entry.source === "security") errors.add(params.entry.text);
  }

  function answerTo(name: number | string): Promise<Answer> {
    if (end !== undefined) return Promise.reject(new Error(end));
    return new Promise((resolve, reject) => waiting.set(name, { resolve, reject }));
  }

  const send: Send = (method, params = {}, sessionId = undefined) => {
    const id = ++lastId;
    const answer = answerTo(id);
    output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer;
  };
  return { send, next: (event: string, sessionId: string) => answerTo(`${event} ${sessionId}`) };
}

function pageOf(send: (method: string, params: object) => Promise<Answer>): Omit<Page, "reload" | "openBeside"> {
  async function evaluate(expression: string): Promise<Answer> {
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(errorText(exceptionDetails));
    return result.value;
  }

  const until = (expression: string) =>
    evaluate(`new Promise((resolve, reject) => {
      const look = () => {
        try {
          const value = ${expression};
          if (value) resolve(value);
          if (value) changes.disconnect();
        } catch (error) {
          reject(error);
        }
      };
      const changes = new MutationObserver(look);
      changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      look();
      setTimeout(() => reject(new Error("the page shows:\\n" + document.body.innerText)), 30_000);
    })`);

  async function click(element: string): Promise<void> {
    for (let tries = 0; tries < 10; tries++) {
      const { x, y } = await evaluate(placeOf(element));
      for (const type of ["mousePressed", "mouseReleased"])
        await send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
      // The page may have moved between the look and the press. A person who missed tries again.
      if (await evaluate("globalThis.wasHit !== false")) return;
    }
    throw new Error(`No click has hit ${element}.`);
  }

  async function press(key: string, modifier?: "Shift"): Promise<void> {
    const code = namedKeys[key as NamedKey];
    const text = key === "Enter" ? "\r" : key === "Space" ? " " : code === undefined ? key : undefined;
    const named = { key: key === "Space" ? " " : key, windowsVirtualKeyCode: code ?? 0, modifiers: modifier ? 8 : 0 };
    await send("Input.dispatchKeyEvent", { type: text === undefined ? "rawKeyDown" : "keyDown", text, ...named });
    await send("Input.dispatchKeyEvent", { type: "keyUp", ...named });
  }

  const type = (text: string) => send("Input.insertText", { text });

  return {
    until,
    click,
    type,
    press,
    async enter(element, text) {
      await click(element);
      await type(text);
      await press("Enter");
    },
    async prefer(theme, motion) {
      const features = [
        { name: "prefers-color-scheme", value: theme },
        { name: "prefers-reduced-motion", value: motion ?? "no-preference" },
      ];
      await send("Emulation.setEmulatedMedia", { features });
    },
    async resize(width, height) {
      await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    },
    async picture() {
      const { data } = await send("Page.captureScreenshot", { format: "png" });
      return Buffer.from(data, "base64");
    },
  };
}

/**
 * The middle of an element once it stays there: what comes onto the screen gets its height only then, and moves the rest. `wasHit` is
 * false from then on until a click hits the element; of a page that the click has left nothing is known.
 */
const placeOf = (element: string) => `(async () => {
  // A tab in the background draws no frames.
  const frame = () => new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });
  let place = {};
  for (let tries = 0; tries < 100; tries++) {
    const element = ${element};
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = element.getBoundingClientRect();
    const before = place;
    place = { x: x + width / 2, y: y + height / 2 };
    globalThis.wasHit = false;
    // The page may have made the element anew since.
    const onClick = ({ target }) => {
      if ((${element})?.contains(target)) globalThis.wasHit = true;
    };
    document.addEventListener("click", onClick, { capture: true, once: true });
    if (before.x === place.x && before.y === place.y && element.contains(document.elementFromPoint(place.x, place.y))) break;
    document.removeEventListener("click", onClick, { capture: true });
    await frame();
  }
  return place;
})()`;

function errorText({ text, exception }: Answer): string {
  return exception?.description ?? text;
}
