import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Chromium, type Page, startChromium } from "@tooling/runtimes/chromium";
import { enginesFolder, installEngines } from "@tooling/runtimes/engines";
import { findChromium } from "@tooling/runtimes/find-chromium";
import { StartedProcesses } from "@tooling/runtimes/started-processes";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { story } from "./browser/story.ts";

const processes = new StartedProcesses();
const home = mkdtempSync(join(tmpdir(), "chat-browser-"));
let browser: Chromium;
let script: string;

beforeAll(async () => {
  installEngines();
  const executable = await findChromium(enginesFolder, join(home, "chromium"));
  if (!executable) throw new Error("There is no Chromium for this platform: name one in CHROMIUM_PATH.");
  browser = await startChromium(processes, executable, home);
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "browser/page.tsx")],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2023",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  script = outputFiles[0]?.text ?? "";
}, 120_000);

afterAll(async () => {
  await processes.end();
  rmSync(home, { recursive: true, force: true });
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(home, "site-"));
  writeFileSync(join(folder, "page.js"), script);
});

async function startSite(port = "0"): Promise<{ url: string; port: string; server: ChildProcess }> {
  const file = join(import.meta.dirname, "browser/site-process.ts");
  const server = processes.start(process.execPath, [file, folder, port], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream });
  const [url] = (await once(lines, "line")) as [string];
  return { url, port: new URL(url).port, server };
}

async function kill(server: ChildProcess): Promise<void> {
  const closed = once(server, "close");
  server.kill("SIGKILL");
  await closed;
}

const input = `document.querySelector("input")`;
const status = `document.querySelector("output")?.textContent`;
const texts = `[...document.querySelectorAll(".assistant .text")].map((one) => one.textContent)`;
const call = `document.querySelector(".call")?.textContent`;

/** Writes what the page shows where somebody wants to look at it. */
async function show(page: Page, name: string): Promise<void> {
  const { PICTURES } = process.env;
  if (PICTURES) writeFileSync(join(PICTURES, `${name}.png`), await page.picture());
}

describe("useChat in Chromium", { timeout: 120_000 }, () => {
  it("approves a call after the page was loaded again in the middle of the approval", async () => {
    const { url } = await startSite();
    const page = await browser.open(`${url}/refunds`);
    await page.until(`${status} === "ready"`);
    await page.enter(input, "refund A1");
    await page.until(`document.querySelector(".call button") && ${status} === "ready"`);
    await page.reload();
    await page.until(`document.querySelector(".call button") && ${status} === "ready"`);
    await show(page, "approval");
    expect(existsSync(join(folder, "refunds.txt"))).toBe(false);
    await page.click(`document.querySelector(".call button")`);
    await page.until(`${texts}.at(-1) === "It is refunded." && ${status} === "ready"`);
    expect(await page.until(call)).toBe('refund {"order":"A1"}: output-available "refunded A1"');
    expect(readFileSync(join(folder, "refunds.txt"), "utf8")).toBe("A1\n");
    const shown = await page.until(`document.querySelector("main").innerText`);
    await page.reload();
    expect(await page.until(`${texts}.length === 2 && document.querySelector("main").innerText`)).toBe(shown);
    await show(page, "approved");
    expect([...browser.errors]).toEqual([]);
  });

  it("approves a call after the server was killed while the person thought", async () => {
    const first = await startSite();
    const page = await browser.open(`${first.url}/refunds`);
    await page.until(`${status} === "ready"`);
    await page.enter(input, "refund A1");
    await page.until(`document.querySelector(".call button") && ${status} === "ready"`);
    await kill(first.server);
    await startSite(first.port);
    await page.click(`document.querySelector(".call button")`);
    await page.until(`${texts}.at(-1) === "It is refunded." && ${status} === "ready"`);
    expect(readFileSync(join(folder, "refunds.txt"), "utf8")).toBe("A1\n");
  });

  it("resumes to the whole text after kill -9 of the server in the middle of it", async () => {
    const first = await startSite();
    const page = await browser.open(`${first.url}/story`);
    await page.until(`${status} === "ready"`);
    await page.enter(input, "tell a story");
    await page.until(`${texts}[0]?.includes("word20 ") && ${status} === "streaming"`);
    await kill(first.server);
    await page.until(`${status} === "error"`);
    await show(page, "killed");
    const second = await startSite(first.port);
    await page.until(`${texts}[0]?.includes("word${story.length}") && ${status} === "ready"`);
    expect(await page.until(texts)).toEqual([story.join("")]);
    await page.reload();
    await page.until(`${status} === "ready"`);
    expect(await page.until(texts)).toEqual([story.join("")]);
    await show(page, "resumed");
    await kill(second.server);
  });

  it("resumes in the middle of a text after a reload, and in a second page", async () => {
    const { url } = await startSite();
    const page = await browser.open(`${url}/story`);
    await page.until(`${status} === "ready"`);
    await page.enter(input, "tell a story");
    await page.until(`${texts}[0]?.includes("word20 ")`);
    await page.reload();
    const second = await page.openBeside(`${url}/story`);
    await page.until(`${texts}[0]?.includes("word40 ") && ${status} === "streaming"`);
    for (const one of [page, second]) {
      await one.until(`${texts}[0]?.includes("word${story.length}") && ${status} === "ready"`);
      expect(await one.until(texts)).toEqual([story.join("")]);
    }
  });
});
