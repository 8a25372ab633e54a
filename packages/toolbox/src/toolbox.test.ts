import { readFile } from "node:fs/promises";
import type { JsonObject, ToolCall, ToolResult } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { type Approval, createExecutor, createRegistry, type Tool, toToolResult } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { call } from "../test/call.ts";
import { grounds } from "../test/grounds.ts";
import { openRoot } from "./files/confine/root.ts";
import type { ToolboxTool } from "./tool-names.ts";
import { toolbox } from "./toolbox.ts";
import type { ToolboxOptions } from "./toolbox-options.ts";
import type { SearchBackend } from "./web/search/search-backend.ts";

describe("toolbox", () => {
  const ground = grounds();
  const fileTools: ToolboxTool[] = ["read", "write", "edit", "list", "find", "replace"];
  const allTools: ToolboxTool[] = [...fileTools, "shell", "scrape", "search", "recall"];
  const search: SearchBackend = { name: "none", search: async () => [] };

  /** Runs calls as one parallel batch. */
  async function run(calls: ToolCall[], approval?: Approval): Promise<ToolResult[]> {
    const tools = await toolbox({ root: ground.root, access: "project", include: fileTools });
    const executor = createExecutor({ registry: createRegistry(tools), ...(approval && { approval }) });
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const context = { conversation: "test", state: { events: [], metadata: {}, step: 1, usage } };
    return (await executor.run(calls, context, { mode: "parallel", coerce: "json" })).map(toToolResult);
  }
  const read = (file: string): ToolCall => ({ name: "read", args: { file } });
  const write = (file: string, content: string): ToolCall => ({
    name: "write",
    args: { file, content, overwrite: true },
  });
  const edit = (file: string, before: string, after: string): ToolCall => ({
    name: "edit",
    args: { file, edits: [{ old: before, new: after }] },
  });
  const list = (path: string): ToolCall => ({ name: "list", args: { path } });
  const find = (args: JsonObject): ToolCall => ({ name: "find", args });

  it("returns all tools in a fixed order, or the included ones", async () => {
    const names = (tools: Tool[]) => tools.map((tool) => tool.name);
    const everything = { access: "project" as const, search, store: memoryStore() };
    expect(names(await toolbox({ root: ground.root, ...everything }))).toEqual(allTools);
    expect(names(await toolbox({ root: ground.root, include: ["find", "read"] }))).toEqual(["read", "find"]);
    expect(await toolbox({ root: ground.root, include: [] })).toEqual([]);
  });

  it("leaves out tools that lack what they need, and shell with sandbox access, unless they are included", async () => {
    const names = async (options: Partial<ToolboxOptions>) =>
      (await toolbox({ root: ground.root, ...options })).map((tool) => tool.name);
    expect(await names({})).toEqual([...fileTools, "scrape"]);
    expect(await names({ access: "project" })).toEqual([...fileTools, "shell", "scrape"]);
    expect(await names({ include: ["search", "shell"] })).toEqual(["shell", "search"]);
    await expect(names({ include: ["recall"] })).rejects.toMatchObject({ code: "store_missing" });
  });

  it("accepts an open root, and then rejects the options of a root", async () => {
    const root = await openRoot(ground.root, { access: "project" });
    expect((await toolbox({ root })).map((tool) => tool.name)).toEqual([...fileTools, "shell", "scrape"]);
    for (const option of [{ access: "sandbox" as const }, { guarded: ["/a"] }, { untrusted: [] }]) {
      await expect(toolbox({ root, ...option })).rejects.toThrow("are given to `openRoot`");
    }
  });

  it("includes a search that says that no service is configured", async () => {
    const [tool] = await toolbox({ root: ground.root, include: ["search"] });
    if (tool === undefined) return expect.unreachable();
    await expect(call(tool, { query: "bread" })).rejects.toMatchObject({ code: "no_search_backend" });
  });

  it("passes the host's options to each tool", async () => {
    const store = memoryStore();
    const said = { type: "user" as const, content: "Where do we deploy?", timestamp: 1 };
    await store.append({ conversation: "past" }, [said]);
    const tools = await toolbox({
      root: ground.root,
      access: "project",
      include: ["shell", "scrape", "recall"],
      shell: { env: { COLOUR: "blue" } },
      web: { allow: ["127.0.0.1"] },
      store,
    });
    const [shell, scrape, recall] = tools;
    if (!shell || !scrape || !recall) return expect.unreachable();
    expect(await call(shell, { command: "printenv COLOUR" })).toMatchObject({ exitCode: 0, stdout: "blue\n" });
    // Nothing listens there; without `allow` the address itself would be refused.
    await expect(call(scrape, { url: "http://127.0.0.1:9/" })).rejects.toMatchObject({ code: "network" });
    expect(await call(recall, { query: "deploy" })).toMatchObject({ found: [{ conversation: "past" }] });
  });

  it("asks by default for every call except reading and searching", async () => {
    const asked: string[] = [];
    const tools = await toolbox({ root: ground.root, access: "project", search, store: memoryStore() });
    const approve = async ({ call }: { call: ToolCall }) => asked.push(call.name) < 0;
    const executor = createExecutor({ registry: createRegistry(tools), approval: { approve } });
    const calls: ToolCall[] = [
      read("config.json"),
      list("."),
      find({ pattern: "*.ts" }),
      { name: "search", args: { query: "x" } },
      { name: "recall", args: { query: "x" } },
      write("new.txt", "x"),
      edit("config.json", "api", "url"),
      { name: "replace", args: { find: "api", with: "url" } },
      { name: "shell", args: { command: "ls" } },
      { name: "scrape", args: { url: "https://example.com/" } },
    ];
    const executions = await executor.run(calls, { conversation: "test" });
    expect(asked).toEqual(["write", "edit", "replace", "shell", "scrape"]);
    expect(executions.slice(0, 5).map(({ outcome }) => outcome)).toEqual(Array(5).fill("success"));
  });

  it("gives its tools only the sandbox folder by default", async () => {
    const [read, write] = await toolbox({ root: ground.root, include: ["read", "write"] });
    if (read === undefined || write === undefined) return expect.unreachable();
    await expect(call(read, { file: "config.json" })).rejects.toMatchObject({ code: "not_found" });
    await call(write, { file: "config.json", content: "mine" });
    expect(await readFile(`${ground.root}/.cogency/sandbox/config.json`, "utf8")).toBe("mine");
  });

  it("refuses an unknown access or tool", async () => {
    const unknown = { access: "everything" as "system", include: ["sudo" as "read"] };
    await expect(toolbox({ root: ground.root, access: unknown.access })).rejects.toMatchObject({
      code: "access_invalid",
    });
    await expect(toolbox({ root: ground.root, include: unknown.include })).rejects.toMatchObject({
      code: "tool_unknown",
      message: expect.stringContaining("read, write"),
    });
  });

  it("refuses a root that does not exist or is not a folder", async () => {
    await expect(toolbox({ root: `${ground.root}/none` })).rejects.toMatchObject({ code: "root_not_found" });
    await expect(toolbox({ root: `${ground.root}/config.json` })).rejects.toMatchObject({ code: "root_not_a_folder" });
  });

  it("has no argument that could widen what the tools reach", async () => {
    const tools = await toolbox({ root: ground.root, access: "project", search, store: memoryStore() });
    const parameters = tools.map(({ spec }) => Object.keys(spec.parameters.properties as object));
    expect(parameters).toEqual([
      ["file", "from", "lines", "column"],
      ["file", "content", "overwrite"],
      ["file", "edits"],
      ["path", "depth", "pattern"],
      ["pattern", "content", "path", "regex", "ignoreCase", "ignored"],
      ["find", "with", "regex", "ignoreCase", "pattern", "path", "dryRun", "ignored"],
      ["command", "cwd", "timeout"],
      ["url", "from"],
      ["query", "limit"],
      ["query", "limit", "conversation", "from"],
    ]);
    const results = await run([
      { name: "read", args: { file: "../outside/secret.txt", root: "/", anchor: "path", force: true } },
      { name: "list", args: { path: "..", root: "/" } },
    ]);
    expect(results.map(({ status }) => status)).toEqual(["failure", "failure"]);
  });

  describe("the order of calls in one parallel batch", () => {
    it("reads what earlier calls of the batch wrote, and not what later ones write", async () => {
      const results = await run([
        read("config.json"),
        write("config.json", '{"api": "new.com"}'),
        read("inside-file"),
        write(`${ground.root}/src/../config.json`, "{}"),
        read("./config.json"),
      ]);
      expect(results.map(({ content }) => content)).toEqual([
        '{"api": "old.com"}',
        { file: "config.json", bytes: 18, created: false },
        '{"api": "new.com"}',
        { file: "config.json", bytes: 2, created: false },
        "{}",
      ]);
    });

    it("lists and finds what earlier calls wrote, in every folder above the file", async () => {
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

    it("applies two edits of one file, and twenty", async () => {
      const results = await run([
        edit("config.json", "api", "url"),
        edit("inside-file", "old.com", "new.com"),
        write("numbers.txt", Array.from({ length: 20 }, (_, index) => `<${index}>\n`).join("")),
        ...Array.from({ length: 20 }, (_, index) => edit("./numbers.txt", `<${index}>`, `done ${index}`)),
        read("config.json"),
        read("numbers.txt"),
      ]);
      expect(results.filter(({ status }) => status === "failure")).toEqual([]);
      expect(results.at(-2)?.content).toBe('{"url": "new.com"}');
      expect(results.at(-1)?.content).toBe(Array.from({ length: 20 }, (_, index) => `done ${index}\n`).join(""));
    });

    it("lets the first of two writes create a file, and the second fail because it exists", async () => {
      const create = (content: string): ToolCall => ({ name: "write", args: { file: "new.txt", content } });
      const [first, second, text] = await run([create("first"), create("second"), read("new.txt")]);
      expect([first?.status, second?.status, text?.content]).toEqual(["success", "failure", "first"]);
    });

    it("shows a replacement to later calls in all its folders, and not to earlier ones", async () => {
      const replace: ToolCall = { name: "replace", args: { find: "part", with: "piece", path: "src" } };
      const [before, beforeLines, replaced, after, lines, listed, edited] = await run([
        read("src/deep/part.ts"),
        find({ content: "piece", path: "src/deep" }),
        replace,
        read("src/deep/part.ts"),
        find({ content: "piece", path: "src/deep" }),
        list("src/deep"),
        edit("src/main.ts", "piece", "portion"),
      ]);
      expect(before?.content).toContain("const part");
      expect(beforeLines?.content).toEqual({ matches: [] });
      expect(replaced?.content).toMatchObject({ total: 2 });
      expect(after?.content).toContain("const piece");
      expect(lines?.content).toMatchObject({ matches: [{ file: "src/deep/part.ts" }] });
      expect(listed?.content).toMatchObject({ entries: ["part.ts"] });
      expect(edited?.status).toBe("success");
    });

    it("lets many writes of one file and into one new folder succeed, in call order", async () => {
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

  it("asks for no approval of reads, nor of a write that will be refused", async () => {
    const asked: unknown[] = [];
    const approve = async ({ call }: { call: ToolCall }) => asked.push(call.args.file) > 0;
    const calls = [read("config.json"), list("."), write("../outside/new.txt", "x"), write("new.txt", "x")];
    const results = await run(calls, { approve });
    expect(asked).toEqual(["new.txt"]);
    expect(results.map(({ status }) => status)).toEqual(["success", "success", "failure", "success"]);
  });
});
