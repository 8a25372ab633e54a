import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Outcome } from "@tooling/checks/outcome";
import { outputOf } from "@tooling/checks/output-of";
import { workspaceRoot } from "@tooling/checks/workspace";
import { checkInBrowser } from "./check-in-browser.ts";
import type { Chromium } from "./chromium.ts";
import type { Executable } from "./executable.ts";
import { checkAxes, checkTables } from "./layout-checks.ts";

/**
 * Opens a trace of 10,000 events, with a result of 5 MB and text that looks like markup, from its file, and uses it: search, filter,
 * keys, links and both themes. Measures the tables and the axes of time of another one at several widths.
 *
 * @param folder gets the profile of the browser and the trace
 */
export function checkTracePage(executable: Executable | undefined, folder: string): Promise<Outcome> {
  return checkInBrowser({
    title: "Trace page, Chromium",
    note: "a hostile trace is searched and filtered, with keys and links, in both themes",
    executable,
    folder,
    use: async ({ browser, doing }) => {
      const made = (name: string) => {
        const file = join(folder, `${name}.html`);
        outputOf(process.execPath, [join(workspaceRoot, `apps/cli/test/support/${name}.ts`), file], folder);
        return pathToFileURL(file).href;
      };
      await useTrace(browser, made("hostile-trace"), doing);
      doing.what = "the tables and the times of a trace of slow runs are measured";
      const slow = await browser.open(made("slow-trace"));
      await slow.until(`document.querySelectorAll(".entry.end").length === 7`);
      await slow.until(`[...document.querySelectorAll("details")].map((one) => (one.open = true)).length > 0`);
      await checkTables(slow);
      await checkAxes(slow);
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
  await page.click(`document.querySelector("#theme")`);
}
