import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Outcome } from "@tooling/checks/outcome";
import { workspaceRoot } from "@tooling/checks/workspace";
import { checkInBrowser } from "./check-in-browser.ts";
import type { Chromium } from "./chromium.ts";
import type { Executable } from "./executable.ts";
import type { StartedProcesses } from "./started-processes.ts";

/**
 * Uses the page of the app in a browser. A trace of 10,000 events, with a result of 5 MB and text that looks like markup, opened from
 * its file: search, filter, keys, links, both themes. And the live page over a fake of its server: a
 * message is sent, a question is answered, and a page that reloads or comes late shows the same.
 *
 * @param folder gets the profile of the browser and the trace
 */
export function checkAppPage(executable: Executable | undefined, folder: string): Promise<Outcome> {
  return checkInBrowser({
    title: "Pages of the app, Chromium",
    note: "a hostile trace is searched and filtered; a question is answered live, and shown after a reload",
    executable,
    folder,
    use: async ({ browser, processes, doing }) => {
      doing.what = "the fake server starts";
      const address = await startFake(processes, folder);
      await useTrace(browser, pathToFileURL(join(folder, "trace.html")).href, doing);
      await useLive(browser, address, doing);
    },
  });
}

const button = (name: string) =>
  `[...document.querySelectorAll("button")].find((one) => one.textContent === ${JSON.stringify(name)} && one.checkVisibility())`;
const focused = `document.activeElement.id`;
const log = `document.querySelector(".blocks")`;

async function useTrace(browser: Chromium, url: string, doing: { what: string }): Promise<void> {
  doing.what = "a trace is opened";
  const page = await browser.open(url);
  await page.until(`document.querySelectorAll(".entry.call").length === 2501`);
  doing.what = "markup in the log is text";
  await page.until(`document.title.includes("</script><!--") && ${log}.textContent.includes("<img src=x")`);
  await page.until(`!${log}.querySelector("img, script, a[href^=javascript]") && ${log}.querySelector("strong")`);
  doing.what = "a person goes through the entries with the keys";
  await page.press("j");
  await page.until(`${focused} === "e1"`);
  await page.press("j");
  await page.press("j");
  await page.press("j");
  await page.until(`${focused} === "e4"`);
  await page.press("o");
  doing.what = "a large result is open";
  await page.until(`document.querySelector("#e4 pre").textContent.length < 10000`);
  doing.what = "a person searches";
  await page.press("/");
  await page.enter(`document.querySelector("#search")`, "folder-2499");
  await page.until(`document.querySelector("#found").value === "1 of 1"`);
  await page.until(`document.querySelector(".shown summary").textContent.includes("folder-2499")`);
  doing.what = "a person looks at the problems only";
  await page.click(button("Problems"));
  await page.until(
    `document.querySelector(".error").checkVisibility() && !document.querySelector("#e4").checkVisibility()`,
  );
  doing.what = "a link leads to an event";
  await page.until(`(location.hash = "#e4", true)`);
  await page.until(`document.querySelector("#e4.shown")?.checkVisibility()`);
  doing.what = "a person changes the theme";
  const ground = `getComputedStyle(document.body).backgroundColor`;
  await page.prefer("dark");
  const dark = await page.until(ground);
  await page.prefer("light");
  const light = await page.until(ground);
  if (dark === light) throw new Error("both themes have the same ground");
  await page.click(`document.querySelector("#theme")`);
  await page.click(`document.querySelector("#theme")`);
  await page.until(`${ground} === ${JSON.stringify(dark)}`);
}

async function useLive(browser: Chromium, address: string, doing: { what: string }): Promise<void> {
  doing.what = "the live page is opened";
  const page = await browser.open(address);
  await page.until(`document.querySelector("#status")?.textContent.startsWith("A new conversation")`);
  doing.what = "a person sends a message";
  await page.enter(`document.querySelector("#words")`, "do <b>it</b>");
  await page.until(`document.querySelector(".entry.user p")?.textContent === "do <b>it</b>"`);
  await page.until(`!document.querySelector(".outbox li")`);
  doing.what = "a person reads all of what will run";
  await page.until(`${button("Allow")} && ${log}.textContent.includes("echo one\\\\u202e")`);
  await page.until(`document.querySelector(".end-of-call").scrollIntoView() ?? true`);
  await page.until(`!${button("Allow")}.disabled`);
  doing.what = "the page reloads in the middle of a question";
  await page.reload();
  await page.until(`${button("Allow")}`);
  await page.until(`document.querySelector(".end-of-call").scrollIntoView() ?? true`);
  await page.until(`!${button("Allow")}.disabled`);
  doing.what = "a person allows the call";
  await page.click(button("Allow"));
  const after = await page.until(`document.querySelector(".entry.end") && ${log}.textContent`);
  await page.until(`document.querySelector("#status").textContent === "Ready."`);
  doing.what = "the page reloads after the answer";
  await page.reload();
  await page.until(`${log}?.textContent === ${JSON.stringify(after)}`);
  doing.what = "a person forks";
  await page.click(button("Fork after this"));
  await page.until(`location.hash === "#fork" && document.querySelector(".entry.end")`);
}

async function startFake(processes: StartedProcesses, folder: string): Promise<string> {
  const fake = join(workspaceRoot, "apps/cli/test/support/fake-open.ts");
  const server = processes.start(process.execPath, [fake, folder], { stdio: ["ignore", "pipe", "inherit"] });
  if (!server.stdout) throw new Error("The fake server has no output.");
  const [chunk] = await once(server.stdout, "data");
  return String(chunk).trim();
}
