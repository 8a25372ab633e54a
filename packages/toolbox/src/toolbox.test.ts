import type { JsonObject, ToolCall, ToolResult } from "@cogency/protocol";
import { type Approval, createExecutor, createRegistry, type Tool, toToolResult } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { call } from "../test/call.ts";
import { contents, grounds } from "../test/grounds.ts";
import { hostilePaths } from "../test/hostile-paths.ts";
import { findTool } from "./files/find-tool.ts";
import { listTool } from "./files/list-tool.ts";
import { readTool } from "./files/read-tool.ts";
import { openRoot, type Root } from "./files/root.ts";
import { writeTool } from "./files/write-tool.ts";
import { toolbox } from "./toolbox.ts";

describe("toolbox", () => {
  const ground = grounds();

  /** Runs calls as one parallel batch. */
  async function run(calls: ToolCall[], approval?: Approval): Promise<ToolResult[]> {
    const tools = await toolbox({ root: ground.root });
    const executor = createExecutor({ registry: createRegistry(tools), approval });
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const context = { conversation: "test", state: { events: [], metadata: {}, step: 1, usage } };
    return (await executor.run(calls, context, { mode: "parallel", coerce: "json" })).map(toToolResult);
  }
  const read = (file: string): ToolCall => ({ name: "read", args: { file } });
  const write = (file: string, content: string): ToolCall => ({ name: "write", args: { file, content } });
  const list = (path: string): ToolCall => ({ name: "list", args: { path } });
  const find = (args: JsonObject): ToolCall => ({ name: "find", args });

  it("gives all tools in a fixed order, or those that are asked for", async () => {
    const names = (tools: Tool[]) => tools.map((tool) => tool.name);
    expect(names(await toolbox({ root: ground.root }))).toEqual(["read", "write", "list", "find"]);
    expect(names(await toolbox({ root: ground.root, include: ["find", "read"] }))).toEqual(["read", "find"]);
    expect(await toolbox({ root: ground.root, include: [] })).toEqual([]);
  });

  it("refuses a root that does not exist or is no folder", async () => {
    await expect(toolbox({ root: `${ground.root}/none` })).rejects.toMatchObject({ code: "root_not_found" });
    await expect(toolbox({ root: `${ground.root}/config.json` })).rejects.toMatchObject({ code: "root_not_a_folder" });
  });

  it("has no argument that could widen what the tools reach", async () => {
    const tools = await toolbox({ root: ground.root });
    const parameters = tools.map(({ spec }) => Object.keys(spec.parameters.properties as object));
    expect(parameters).toEqual([["file"], ["file", "content"], ["path"], ["pattern", "content", "path"]]);
    const results = await run([
      { name: "read", args: { file: "../outside/secret.txt", root: "/", anchor: "path", force: true } },
      { name: "list", args: { path: "..", root: "/" } },
    ]);
    expect(results.map(({ status }) => status)).toEqual(["failure", "failure"]);
  });

  describe("the order of calls in one parallel batch", () => {
    it("reads what the same batch wrote before, and not what it writes after", async () => {
      const results = await run([
        read("config.json"),
        write("config.json", '{"api": "new.com"}'),
        read("inside-file"),
        write(`${ground.root}/src/../config.json`, "{}"),
        read("./config.json"),
      ]);
      expect(results.map(({ content }) => content)).toEqual([
        '{"api": "old.com"}',
        { bytes: 18 },
        '{"api": "new.com"}',
        { bytes: 2 },
        "{}",
      ]);
    });

    it("lists and finds what the same batch wrote before, in every folder above it", async () => {
      const [listed, , deep, root, files, lines] = await run([
        list("src"),
        write("src/new/file.ts", "needle"),
        list("inside-folder"),
        list("."),
        find({ pattern: "file.ts" }),
        find({ content: "needle", path: "src" }),
      ]);
      expect(listed?.content).toEqual({ path: "src", entries: ["deep/", "link-up", "main.ts"] });
      expect(deep?.content).toEqual({ path: "src", entries: ["deep/", "link-up", "main.ts", "new/"] });
      expect(root?.content).toMatchObject({ entries: expect.arrayContaining(["src/"]) });
      expect(files?.content).toEqual({ files: ["src/new/file.ts"] });
      expect(lines?.content).toEqual({ matches: [{ file: "src/new/file.ts", line: 1, text: "needle" }] });
    });

    it("lets many writes of one file and into one new folder all succeed, the last one last", async () => {
      const numbers = Array.from({ length: 30 }, (_, index) => index);
      const results = await run([
        ...numbers.map((index) => write("fresh/shared.txt", `version ${index}`)),
        ...numbers.map((index) => write(`fresh/${index}.txt`, String(index))),
        read("fresh/shared.txt"),
      ]);
      expect(results.filter(({ status }) => status === "failure")).toEqual([]);
      expect(results.at(-1)?.content).toBe("version 29");
    });
  });

  it("asks nobody to approve reads, nor a write that will be refused", async () => {
    const asked: unknown[] = [];
    const approve = async ({ call }: { call: ToolCall }) => asked.push(call.args.file) > 0;
    const calls = [read("config.json"), list("."), write("../outside/new.txt", "x"), write("new.txt", "x")];
    const results = await run(calls, { approve });
    expect(asked).toEqual(["new.txt"]);
    expect(results.map(({ status }) => status)).toEqual(["success", "success", "failure", "success"]);
  });

  describe.each(["descriptor", "path"] as const)("every tool, anchored by %s", (anchor) => {
    const open = async (): Promise<Root> => {
      const root = await openRoot(ground.root);
      return root.anchor === "descriptor" ? { ...root, anchor } : root;
    };

    it("refuses every path that leaves the root, and touches nothing", async () => {
      const root = await open();
      const before = [await contents(ground.root), await contents(ground.outside), await contents(ground.sibling)];
      for (const [path, code] of hostilePaths(ground)) {
        for (const [tool, args] of [
          [readTool(root), { file: path }],
          [writeTool(root), { file: path, content: "mine" }],
          [listTool(root), { path }],
          [findTool(root), { path, pattern: "*" }],
        ] as const) {
          const refused = expect(call(tool, args), `${tool.name} ${JSON.stringify(path.slice(0, 80))}`);
          await refused.rejects.toMatchObject({ name: "ToolboxError", code });
        }
      }
      expect([await contents(ground.root), await contents(ground.outside), await contents(ground.sibling)]).toEqual(
        before,
      );
    });

    it("does its work inside the root", async () => {
      const root = await open();
      expect(await call(writeTool(root), { file: "new/a.txt", content: "needle" })).toEqual({ bytes: 6 });
      expect(await call(readTool(root), { file: "new/a.txt" })).toBe("needle");
      expect(await call(listTool(root), { path: "new" })).toEqual({ path: "new", entries: ["a.txt"] });
      expect(await call(findTool(root), { pattern: "a.txt" })).toEqual({ files: ["new/a.txt"] });
    });
  });
});
