import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseResults } from "@cogency/protocol";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type PayingAgentFiles, payingAgent } from "./hostile/paying-agent.ts";
import { isRunning, linesIn, pidsIn } from "./support/processes.ts";

let files: PayingAgentFiles;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "cogency-kills-"));
  files = { database: join(folder, "store.db"), calls: join(folder, "calls"), pids: join(folder, "pids") };
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const called = (count: number) => expect.poll(() => linesIn(files.calls)).toHaveLength(count);
const noneRuns = () => expect.poll(() => pidsIn(files.pids).filter(isRunning)).toEqual([]);
const kill = (pid: number | undefined) => process.kill(pid as number, "SIGKILL");

/** A process of ours in the middle of a call of this tool. */
async function callingProcess(tool: string): Promise<ChildProcess> {
  const file = fileURLToPath(new URL("hostile/paying-process.ts", import.meta.url));
  const { database, calls, pids } = files;
  const child = spawn(process.execPath, [file, database, calls, pids, tool], { stdio: "inherit" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await called(1);
  return child;
}

/** Goes on with the conversation in this process. */
async function recovered() {
  const opened = await payingAgent(files, ["Done."]);
  try {
    const result = await opened.agent.recover({ conversation: "c" }).result;
    const log = await opened.store.load({ conversation: "c" }, { types: ["result"] });
    const results = log.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));
    return { result, results: results as { tool: string; status: string; content: string }[] };
  } finally {
    await opened.close();
  }
}

describe("a server that is killed in the middle of a call", () => {
  it("gives a sentence, is started again, and takes the next call", async () => {
    const pay = { calls: [{ name: "bank__pay" }] };
    const opened = await payingAgent(files, [pay, "Failed.", pay, "Paid."]);
    onTestFinished(opened.close);
    const running = opened.agent.ask("go", { conversation: "c" });
    await called(1);
    kill(pidsIn(files.pids)[0]);
    expect(await running).toMatchObject({ status: "completed", text: "Failed.", toolErrors: 1 });
    const log = JSON.stringify(await opened.store.load({ conversation: "c" }, { types: ["result"] }));
    expect(log).toContain("ended in the middle of this call");
    expect(log).toContain("Whether it took effect is unknown");
    await expect.poll(() => opened.servers.servers()[0]?.status).toBe("ready");
    expect(await opened.agent.ask("again", { conversation: "c" })).toMatchObject({ text: "Paid.", toolErrors: 0 });
    expect(linesIn(files.calls)).toEqual(["pay", "pay"]);
    expect(pidsIn(files.pids)).toHaveLength(2);
    await opened.servers.close();
    await noneRuns();
  });
});

describe("our process, killed in the middle of a call", () => {
  it.each([
    ["alone", false],
    ["together with the server", true],
  ])("(%s) leaves no server, and the outcome of the call is unknown after it", async (_, both) => {
    const child = await callingProcess("pay");
    if (both) kill(pidsIn(files.pids)[0]);
    kill(child.pid);
    await noneRuns();
    const { result, results } = await recovered();
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results[0])).toMatch(/outcome unknown/i);
    expect(linesIn(files.calls)).toEqual(["pay"]);
    await noneRuns();
  });

  it.each([
    ["alone", false],
    ["together with the server", true],
  ])("(%s) runs a call again that a second time changes nothing", async (_, both) => {
    const child = await callingProcess("safe");
    if (both) kill(pidsIn(files.pids)[0]);
    kill(child.pid);
    await noneRuns();
    const { result, results } = await recovered();
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(results.map(({ status, content }) => [status, content])).toEqual([["success", "safe 2"]]);
    expect(linesIn(files.calls)).toEqual(["safe", "safe"]);
    await noneRuns();
  });
});
