import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Outcome } from "@tooling/checks/outcome";
import { outputOf } from "@tooling/checks/output-of";
import { workspaceRoot } from "@tooling/checks/workspace";
import { auditPage } from "./audit-page.ts";
import { checkInBrowser } from "./check-in-browser.ts";
import type { Page } from "./chromium.ts";
import type { Executable } from "./executable.ts";
import { checkAxes, checkTables } from "./layout-checks.ts";
import { settled } from "./settled.ts";
import { startOpen } from "./start-open.ts";
import type { StartedProcesses } from "./started-processes.ts";

/**
 * Talks to agents on the page of `cogency open`, over its real server, a store in a file and other processes that write to it: with
 * the keyboard alone, in two tabs, over reloads, kills and a server that is started again.
 *
 * @param folder gets the profile of the browser, the project and the store
 */
export function checkLivePage(executable: Executable | undefined, folder: string): Promise<Outcome> {
  return checkInBrowser({
    title: "Live page, Chromium",
    note: "letters, questions, steering, queueing, cancelling, forking, notices, a command, a plan, an agent, two tabs, reloads, a killed run and a killed server",
    executable,
    folder,
    limit: 240_000,
    use: async ({ browser, processes, doing }) => {
      const open = await startOpen(processes, folder, model);
      const page = await browser.open(open.link);
      await usePage({ page, folder, processes, doing });
      await takeOver({ page, folder, processes, doing });
      await followLetters({ page, folder, processes, doing });
      await hearNotices({ page, folder, processes, doing });
      await planAndDelegate({ page, folder, processes, doing });
      await open.stop();
      doing.what = "cogency open has ended";
      await page.until(`document.querySelector("[role=alert]")?.textContent.includes("cogency open")`);
      const restarted = () => startServer(processes, folder, 0);
      doing.what = "a page follows a server";
      const first = await restarted();
      const other = await browser.open(first.url);
      await answerBySchema({ page: other, folder, processes, doing });
      await restartServer({ page: other, folder, processes, doing }, first);
    },
  });
}

interface Surroundings {
  page: Page;
  folder: string;
  processes: StartedProcesses;
  doing: { what: string };
}

const models = join(workspaceRoot, "apps/cli/test/support/page-model.ts");
const model = ["--provider", models, "--access", "project", "--sandbox", "off"];

const button = (name: string) =>
  `[...document.querySelectorAll("button")].find((one) => one.textContent === ${JSON.stringify(name)} && one.checkVisibility())`;
const log = `document.querySelector(".blocks")`;
const words = `document.querySelector("#words")`;
const status = `document.querySelector("#status").textContent`;
const outbox = `[...document.querySelectorAll(".outbox .words")].map((one) => one.textContent).join(" | ")`;
/** The call that runs, with its seconds. */
const running = `[...document.querySelectorAll(".call")].filter((one) => one.querySelector(".progress")).map((one) => ({ time: one.querySelector(".time").textContent }))[0]`;
const ends = `document.querySelectorAll(".entry.end").length`;
const isReady = (turns: number) => `${ends} === ${turns} && ${status} === "Ready."`;

