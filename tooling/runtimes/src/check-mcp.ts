import type { Outcome } from "@tooling/checks/outcome";
import { bundleProgram } from "./bundle-program.ts";
import { checkBundle } from "./check-bundle.ts";
import { checkRuntime, outcomeWithout } from "./check-runtime.ts";
import { engineFlags } from "./engine-flags.ts";
import type { Engine } from "./engines.ts";
import type { Executable } from "./executable.ts";
import { openPage } from "./open-page.ts";
import { runProgram } from "./run-program.ts";
import { startServer } from "./start-server.ts";
import { StartedProcesses } from "./started-processes.ts";

/** The runs of `program/mcp/runs.js` without those that need two origins. */
const runCount = 6;
/** The packages of others in the bundle: the SDK of the protocol, client and server, and what that brings. */
const mayBring = [
  "@cfworker/json-schema",
  ...["client", "core", "server"].map((name) => `@modelcontextprotocol/${name}`),
  ...["eventsource", "eventsource-parser", "jose", "pkce-challenge", "zod"],
];
/** A name that leads a browser to this machine, and that no server admits by itself. */
const host = "page.localhost";

/** Lets the client of MCP talk to the server over HTTP in each runtime, then in a page and in a worker of the browser. */
export async function checkMcp(
  engines: readonly Engine[],
  browser: Executable | undefined,
  site: string,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const engine of engines) outcomes.push(await checkEngine(engine, site));
  const node = engines.find(({ name, executable }) => name === "Node" && executable)?.executable;
  outcomes.push(...(node ? await checkPages(node, browser, site) : [outcomeWithout("MCP, Chromium")]));
  return outcomes;
}

async function checkEngine({ name, version, executable }: Engine, site: string): Promise<Outcome> {
  const args = [...(engineFlags[name] ?? []), "program/mcp/module.js"];
  const run = executable && (() => runProgram(executable, args, site));
  const outcome = await checkRuntime({ name, version, how: "ES module", run }, { count: runCount, of: "runs" });
  return { ...outcome, item: `MCP, ${outcome.item}` };
}

/** The page has another origin than the server, which admits it by `allowedOrigins`. */
async function checkPages(node: Executable, browser: Executable | undefined, site: string): Promise<Outcome[]> {
  const processes = new StartedProcesses();
  try {
    const url = await startServer(processes, node, site, ["program/mcp/serve.js", host]);
    const addresses = { OPEN_SERVER: `${url}/open`, CLOSED_SERVER: `${url}/closed` };
    return await checkBundle({
      title: "MCP",
      runCount: runCount + 1,
      mayBring,
      bundle: () => bundleProgram("mcp/browser", site, "mcp", addresses),
      open: browser && ((page) => openPage(browser, page, site, { host })),
    });
  } finally {
    await processes.end();
  }
}
