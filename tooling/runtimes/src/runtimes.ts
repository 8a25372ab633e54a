import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parserVectors } from "@cogency/protocol/testkit";
import { type Outcome, printOutcomes } from "@tooling/checks/outcome";
import { withFolder } from "@tooling/checks/pack";
import { packAndInstall } from "@tooling/checks/packed-install";
import { publishablePackages } from "@tooling/checks/workspace";
import { checkAgents } from "./check-agent.ts";
import { checkClient } from "./check-client.ts";
import { checkMcp } from "./check-mcp.ts";
import { checkRuntime, type Runtime } from "./check-runtime.ts";
import { bun, deno, type Engine, enginesFolder, installEngines, nodes } from "./engines.ts";
import { checkExamplePage } from "./example-page.ts";
import type { Executable } from "./executable.ts";
import { findChromium } from "./find-chromium.ts";
import { checkLivePage } from "./live-page.ts";
import { checkOpenCommand } from "./open-command.ts";
import { openPage } from "./open-page.ts";
import type { Report } from "./report.ts";
import { runProgram } from "./run-program.ts";
import { checkTracePage } from "./trace-page.ts";

const wanted = ["protocol", "async", "tools", "provider", "storage", "agent", "client", "mcp", "server"].map(
  (name) => `packages/${name}`,
);

// `pnpm runtimes`: packs @cogency/protocol and runs the vectors of its testkit on the tarball, in every runtime that
// the package supports. Packs what an agent needs, and runs a bundle of it in the browser with each driver. Packs the client and
// the server of MCP, and lets both talk over HTTP in every runtime; so do the client of conversations and their server. Then uses the example page, `cogency open` and the pages of the
// app in the browser.
installEngines();
await withFolder(async (folder) => {
  const packed = publishablePackages().filter(({ path }) => wanted.includes(path));
  const { consumer } = packAndInstall(packed, folder);
  cpSync(fileURLToPath(new URL("../program", import.meta.url)), join(consumer, "program"), { recursive: true });

  const vectorCount = Object.values(parserVectors).flat().length;
  const outcomes: Outcome[] = [];
  const browser = await findChromium(enginesFolder, join(consumer, "chromium"));
  for (const runtime of runtimesFor(consumer, browser))
    outcomes.push(await checkRuntime(runtime, { count: vectorCount, of: "vectors" }));
  outcomes.push(...(await checkAgents(browser, consumer)));
  const engines = [...nodes(join(consumer, "libatomic")), bun(), deno()];
  outcomes.push(...(await checkMcp(engines, browser, consumer)));
  outcomes.push(...(await checkClient(engines, browser, consumer)));
  outcomes.push(await checkExamplePage(browser, join(consumer, "example-page")));
  outcomes.push(await checkOpenCommand(browser, join(consumer, "open")));
  outcomes.push(await checkLivePage(browser, join(consumer, "live-page")));
  outcomes.push(await checkTracePage(browser, join(consumer, "trace-page")));
  printOutcomes(outcomes);
});

function runtimesFor(site: string, browser: Executable | undefined): Runtime[] {
  const inProcess = ({ name, version, executable }: Engine, how: Report["how"], ...args: string[]): Runtime => {
    return { name, version, how, run: executable && (() => runProgram(executable, args, site)) };
  };
  const inChromium = (how: "page" | "worker"): Runtime => {
    return { name: "Chromium", how, run: browser && (() => openPage(browser, `program/${how}.html`, site)) };
  };
  return [
    ...nodes(join(site, "libatomic")).flatMap((node) => [
      inProcess(node, "ES module", "program/module.js"),
      inProcess(node, "CommonJS", "program/commonjs.cjs"),
    ]),
    inProcess(bun(), "ES module", "--no-install", "program/module.js"),
    inProcess(deno(), "ES module", "run", "--no-prompt", "--node-modules-dir=manual", "program/module.js"),
    inChromium("page"),
    inChromium("worker"),
  ];
}
