import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolCall } from "@cogency/protocol";
import { type Approval, createExecutor, createRegistry, type ToolExecution } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { grounds } from "../../../test/grounds.ts";
import { shellTool } from "../../shell/shell-tool.ts";
import { openRoot } from "../confine/root.ts";
import { editTool } from "../edit-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { writeTool } from "../write-tool.ts";

describe("the state of files that a call replaces or runs", () => {
  const ground = grounds();
  const at = (path: string) => join(ground.root, path);
  const put = (path: string, text: string) => writeFile(at(path), text);

  async function executorWith(approval: Approval) {
    const root = await openRoot(ground.root, { access: "project" });
    const tools = [writeTool(root), editTool(root), replaceTool(root), shellTool(root, { sandbox: "off" })];
    return { tools, executor: createExecutor({ registry: createRegistry(tools), approval }) };
  }

  const overwrite = { name: "write", args: { file: "a.sh", content: "new", overwrite: true } };
  const calls: [what: string, call: ToolCall, file: string][] = [
    ["write with overwrite", overwrite, "a.sh"],
    ["edit", { name: "edit", args: { file: "a.sh", edits: [{ old: "echo", new: "print" }] } }, "a.sh"],
    ["replace", { name: "replace", args: { find: "echo", with: "print", pattern: "*.sh" } }, "a.sh"],
    ["a script", { name: "shell", args: { command: "./a.sh" } }, "a.sh"],
    ["a script by its link", { name: "shell", args: { command: "./link.sh" } }, "a.sh"],
    ["a script by its whole path", { name: "shell", args: { command: "sh src/../a.sh" } }, "a.sh"],
    ["an interpreter's file", { name: "shell", args: { command: "bash -x a.sh one two" } }, "a.sh"],
    ["an interpreter's file behind others", { name: "shell", args: { command: "env A=b timeout 5 sh a.sh" } }, "a.sh"],
    ["a file as the value of an option", { name: "shell", args: { command: "node --import=./a.sh x" } }, "a.sh"],
    ["a script in the folder of the call", { name: "shell", args: { command: "sh b.sh", cwd: "src" } }, "src/b.sh"],
    ["the scripts of a package", { name: "shell", args: { command: "npm test" } }, "package.json"],
    ["the scripts of a package above", { name: "shell", args: { command: "pnpm run x", cwd: "src" } }, "package.json"],
    ["a script in a pipe", { name: "shell", args: { command: "true && ./a.sh | cat" } }, "a.sh"],
    ["a script in a substitution", { name: "shell", args: { command: 'echo "$(sh a.sh)"' } }, "a.sh"],
    ["the input of a shell", { name: "shell", args: { command: "sh < a.sh" } }, "a.sh"],
    ["a makefile", { name: "shell", args: { command: "make all" } }, "Makefile"],
    ["a makefile elsewhere", { name: "shell", args: { command: "make -C src" } }, "src/Makefile"],
  ];
  const prepare = async () => {
    await mkdir(at("src"), { recursive: true });
    for (const file of ["a.sh", "src/b.sh", "package.json", "Makefile", "src/Makefile"]) await put(file, "echo old\n");
    await symlink("a.sh", at("link.sh"));
  };

  it.each(calls)("is a part of what a question about %s shows", async (_, { name, args }, file) => {
    await prepare();
    // Each is asked about as after a restart: by other tools, with arguments of their own.
    const touched = async () => {
      const { tools } = await executorWith({ policy: () => "ask" });
      return tools
        .find((tool) => tool.name === name)
        ?.resource?.({ ...args, ...(name === "replace" && { path: "." }) });
    };
    const before = await touched();
    expect(before).toContainEqual(expect.stringMatching(/^state:[0-9a-f]{64}$/));
    expect(await touched()).toEqual(before);
    await put(file, "echo evil; echo old\n");
    expect(await touched()).not.toEqual(before);
    await put(file, "echo old\n");
    expect(await touched()).toEqual(before);
  });

  it.each(calls)("keeps %s from running if it changes while a person is asked", async (_, call, file) => {
    await prepare();
    const { executor } = await executorWith({
      policy: () => "ask",
      async approve() {
        await put(file, "echo person; echo old\n");
        return true;
      },
    });
    const [execution] = (await executor.run([call], { conversation: "c" })) as ToolExecution[];
    expect(execution?.error).toMatchObject({ code: "path_changed" });
    expect(await readFile(at(file), "utf8")).toBe("echo person; echo old\n");
  });

  it("keeps a write from replacing a file that was made while a person was asked", async () => {
    const { executor } = await executorWith({
      policy: () => "ask",
      async approve() {
        await put("a.sh", "person");
        return true;
      },
    });
    const [execution] = (await executor.run([overwrite], { conversation: "c" })) as ToolExecution[];
    expect(execution?.error).toMatchObject({ code: "path_changed" });
    expect(await readFile(at("a.sh"), "utf8")).toBe("person");
  });

  it.each<[what: string, batch: ToolCall[]]>([
    [
      "edits of one file",
      [1, 2, 3].map((n) => ({ name: "edit", args: { file: "a.sh", edits: [{ old: "old", new: `old${n}` }] } })),
    ],
    ["a write and an edit", [overwrite, { name: "edit", args: { file: "a.sh", edits: [{ old: "new", new: "x" }] } }]],
    ["a script that was just written", [overwrite, { name: "shell", args: { command: "sh -n a.sh" } }]],
    [
      "a file that a command has made",
      [
        { name: "shell", args: { command: "cp src/b.sh a.sh" } },
        { name: "edit", args: { file: "a.sh", edits: [{ old: "old", new: "x" }] } },
      ],
    ],
    ["replacements", [1, 2].map(() => ({ name: "replace", args: { find: "old", with: "older", pattern: "*.sh" } }))],
  ])("lets the calls of a batch change it for those after them: %s", async (_, batch) => {
    await prepare();
    const { executor } = await executorWith({ policy: () => "ask", approve: async () => true });
    const executions = (await executor.run(batch, { conversation: "c" })) as ToolExecution[];
    expect(executions.map(({ outcome, error }) => error?.message ?? outcome)).toEqual(batch.map(() => "success"));
  });

  it("is asked about without reading what is guarded or outside", async () => {
    await put("keys", "secret");
    await rm(at("link-file"), { force: true });
    const root = await openRoot(ground.root, { access: "project", guarded: [at("keys")] });
    const tool = shellTool(root, { sandbox: "off" });
    for (const command of ["cat keys", "cat ../outside/none", "cat /etc"]) {
      expect((await tool.resource?.({ command })) as string[]).not.toContainEqual(expect.stringMatching(/^state:/));
    }
  });
});
