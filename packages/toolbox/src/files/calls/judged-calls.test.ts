import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolCall } from "@cogency/protocol";
import { type ApprovalRequest, createExecutor, createRegistry } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { grounds } from "../../../test/grounds.ts";
import { shellTool } from "../../shell/shell-tool.ts";
import { openRoot } from "../confine/root.ts";
import { editTool } from "../edit-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { writeTool } from "../write-tool.ts";

type Question = Pick<ApprovalRequest, "call" | "concerns" | "touches">;

describe("a batch of calls that change things", () => {
  const ground = grounds();
  const put = (path: string, text: string) => writeFile(join(ground.root, path), text);
  const text = (path: string) => readFile(join(ground.root, path), "utf8");

  /** Allows every tool, or asks about every call. It answers a question about a caution with no, any other with yes. */
  async function run(calls: ToolCall[], policy: "allow" | "ask" = "allow") {
    const root = await openRoot(ground.root, { access: "project" });
    const questions: Question[] = [];
    const executor = createExecutor({
      registry: createRegistry([
        ...[writeTool(root), editTool(root), replaceTool(root)],
        shellTool(root, { sandbox: "off" }),
      ]),
      approval: {
        policy: () => policy,
        approve: async (request) => {
          questions.push(request);
          return request.concerns.length === 0;
        },
      },
    });
    const executions = await executor.run(calls, { conversation: "c" });
    return { questions, codes: executions.map(({ outcome, error }) => (error as { code?: string })?.code ?? outcome) };
  }

  const manifest = (rest: object) => JSON.stringify({ name: "a", ...rest });
  const overwrite = (content: string) => ({ name: "write", args: { file: "package.json", content, overwrite: true } });

  it("does not let a replace that needed no approval change scripts of a package, even in a huge folder", async () => {
    for (let index = 0; index < 60; index++) await put(`f${index}.txt`, "x");
    for (let round = 0; round < 5; round++) {
      await put("package.json", manifest({}));
      const { codes } = await run([
        overwrite(manifest({ description: "MARK" })),
        { name: "replace", args: { find: '"description":"MARK"', with: '"scripts":{"postinstall":"evil"}' } },
      ]);
      expect(codes).toEqual(["success", "path_changed"]);
      expect(await text("package.json")).not.toContain("postinstall");
    }
  });

  it.each([
    { name: "edit", args: { file: "package.json", edits: [{ old: '"keywords"', new: '"scripts"' }] } },
    { name: "replace", args: { find: '"keywords"', with: '"scripts"' } },
  ])("does not let a $name that needed no approval change scripts after an earlier call prepared it", async (call) => {
    for (let round = 0; round < 5; round++) {
      await put("package.json", manifest({ description: { keywords: { postinstall: "evil" } } }));
      const { codes } = await run([overwrite(manifest({ keywords: { postinstall: "evil" } })), call]);
      expect(codes[1]).toBe("path_changed");
      expect(JSON.parse(await text("package.json"))).not.toHaveProperty("scripts");
    }
  });

  it("changes no file in a folder that a link leads to only since the call was judged", async () => {
    await mkdir(join(ground.root, "x"));
    await put("x/part.ts", "part");
    await symlink("src", join(ground.root, "current"));
    const { codes } = await run([
      { name: "shell", args: { command: "ln -sfn x current" } },
      { name: "replace", args: { find: "part", with: "y", path: "current" } },
    ]);
    expect(codes).toEqual(["success", "path_changed"]);
    expect(await text("x/part.ts")).toBe("part");
  });

  it("does not let a replace change a file that its question did not name", async () => {
    await put("a.txt", "old");
    const calls = [
      { name: "write", args: { file: "deep/b.txt", content: "old" } },
      { name: "replace", args: { find: "old", with: "new", pattern: "*.txt" } },
    ];
    const { questions, codes } = await run(calls, "ask");
    const named = questions[1]?.touches.filter((key) => key.startsWith("file:"));
    expect(named).toEqual([`file:${join(ground.root, "a.txt")}`]);
    expect(codes).toEqual(["success", "path_changed"]);
    expect([await text("a.txt"), await text("deep/b.txt")]).toEqual(["old", "old"]);
  });

  it("lets a replace change files that appear later if its question named everything below its folder", async () => {
    const calls = [
      { name: "write", args: { file: "deep/b.txt", content: "old" } },
      { name: "replace", args: { find: "old", with: "new", path: ".", pattern: "*.txt" } },
    ];
    const { questions, codes } = await run(calls, "ask");
    expect(questions[1]?.touches.filter((key) => key.startsWith("file:"))).toEqual([]);
    expect(questions[1]?.touches).toContain(`tree:${ground.root}`);
    expect(codes).toEqual(["success", "success"]);
    expect(await text("deep/b.txt")).toBe("new");
  });

  it("runs no command in a folder that a link leads to only since the approval", async () => {
    for (const name of ["x/build", "y/build"]) await mkdir(join(ground.root, name), { recursive: true });
    await symlink("x", join(ground.root, "current"));
    const { questions, codes } = await run(
      [
        { name: "shell", args: { command: "ln -sfn y current" } },
        { name: "shell", args: { command: "rm -r build", cwd: "current" } },
      ],
      "ask",
    );
    expect(questions[1]?.touches).toContain(`cwd:${join(ground.root, "x")}`);
    expect(codes).toEqual(["success", "path_changed"]);
    expect(await readdir(join(ground.root, "x"))).toEqual(["build"]);
    expect(await readdir(join(ground.root, "y"))).toEqual(["build"]);
  });
});
