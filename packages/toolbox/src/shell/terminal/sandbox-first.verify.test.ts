import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, JsonObject } from "@cogency/protocol";
import { expect, it, onTestFinished } from "vitest";
import { call } from "../../../test/call.ts";
import { FakeTerminals } from "../../../test/editor/fake-terminals.ts";
import { describeSandbox } from "../../../test/sandbox/describe-sandbox.ts";
import { openRoot } from "../../files/confine/root.ts";
import { openJobs } from "../background/job-board.ts";
import { commandsEnded } from "../run/commands-ended.ts";
import { shellTool } from "../shell-tool.ts";

async function projectFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "cogency-terminal-")));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describeSandbox("terminals beside a sandbox", () => {
  it.each(["required", "auto"] as const)("are never used: %s", async (sandbox) => {
    const terminals = new FakeTerminals();
    const root = await openRoot(await projectFolder(), { access: "project" });
    const shell = shellTool(root, { sandbox, terminals });
    const updates: Json[] = [];
    expect(shell.spec.description).not.toContain("terminal that");
    for (const command of ["echo out", "echo out | cat"]) {
      const result = await call(shell, { command }, undefined, (update) => updates.push(update));
      expect(result).toMatchObject({ stdout: "out\n" });
    }
    expect(terminals.started).toEqual([]);
    expect(updates).toEqual([
      { stream: "stdout", text: "out\n" },
      { stream: "stdout", text: "out\n" },
    ]);
  });
});

it("a command in the background runs in no terminal: it outlives the call that would release it", async () => {
  const terminals = new FakeTerminals();
  const jobs = openJobs();
  const root = await openRoot(await projectFolder(), { access: "project" });
  const shell = shellTool(root, { sandbox: "off", terminals, jobs });
  const started = (await call(shell, { command: "sleep 600", background: true })) as JsonObject;
  expect(started).toMatchObject({ state: "running" });
  await jobs.endAll();
  await commandsEnded();
  expect(terminals.started).toEqual([]);
});
