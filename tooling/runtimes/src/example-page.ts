import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Outcome } from "@tooling/checks/outcome";
import { checkWithAxe } from "./axe.ts";
import { checkInBrowser } from "./check-in-browser.ts";
import type { Chromium } from "./chromium.ts";
import type { Executable } from "./executable.ts";
import { type ExamplePage, startExamplePage } from "./start-example-page.ts";

/**
 * Uses `apps/example-page` in a browser: pages that reload in the middle of a question or of a sentence, that come late, and whose server
 * was killed show the same, letter by letter; everything can be done with the keys; and axe-core finds nothing wrong.
 *
 * @param folder gets the profile of the browser and what the server keeps
 */
export function checkExamplePage(executable: Executable | undefined, folder: string): Promise<Outcome> {
  return checkInBrowser({
    title: "Example page, Chromium",
    note: "letters, reloads, a late page and a kill of the server show the same; keys, axe",
    executable,
    folder,
    use: ({ browser, processes, doing }) => {
      const notes = join(folder, "data/notes");
      mkdirSync(notes, { recursive: true });
      writeFileSync(join(notes, "long.txt"), "milk and honey\n".repeat(35));
      return useThePage(browser, folder, (port) => startExamplePage(processes, join(folder, "data"), port), doing);
    },
  });
}

const button = (name: string) =>
  `[...document.querySelectorAll("button")].find((one) => one.textContent === "${name}" && one.checkVisibility())`;
const words = `document.querySelector("textarea")`;
const reason = `document.querySelector(".question input")`;
/** The screen as a text. */
const screen = `[...document.querySelectorAll(".parts > *")].map((one) => one.textContent).join("\\n")`;
const has = (text: string) => `${screen}.includes(${JSON.stringify(text)})`;
/** The screen, once there is a question to answer. */
const asked = `${button("Allow")} && ${screen}`;
const isOver = `!${button("Stop")} && !${button("Allow")}`;
/** The screen, once it has this text and nothing goes on. */
const ended = (text: string) => `${isOver} && ${has(text)} && ${screen}`;
/** The long answer that is being written, once it has so many characters. */
const writing = (length: number) =>
  `${button("Stop")} && ${answer}?.startsWith("long.txt") && ${answer}.length > ${length} && ${answer}`;
/** What both have said; a fork has no questions. */
const said = `[...document.querySelectorAll(".user, .markdown")].map((one) => one.textContent).join("\\n")`;
/** What was written since the person has spoken. */
const answer = `[...document.querySelectorAll(".user:nth-last-child(1 of .user) ~ .markdown")].at(-1)?.textContent`;
const hasFocus = `document.activeElement === ${words}`;

async function useThePage(
  browser: Chromium,
  folder: string,
  start: (port: number | string) => Promise<ExamplePage>,
  doing: { what: string },
): Promise<void> {
  const note = () => readFile(join(folder, "data/notes/list.txt"), "utf8").catch(() => "");

  doing.what = "a page asks for a note, and shows the arguments while they are written";
  const server = await start(0);
  const page = await browser.open(`${server.url}/#a`);
  await page.until(has("Try:"));
  await checkWithAxe(page);
  await page.enter(words, 'write "<b>milk</b>" to list.txt');
  await page.until(`document.querySelector('.call[data-state="writing"] pre')?.textContent.startsWith("<b>")`);
  const before = await page.until(asked);
  equal(await page.until(`${has("<b>milk</b>")} && !document.querySelector("b")`), true);
  equal(await note(), "");
  await checkWithAxe(page);

  doing.what = "it reloads in the middle of the question";
  await page.reload();
  equal(await page.until(asked), before);

  doing.what = "another page comes late, and allows with the keys";
  const late = await browser.open(`${server.url}/#a`);
  equal(await late.until(asked), before);
  await late.until(hasFocus);
  for (let steps = 0; steps < 3; steps++) await late.press("Tab", "Shift");
  equal(await late.until(`document.activeElement.textContent`), "Allow");
  await late.press("Enter");
  await late.until(hasFocus);
  const after = await page.until(ended("has a new line"));
  equal(await note(), "<b>milk</b>\n");
  equal(await late.until(ended("has a new line")), after);

  doing.what = "it reloads in the middle of a sentence";
  await page.enter(words, "read long.txt");
  const early = String(await page.until(writing(20)));
  const meanwhile = String(await late.until(writing(early.length)));
  equal(meanwhile.slice(0, early.length), early);
  await page.reload();
  const again = String(await page.until(writing(early.length)));
  equal(again.slice(0, early.length), early);
  const whole = `${isOver} && ${answer}.length > 490 && ${screen}`;
  equal(await late.until(whole), await page.until(whole));
  await checkWithAxe(page);

  doing.what = "Escape stops a turn";
  await page.enter(words, "read long.txt");
  await page.until(writing(10));
  await page.press("Escape");
  await page.until(ended("Stopped"));

  doing.what = "the server is killed between a question and its answer";
  await page.enter(words, 'write "eggs" to list.txt');
  const second = await page.until(asked);
  await server.kill();
  await page.until(`document.body.textContent.includes("No connection")`);
  await page.enter(words, "list the files");
  await page.until(has("Sending …"));
  const heir = await start(new URL(server.url).port);
  await page.until(`!${has("Sending …")}`);
  equal(String(await page.until(asked)).startsWith(String(second)), true);
  equal(await note(), "<b>milk</b>\n");
  await page.click(button("Allow"));
  await page.until(ended("long.txt"));
  equal(await note(), "<b>milk</b>\neggs\n");

  doing.what = "a person refuses, with Enter after the reason";
  await page.enter(words, 'write "rum" to list.txt');
  await page.until(asked);
  await page.enter(reason, "no more");
  await page.until(ended("denied: no more"));
  await page.until(hasFocus);
  equal(await note(), "<b>milk</b>\neggs\n");

  doing.what = "the server refuses a message, which is tried again";
  await page.until(`(globalThis.real = fetch, globalThis.fetch = async (url, init) => init?.method === "POST"
    ? Response.json({ code: "forbidden", message: "Not now." }, { status: 403 }) : real(url, init), true)`);
  await page.enter(words, "list the files again");
  await page.until(`${has("Not sent. Not now.")} && ${button("Try again")} && true`);
  await checkWithAxe(page);
  await page.until("(globalThis.fetch = real, true)");
  await page.click(button("Try again"));
  const last = await page.until(`!${has("Not sent")} && ${isOver} && ${answer}?.includes("2 files") && ${said}`);

  doing.what = "it forks";
  await page.click(button("Fork"));
  await page.until(`location.hash !== "#a" && document.querySelectorAll("nav a").length === 2`);
  equal(await page.until(`${has("list the files again")} && ${said}`), last);

  doing.what = "the server stops";
  await heir.stop();
}

function equal(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`found ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
