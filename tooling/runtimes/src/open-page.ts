import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { text } from "node:stream/consumers";
import { endTree } from "@tooling/checks/process-tree";
import { type Executable, environmentOf } from "./executable.ts";
import { type Report, readReport } from "./report.ts";

export interface OpenPageOptions {
  /** Milliseconds until the browser is killed; it is also killed after the report. Defaults to 60,000. */
  limit?: number;
  /** The name of this machine in the address of the page, such as `page.localhost`. Defaults to `127.0.0.1`. */
  host?: string;
}

/**
 * Serves a folder on loopback, opens one of its pages in a headless Chromium and reads the report that the page posts.
 */
export async function openPage(
  executable: Executable,
  page: string,
  site: string,
  { limit = 60_000, host = "127.0.0.1" }: OpenPageOptions = {},
): Promise<Report> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      resolve(await text(request));
      response.end();
      return;
    }
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const type = contentTypes[extname(path)];
    const body = type && (await readFile(join(site, path)).catch(() => undefined));
    if (!body) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": type }).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  const { port } = server.address() as AddressInfo;
  const { file } = executable;
  const args = [...flags, `--user-data-dir=${join(site, page)}.profile`, `http://${host}:${port}/${page}`];
  const browser = spawn(file, args, { env: environmentOf(executable, site), stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  browser.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const fail = (problem: string) => reject(new Error(`${file} ${problem}\n${stderr}`.trimEnd()));
  browser.once("error", ({ message }) => fail(`cannot be started: ${message}`));
  browser.once("close", (code, signal) => fail(`ended with ${signal ?? `exit code ${code}`} before it sent a report.`));
  const timer = setTimeout(() => fail(`sent no report within ${limit / 1000} s.`), limit);
  try {
    return readReport(await promise);
  } finally {
    clearTimeout(timer);
    await end(browser);
    server.closeAllConnections();
    server.close();
  }
}

const contentTypes: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

async function end(browser: ChildProcess): Promise<void> {
  if (browser.pid === undefined || browser.exitCode !== null || browser.signalCode !== null) return;
  endTree(browser.pid);
  await once(browser, "exit");
}