async function usePage({ page, folder, doing }: Surroundings): Promise<void> {
  const written = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");

  doing.what = "a person writes, reads and allows with the keyboard alone";
  await settled(page, `document.querySelector("#status")?.textContent.startsWith("A new conversation")`);
  await page.until(`document.activeElement === ${words}`);
  await page.type("write one.txt <b>1</b>");
  await page.press("Enter");
  await page.until(`document.querySelector(".entry.user p")?.textContent === "write one.txt <b>1</b>"`);
  await readToEnd(page);
  equal(written("one.txt"), "");
  await tabTo(page, `document.activeElement.textContent === "Allow"`, "Shift");
  await page.press("Space");
  await page.until(isReady(1));
  equal(written("one.txt"), "<b>1</b>");
  equal(await page.until(`${outbox} === "" && !${log}.querySelector("b") && "text"`), "text");

  doing.what = "a person refuses with a reason, and Enter after it is no yes";
  await page.enter(words, "write two.txt 2");
  await page.until(button("Deny"));
  await page.enter(`document.querySelector(".question input")`, "not today");
  await page.until(isReady(2));
  await page.until(`${log}.textContent.includes("Denied: the user said no: not today")`);
  equal(written("two.txt"), "");

  doing.what = "a question tells what a script does, and a rule that a person chooses is kept for the next call";
  const script = "shell echo kept | tee kept.txt";
  await page.enter(words, script);
  const always = `document.querySelector('button[aria-label^="Always: "]')`;
  await page.until(always);
  equal(await page.until(`document.querySelector(".facts").textContent`), "runsecho kepttee kept.txt");
  equal(
    await page.until(`${always}.closest("li").textContent`),
    "AlwaysYes, and from now on without a question: shell:echo kept, shell:tee kept.txta rule in ~/.config/cogency/rules.json",
  );
  await page.until(
    `!${always}.disabled || (document.querySelector(".end-of-call").scrollIntoView({ block: "center" }), false)`,
  );
  equal(written("kept.txt"), "");
  await page.click(always);
  await page.until(isReady(3));
  equal(written("kept.txt"), "kept\n");
  // The rule does not take the place of the answer.
  equal(await page.until(`${log}.textContent.includes("A message (") ? "refused" : "taken"`), "taken");
  rmSync(join(folder, "kept.txt"));
  await page.enter(words, script);
  await page.until(isReady(4));
  equal(written("kept.txt"), "kept\n");

  doing.what = "a second tab shows the same, and what it answers is answered in the first one";
  const address = String(await page.until("location.href"));
  const second = await page.openBeside(address);
  await second.until(isReady(4));
  await page.enter(words, "write three.txt 3");
  await page.until(button("Allow"));
  await allow(second);
  await page.until(isReady(5));
  equal(await page.until(`${button("Allow")} ? "asked" : "answered"`), "answered");
  equal(written("three.txt"), "3");

  doing.what = "a person steers and queues while a command runs, and both wait over a reload and in the other tab";
  await page.enter(words, "wait for go.txt");
  await allow(page);
  await page.until(`${button("Send now")} && ${status} === "A run goes on."`);
  await page.until(`document.querySelector(".progress")?.textContent === "waiting for go.txt"`);
  const { time: first } = (await page.until(running)) as { time: string };
  await page.until(`${running}?.time !== ${JSON.stringify(first)} && /^\\d+ s$/.test(${running}.time)`);
  await page.enter(words, "turn left");
  await page.until(`${outbox} === "turn left"`);
  await page.click(words);
  await page.type("then rest");
  await page.click(button("Send after this turn"));
  await page.until(`${outbox} === "turn left | then rest"`);
  await page.reload();
  await page.until(`document.querySelector(".outbox") && ${outbox} === "turn left | then rest"`);
  await second.until(`${outbox} === "turn left | then rest"`);
  writeFileSync(join(folder, "go.txt"), "");
  await page.until(`${isReady(7)} && ${outbox} === ""`);
  await second.until(`${isReady(7)} && ${outbox} === ""`);
  const said = `[...document.querySelectorAll(".entry.user .words")].map((one) => one.textContent).slice(-3).join(" | ")`;
  equal(await page.until(said), "wait for go.txt | turn left | then rest");
  equal(await page.until(`${log}.textContent`), await second.until(`${log}.textContent`));

  doing.what = "a person cancels a command that runs";
  await page.enter(words, "wait for never.txt");
  await allow(page);
  await page.until(`${button("Cancel the run")} && ${status} === "A run goes on."`);
  await page.click(button("Cancel the run"));
  await page.until(`${isReady(8)} && ${log}.textContent.includes("The run was cancelled")`);

  doing.what = "a table scrolls before it breaks a word";
  await page.enter(words, "table");
  await page.until(isReady(9));
  await second.until(isReady(9));
  await checkTables(second);

  doing.what = "a person forks before a message, and changes it";
  const before = await page.until("location.hash");
  await page.click(
    `[...document.querySelectorAll("button")].filter((one) => one.textContent === "Fork before this")[1]`,
  );
  await page.until(`location.hash !== "${before}" && ${isReady(1)} && ${words}.value === "write two.txt 2"`);
  await page.press("Enter");
  await readToEnd(page);

  doing.what = "the page is measured with a question on it";
  await auditPage(page);
  await tabThrough(page);
  await allow(page);
  await page.until(isReady(2));
  equal(written("two.txt"), "2");

  doing.what = "the trace of what was said is measured";
  const html = join(folder, "trace.html");
  const output = outputOf(
    process.execPath,
    [command, "trace", decodeURIComponent(String(before).slice(1)), "--html", html, "--store", storeIn(folder)],
    folder,
  );
  equal(output, "");
  const trace = await page.openBeside(pathToFileURL(html).href);
  await trace.until(`document.querySelectorAll(".entry.end").length === 9`);
  await trace.until(`[...document.querySelectorAll("details")].map((one) => (one.open = true)).length > 0`);
  await checkTables(trace);
  await checkAxes(trace);
  await auditPage(trace);
  await tabThrough(trace);
}

