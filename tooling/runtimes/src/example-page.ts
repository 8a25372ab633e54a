import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Outcome } from "@tooling/checks/outcome";
import { checkInBrowser } from "./check-in-browser.ts";
import type { Chromium, Page } from "./chromium.ts";
import type { Executable } from "./executable.ts";
import { settled } from "./settled.ts";
import { type ExamplePage, startExamplePage } from "./start-example-page.ts";

/**
 * Uses `apps/example-page` in a browser: a page that reloads in the middle of a question, one that comes late and one whose server
 * was started again show the same parts, and a click there answers the question.
 *
 * @param folder gets the profile of the browser and what the server keeps
 */
export function checkExamplePage(executable: Executable | undefined, folder: string): Promise<Outcome> {
  return checkInBrowser({
    title: "Example page, Chromium",
    note: "a question is answered after a reload, by a late page and after a restart of the server",
    executable,
    folder,
    use: ({ browser, processes, doing }) =>
      useThePage(browser, folder, (port) => startExamplePage(processes, join(folder, "data"), port), doing),
  });
}

const button = (name: string) =>
  `[...document.querySelectorAll("button")].find((one) => one.textContent === "${name}" && one.checkVisibility())`;
const words = `document.querySelector("#words")`;
const reason = `document.querySelector(".question input")`;
const status = `document.querySelector("#status")?.textContent`;
const ends = `document.querySelectorAll(".entry.end").length`;
/** The entries as texts, without the time that goes by. */
const entries = `[...document.querySelectorAll(".entry")].map((one) => one.id + one.querySelector("pre, p")?.textContent).join()`;
/** The entries, once there is a question to answer. */
const asked = `${button("Allow")} && ${entries}`;
/** The entries, once so many turns are over and no question is open. */
const ended = (turns: number) => `${ends} === ${turns} && !${button("Allow")} && ${entries}`;

async function useThePage(
  browser: Chromium,
  folder: string,
  start: (port: number | string) => Promise<ExamplePage>,
  doing: { what: string },
): Promise<void> {
  const note = () => readFile(join(folder, "data/notes/list.txt"), "utf8").catch(() => "");

  doing.what = "a page asks for a note";
  const server = await start(0);
  const page = await browser.open(server.url);
  await settled(page, `${status}?.startsWith("A new conversation")`);
  await page.enter(words, 'write "<b>milk</b>" to list.txt');
  const before = await page.until(asked);
  equal(await page.until(`document.body.textContent.includes("<b>milk</b>") && !document.querySelector("b")`), true);
  equal(await note(), "");

  doing.what = "it reloads in the middle of the question";
  await page.reload();
  equal(await page.until(asked), before);

  doing.what = "another page comes late";
  const address = String(await page.until("location.href"));
  const late = await browser.open(address);
  equal(await late.until(asked), before);

  doing.what = "the page that has reloaded allows the call";
  await allow(page);
  const after = await page.until(ended(1));
  equal(await note(), "<b>milk</b>\n");
  equal(await late.until(ended(1)), after);

  doing.what = "the server is started again between a question and its answer";
  await page.enter(words, 'write "eggs" to list.txt');
  const second = await page.until(asked);
  await server.stop();
  await page.until(`/Connecting|lost/.test(${status})`);
  const heir = await start(new URL(server.url).port);
  await page.until(`!/Connecting|lost/.test(${status})`);
  equal(await page.until(asked), second);
  equal(await (await browser.open(address)).until(asked), second);
  equal(await note(), "<b>milk</b>\n");
  await allow(page);
  await page.until(ended(2));
  equal(await note(), "<b>milk</b>\neggs\n");

  doing.what = "a person refuses, with Enter after the reason";
  await page.enter(words, 'write "rum" to list.txt');
  await page.until(asked);
  await page.enter(reason, "no more");
  await page.until(ended(3));
  await page.until(`document.body.textContent.includes("Denied: no more")`);
  equal(await note(), "<b>milk</b>\neggs\n");

  doing.what = "the server stops";
  await heir.stop();
}

/** "Allow" can be pressed once the end of what will run was on the screen. */
async function allow(page: Page): Promise<void> {
  await page.until(
    `${button("Allow")} && (document.querySelector(".end-of-call").scrollIntoView({ block: "center" }), true)`,
  );
  await page.until(`!${button("Allow")}.disabled`);
  await page.click(button("Allow"));
}

function equal(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`found ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
