import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { lists } from "../conformance/suite/lists.ts";
import { runList } from "../conformance/suite/run-list.ts";

describe("the conformance suite", () => {
  it.each(lists)("passes each scenario that $name requires", async (list) => {
    expect(await runList(list)).toEqual({ passed: list.scenarios, problems: [] });
  });
});

describe("the client of the suite with a program", () => {
  const client = fileURLToPath(new URL("../conformance/client.ts", import.meta.url));
  const server = fileURLToPath(new URL("../conformance/server.ts", import.meta.url));

  async function calls(calls: unknown, ...command: string[]) {
    const folder = await mkdtemp(join(tmpdir(), "calls-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "calls.json"), JSON.stringify(calls));
    const { stdout } = await promisify(execFile)(execPath, [client, join(folder, "calls.json"), ...command]);
    return JSON.parse(stdout) as { tools: string[]; results: unknown[] };
  }

  it("prints the tools of the server and what became of each call", async () => {
    const { tools, results } = await calls(
      [
        { name: "test_simple_text" },
        { name: "test_error_handling", arguments: {} },
        { name: "not_there" },
        { name: "test_tool_with_progress", abortMs: 1 },
        { name: "test_simple_text", arguments: {} },
      ],
      execPath,
      server,
      "--stdio",
    );
    const simple = { isError: false, text: "This is a simple text response for testing." };
    expect(tools).toEqual(expect.arrayContaining(["test_simple_text", "test_error_handling"]));
    expect(results).toEqual([
      simple,
      { isError: true, text: "This tool intentionally returns an error for testing" },
      { threw: expect.stringContaining("not_there") },
      { threw: expect.any(String) },
      simple,
    ]);
  });

  it("says so for each call if the server does not start", async () => {
    const { tools, results } = await calls([{ name: "any" }], execPath, "-e", "process.exit(3)");
    expect([tools, results]).toEqual([[], [{ threw: expect.stringContaining("exit code 3") }]]);
  });
});
