import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "@tooling/checks/outcome";
import { workspaceRoot } from "@tooling/checks/workspace";
import { checkInBrowser } from "./check-in-browser.ts";
import { checkRuntime, outcomeWithout } from "./check-runtime.ts";
import type { Page } from "./chromium.ts";
import { engineFlags } from "./engine-flags.ts";
import type { Engine } from "./engines.ts";
import type { Executable } from "./executable.ts";
import { runProgram } from "./run-program.ts";
import { startServer } from "./start-server.ts";

/** The runs of `program/client/runs.js`. */
const runCount = 5;

/**
 * Lets the client follow conversations over HTTP in each runtime, then uses the page of its README, with the client as one file, in the
 * browser.
 */
export async function checkClient(
  engines: readonly Engine[],
  browser: Executable | undefined,
  site: string,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const engine of engines) outcomes.push(await checkEngine(engine, site));
  const node = engines.find(({ name, executable }) => name === "Node" && executable)?.executable;
  outcomes.push(node ? await checkReadmePage(node, browser, site) : outcomeWithout(title));
  return outcomes;
}

async function checkEngine({ name, version, executable }: Engine, site: string): Promise<Outcome> {
  const args = [...(engineFlags[name] ?? []), "program/client/module.js"];
  const run = executable && (() => runProgram(executable, args, site));
  const outcome = await checkRuntime({ name, version, how: "ES module", run }, { count: runCount, of: "runs" });
  return { ...outcome, item: `Client, ${outcome.item}` };
}

const title = "Page of the client's README, Chromium";

function checkReadmePage(node: Executable, executable: Executable | undefined, site: string): Promise<Outcome> {
  const page = join(site, "readme-page.html");
  const readme = readFileSync(join(workspaceRoot, "packages/client/README.md"), "utf8");
  writeFileSync(page, /```html\n(.*?)```/s.exec(readme)?.[1] ?? "");
  return checkInBrowser({
    title,
    note: "letters come, a question is answered after a reload, and another page shows the same",
    executable,
    folder: join(site, "client-page"),
    async use({ browser, processes, doing }) {
      const url = await startServer(processes, node, site, ["program/client/serve.js", page]);
      doing.what = "a page sends words";
      const first = await browser.open(url);
      await first.enter(`document.querySelector("input")`, "Write milk.");
      await first.until(`${lines}.includes("I wri") && !${lines}.includes("I write it.")`);
      doing.what = "it reloads in the middle of the question";
      await first.until(allow);
      await first.reload();
      await first.until(`${allow} && ${lines}.startsWith("Write milk.|I write it.|write|")`);
      doing.what = "it answers, and another page comes late";
      await first.click(allow);
      const late = await browser.open(url);
      for (const one of [first, late]) await untilEnd(one);
    },
  });
}

const allow = `document.querySelector("li button")`;
const lines = `[...document.querySelectorAll("li")].map((one) => one.textContent).join("|")`;

function untilEnd(page: Page): Promise<unknown> {
  return page.until(`${lines} === "Write milk.|I write it.|write|write|Written, as you said: é 🚀.|completed"`);
}
