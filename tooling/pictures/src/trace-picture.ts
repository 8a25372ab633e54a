import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startChromium } from "@tooling/runtimes/chromium";
import { enginesFolder, installEngines } from "@tooling/runtimes/engines";
import { findChromium } from "@tooling/runtimes/find-chromium";
import { StartedProcesses } from "@tooling/runtimes/started-processes";
import { type ChatRun, command } from "./chat-terminal.ts";

/**
 * The trace of a chat as a page in Chromium: a PNG of its first 1280 × 960 pixels.
 *
 * @param folder gets the page and the profile of the browser
 * @throws Error if there is no Chromium for this platform
 */
export async function tracePicture({ project, env }: ChatRun, folder: string): Promise<Buffer> {
  mkdirSync(folder, { recursive: true });
  const html = join(folder, "trace.html");
  execFileSync(process.execPath, [command, "trace", "greeter", "--html", html], { cwd: project, env });
  installEngines();
  const executable = await findChromium(enginesFolder, join(folder, "chromium"));
  if (!executable) throw new Error("There is no Chromium for this platform: name one in CHROMIUM_PATH.");
  const processes = new StartedProcesses();
  try {
    const browser = await startChromium(processes, executable, folder, ["--hide-scrollbars"]);
    const page = await browser.open(pathToFileURL(html).href);
    await page.resize(1280, 960);
    await page.prefer("light");
    await page.until(`document.querySelector(".entry.call")`);
    return await page.picture();
  } finally {
    await processes.end();
  }
}