/** A run of another process is killed while a command runs; the process of the page goes on with it. */
async function takeOver({ page, folder, processes, doing }: Surroundings): Promise<void> {
  doing.what = "a page follows a run of another process";
  const args = ["run", "wait for later.txt", "--conversation", "killed", "--allow", "shell", ...model];
  const run = processes.start(process.execPath, [command, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["pipe", "ignore", "ignore"],
  });
  run.stdin?.end();
  const closed = once(run, "close");
  await page.until(`[...document.querySelectorAll("nav a")].find((one) => one.hash === "#killed")`);
  await page.click(`[...document.querySelectorAll("nav a")].find((one) => one.hash === "#killed")`);
  await page.until(`document.querySelector(".entry.call") && ${status} === "A run goes on."`);
  doing.what = "that process is killed, and the page goes on";
  run.kill("SIGKILL");
  await closed;
  await page.enter(words, "what now");
  await page.until(`${isReady(1)} && ${outbox} === ""`);
  await page.until(`${log}.textContent.includes("what now")`);
}

/** A run of another process writes, and is killed before any of that is stored; the process of the page goes on with it. */
async function followLetters({ page, folder, processes, doing }: Surroundings): Promise<void> {
  doing.what = "a page shows what a run of another process writes";
  const args = ["run", "recite until there is told.txt", "--conversation", "letters", ...model];
  const run = processes.start(process.execPath, [command, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const closed = once(run, "close");
  const link = `[...document.querySelectorAll("nav a")].find((one) => one.hash === "#letters")`;
  await page.until(link);
  await page.click(link);
  const written = `document.querySelector(".open .text .markdown")`;
  const isWhole = `${written}?.textContent.endsWith("The end.")`;
  await page.until(isWhole);
  const grown = await page.until(`${written}.innerHTML`);
  doing.what = "a page that is opened in the middle of a unit shows it from its beginning";
  const second = await page.openBeside(String(await page.until("location.href")));
  await second.until(isWhole);
  equal(await second.until(`${written}.innerHTML`), grown);
  equal(await page.until(`document.querySelector(".entry.text:not(.open *)") ? "stored" : "open"`), "open");
  doing.what = "a screen reader is not told each letter";
  equal(
    await page.until(
      `document.querySelector(".open").closest("[aria-live], [role=log], [role=status]") ? "yes" : "no"`,
    ),
    "no",
  );
  await auditPage(page);
  doing.what = "that process is killed, and what was open gives way to what is stored";
  writeFileSync(join(folder, "told.txt"), "");
  run.kill("SIGKILL");
  await closed;
  for (const tab of [page, second]) {
    await tab.until(`${isReady(1)} && document.querySelector(".open").hidden && !${written}`);
    equal(await tab.until(`document.querySelectorAll(".entry.text").length`), 1);
    equal(await tab.until(`document.querySelector(".entry.text .markdown").innerHTML`), grown);
  }
}

/** The server of the model is down for a while: a notice says so as it comes, after a reload and in another tab, until it is over. */
async function hearNotices({ page, folder, doing }: Surroundings): Promise<void> {
  doing.what = "a run fails, and a notice says what happened, its code and when it is tried again";
  await page.click(button("New"));
  await page.enter(words, "answer once there is up.txt");
  await page.until(openNotice);
  await page.until(`${status} === "The next try comes by itself."`);
  doing.what = "the notice is there after a reload, and in another tab";
  await page.reload();
  await page.until(openNotice);
  const second = await page.openBeside(String(await page.until("location.href")));
  await second.until(openNotice);
  doing.what = "the server of the model is up again, and the notice is over";
  writeFileSync(join(folder, "up.txt"), "");
  for (const tab of [page, second]) {
    await tab.until(isReady(1));
    const quiet = `document.querySelector("p.entry.notice")?.textContent.includes("has failed.")`;
    await tab.until(`!document.querySelector("article.notice") && ${quiet}`);
    await tab.until(`${log}.textContent.includes("You said: answer once there is up.txt")`);
  }
}

/** A command of the person, a plan of the model, and an agent that asks. */
async function planAndDelegate({ page, folder, doing }: Surroundings): Promise<void> {
  doing.what = "a command that a person types stands for its text";
  await page.click(button("New"));
  const commands = join(folder, ".config/cogency/commands");
  mkdirSync(commands, { recursive: true });
  writeFileSync(join(commands, "mend.md"), "Look at $1.");
  await page.enter(words, "/mend 12");
  await page.until(`${isReady(1)} && ${log}.textContent.includes("Look at 12.")`);

  doing.what =
    "the plan of the model is a list, and a line where the list is not beside the conversation, also after a reload";
  await page.enter(words, "plan it");
  const plan = `[...document.querySelectorAll(".plan-step")].map((one) => one.className + " " + one.textContent).join(" | ")`;
  const line = `document.querySelector(".plan-line")`;
  const isPlanned = `${isReady(2)} && ${plan} === "plan-step now ▸Look | plan-step open ○Mend" && ${line}.textContent === "Plan 0/2 · Look"`;
  await page.until(isPlanned);
  await page.reload();
  await page.until(`document.querySelector("#status") && ${isPlanned} && ${line}.checkVisibility()`);
  await page.resize(1400, 900);
  await page.until(`!${line}.checkVisibility()`);
  await page.resize(800, 600);

  doing.what = "a question of an agent says whose it is, and what the agent did stands in the call";
  await page.enter(words, "delegate it");
  const asking = `[...document.querySelectorAll("form.question")].findLast((one) => one.textContent.includes("The agent general asks") && one.querySelector("fieldset:enabled"))`;
  const allowing = `[...${asking}.querySelectorAll("button")].find((one) => one.textContent === "Allow")`;
  await page.until(`${asking} && (${asking}.querySelector(".end-of-call").scrollIntoView({ block: "center" }), true)`);
  await page.until(`!${allowing}.disabled`);
  await page.click(allowing);
  // Asked once: what the agent itself may bring speaks not against its own call.
  await page.until(isReady(3));
  equal(readFileSync(join(folder, "four.txt"), "utf8"), "4");
  const agent = `[...document.querySelectorAll("summary")].find((one) => one.textContent.startsWith("Agentgeneral"))`;
  await page.until(`${agent}.textContent.includes("1 call")`);
  await page.click(agent);
  await page.until(`${agent}.closest("details").textContent.includes("four.txt")`);
  await auditPage(page);
}

/** The notice of a server that fails, with the time of the next try, which is minutes from now at most. */
const openNotice = `(() => {
  const notice = document.querySelector("article.entry.notice");
  const [, next] = /Next try: (\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)/.exec(notice?.textContent ?? "") ?? [];
  return notice?.querySelector("code")?.textContent === "server" &&
    notice.textContent.includes("The server of the model has failed. It is tried again by itself.") &&
    Math.abs(new Date(next) - Date.now()) < 3_600_000;
})()`;

async function answerBySchema({ page, doing }: Surroundings): Promise<void> {
  doing.what = "a person answers a question of a tool by its schema";
  await page.until(`document.querySelector("#status")?.textContent`);
  await page.click(button("New"));
  await page.enter(words, "the survey, please");
  await page.until(button("Answer"));
  await page.click(`document.querySelector(".question input[type=number]")`);
  await page.type("2");
  await page.until(`(document.querySelector(".question select").value = "1", true)`);
  await page.click(`document.querySelector(".question input[type=checkbox]")`);
  await auditPage(page);
  await page.click(button("Answer"));
  await page.until(isReady(1));
  const answer = { seats: 2, place: "aisle", meal: true };
  await page.until(`[...document.querySelectorAll("details")].map((one) => (one.open = true)).length > 0`);
  await page.until(
    `${log}.textContent.replace(/\\s/g, "").includes(${JSON.stringify(JSON.stringify(answer).slice(1, -1))})`,
  );
}

/** The server is killed, another process writes, and the page goes on where it was. */
async function restartServer({ page, folder, processes, doing }: Surroundings, first: PageServer): Promise<void> {
  doing.what = "the server is killed, and another process writes meanwhile";
  const conversation = String(await page.until("location.hash.slice(1)"));
  await page.until(`(window.wasHere = true)`);
  const say = async (text: string) => {
    const args = ["run", text, "--resume", conversation, "--quiet", ...model];
    const run = processes.start(process.execPath, [command, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ["pipe", "ignore", "pipe"],
    });
    run.stdin?.end();
    let output = "";
    run.stderr?.on("data", (chunk) => {
      output += chunk;
    });
    const [code] = await once(run, "close");
    if (code !== 0) throw new Error(`the run ended with ${code}.\n${output}`);
  };
  await first.kill();
  await page.until(`/Connecting|lost/.test(${status})`);
  await say("while it was down");
  await startServer(processes, folder, first.port);
  await page.until(isReady(2));
  await say("once it was up");
  await page.until(isReady(3));
  const shown = `[...document.querySelectorAll(".entry")].map((one) => one.id + (one.querySelector("summary") ?? one).textContent).join("\\n")`;
  equal(await page.until(`window.wasHere ? "the same page" : "reloaded"`), "the same page");
  const followed = await page.until(shown);
  await page.reload();
  await page.until(isReady(3));
  equal(await page.until(shown), followed);
}

const storeIn = (folder: string) => join(folder, ".cogency/cogency.db");
const command = join(workspaceRoot, "apps/cli/bin/cogency.cjs");

interface PageServer {
  readonly url: string;
  readonly port: number;
  kill(): Promise<void>;
}

async function startServer(processes: StartedProcesses, folder: string, port: number): Promise<PageServer> {
  const file = join(workspaceRoot, "apps/cli/test/support/page-server.ts");
  const server = processes.start(process.execPath, [file, storeIn(folder), `${port}`], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (!server.stdout) throw new Error("The server has no output.");
  const closed = once(server, "close");
  const [chunk] = await once(server.stdout, "data");
  const given = Number(chunk);
  return {
    url: `http://127.0.0.1:${given}/`,
    port: given,
    async kill() {
      server.kill("SIGKILL");
      await closed;
    },
  };
}

/** "Allow" can be pressed once the end of what will run was on the screen. */
async function readToEnd(page: Page): Promise<void> {
  await page.until(
    `${button("Allow")} && (document.querySelector(".end-of-call").scrollIntoView({ block: "center" }), true)`,
  );
  await page.until(`!${button("Allow")}.disabled`);
}

async function allow(page: Page): Promise<void> {
  await readToEnd(page);
  await page.click(button("Allow"));
}

async function tabTo(page: Page, isThere: string, way?: "Shift"): Promise<void> {
  for (let tabs = 0; tabs < 40; tabs++) {
    if ((await page.until(`${isThere} ? "there" : "elsewhere"`)) === "there") return;
    await page.press("Tab", way);
  }
  throw new Error(`Tab does not lead to ${isThere}`);
}

/** Every element that Tab leads to shows that it has the focus. */
async function tabThrough(page: Page): Promise<void> {
  await page.until(`(document.activeElement.blur(), true)`);
  for (let tabs = 0; tabs < 25; tabs++) {
    await page.press("Tab");
    const ring = await page.until(`(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      return document.activeElement === document.body || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2) ? "ring" : document.activeElement.outerHTML;
    })()`);
    equal(ring, "ring");
  }
}

function equal(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`found ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
