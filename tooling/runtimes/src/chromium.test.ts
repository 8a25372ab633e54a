import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { startChromium } from "./chromium.ts";
import { StartedProcesses } from "./started-processes.ts";

const folder = mkdtempSync(join(tmpdir(), "chromium-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a browser over two pipes", () => {
  it("tells its version, opens a page when that has loaded, and evaluates in it", async () => {
    const { version, open } = await start("");
    expect(version).toBe("1.2.3.4");
    const page = await open("http://127.0.0.1/");
    expect(await page.until("6 * 7")).toBe("evaluated in session-1");
  });

  it("keeps the errors of its pages, each once", async () => {
    const { open, errors } = await start(`
      if (method === "Log.enable") {
        const thrown = { exceptionDetails: { text: "Uncaught", exception: { description: "Error: oops" } } };
        for (let i = 0; i < 2; i++) say({ method: "Runtime.exceptionThrown", params: thrown, sessionId });
        say({ method: "Log.entryAdded", params: { entry: { source: "security", text: "refused" } }, sessionId });
        say({ method: "Log.entryAdded", params: { entry: { source: "network", text: "offline" } }, sessionId });
      }`);
    await open("http://127.0.0.1/");
    expect([...errors]).toEqual(["Error: oops", "refused"]);
  });

  it("rejects with the error of an expression, and with that of a command", async () => {
    const { open } = await start(`
      if (method === "Runtime.evaluate") return say({ id, result: { exceptionDetails: { text: "no such element" } } });
      if (method === "Page.reload") return say({ id, error: { message: "no page" } });`);
    const page = await open("http://127.0.0.1/");
    await expect(page.until("1")).rejects.toThrow("no such element");
    await expect(page.reload()).rejects.toThrow("no page");
  });

  it("rejects what waits, and what is asked later, with the output of a browser that has ended", async () => {
    const { open } = await start(`
      if (method === "Page.navigate") {
        console.error("out of memory");
        process.exit(3);
      }`);
    await expect(open("http://127.0.0.1/")).rejects.toThrow(/has ended\.\n.*out of memory/s);
    await expect(open("http://127.0.0.1/")).rejects.toThrow("out of memory");
  });

  it("rejects when it cannot be started", async () => {
    const executable = { file: join(folder, "gone"), env: {} };
    await expect(startChromium(new StartedProcesses(), executable, folder)).rejects.toThrow(
      /gone cannot be started: .*ENOENT/,
    );
  });
});

describe("the processes of a check", () => {
  it("are gone at the end, and none is started after it", async () => {
    const processes = new StartedProcesses();
    const child = processes.start(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    await processes.end();
    expect(child.signalCode).toBe("SIGKILL");
    expect(() => processes.start(process.execPath, [], {})).toThrow("after the end");
  });
});

/** Starts a program that replaces the browser. It runs `first` for each command, and then answers it. */
async function start(first: string) {
  const file = join(mkdtempSync(join(folder, "browser-")), "browser.mjs");
  writeFileSync(
    file,
    `#!/usr/bin/env node
    import { Socket } from "node:net";
    const output = new Socket({ fd: 4 });
    const say = (value) => output.write(JSON.stringify(value) + "\\0");
    const results = {
      "Browser.getVersion": { product: "HeadlessChrome/1.2.3.4" },
      "Target.createBrowserContext": { browserContextId: "context-1" },
      "Target.createTarget": { targetId: "target-1" },
      "Target.attachToTarget": { sessionId: "session-1" },
    };
    let rest = "";
    for await (const chunk of new Socket({ fd: 3 }).setEncoding("utf8")) {
      const texts = (rest + chunk).split("\\0");
      rest = texts.pop();
      for (const text of texts) answer(JSON.parse(text));
    }
    function answer({ id, method, sessionId }) {
      ${first}
      const value = "evaluated in " + sessionId;
      say({ id, result: method === "Runtime.evaluate" ? { result: { value } } : (results[method] ?? {}) });
      if (method === "Page.navigate") say({ method: "Page.loadEventFired", params: {}, sessionId });
    }`,
    { mode: 0o755 },
  );
  const processes = new StartedProcesses();
  onTestFinished(() => processes.end());
  return startChromium(processes, { file, env: {} }, folder);
}
