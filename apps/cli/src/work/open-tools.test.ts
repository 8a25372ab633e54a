import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import type { Terminals } from "@cogency/toolbox/shell";
import { createExecutor, createRegistry } from "@cogency/tools";
import { expect, it, onTestFinished } from "vitest";
import { openRootFor, openTools, type ToolOptions } from "./open-tools.ts";

/** Runs one call of the tools that an editor was lent to. */
async function call(name: string, args: JsonObject, sandbox: "auto" | "off") {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "cogency-tools-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "a.txt"), "saved");
  const started: string[] = [];
  const terminals: Terminals = {
    async start({ command }) {
      started.push(command);
      return {
        id: "term_1",
        output: async () => ({ text: "in the terminal", isCut: false }),
        ended: async () => ({ code: 0 }),
        kill: async () => {},
        release: async () => {},
      };
    },
  };
  const files = { read: async () => "not saved" };
  const options: ToolOptions = { root, access: "project", sandbox, tools: ["read", "shell"] };
  const opened = await openRootFor(options, []);
  const tools = await openTools(opened, options, memoryStore(), { editor: { files, terminals } });
  const executor = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "allow" } });
  const [execution] = await executor.run([{ name, args }], { conversation: "c" });
  return { value: execution?.value, started };
}

it("reads what an editor has that is not saved", async () => {
  expect((await call("read", { file: "a.txt" }, "auto")).value).toBe("not saved");
});

it("runs commands in the terminals of an editor where the sandbox is off", async () => {
  const { value, started } = await call("shell", { command: "pwd" }, "off");
  expect(value).toMatchObject({ stdout: "in the terminal" });
  expect(started).toHaveLength(1);
});
