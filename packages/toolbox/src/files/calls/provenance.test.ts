import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { type Content, createExecutor, createRegistry, defineTool, type Tool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { grounds } from "../../../test/grounds.ts";
import { openRoot, type Root } from "../confine/root.ts";
import { editTool } from "../edit-tool.ts";
import { findTool } from "../find-tool.ts";
import { listTool } from "../list-tool.ts";
import { readTool } from "../read-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { writeTool } from "../write-tool.ts";

describe("the content of results of file tools", () => {
  const ground = grounds();
  const put = async (path: string, text = "needle") => {
    await mkdir(dirname(join(ground.root, path)), { recursive: true });
    await writeFile(join(ground.root, path), text);
  };
  const open = (untrusted?: string[]) => openRoot(ground.root, { access: "project", untrusted });

  /** The content that the executor reports for the call when it has ended. */
  async function brought(make: (root: Root) => Tool, root: Root, args: JsonObject): Promise<readonly Content[]> {
    const tool = make(root);
    const approval = { policy: () => "allow_anyway" as const };
    const executor = createExecutor({ registry: createRegistry([tool]), approval });
    const [execution] = await executor.run([{ name: tool.name, args }], { conversation: "test" });
    return execution?.brings ?? [];
  }

  it.each<[tool: (root: Root) => Tool, args: JsonObject, source: string]>([
    [readTool, { file: "src/main.ts" }, "read src/main.ts"],
    [readTool, { file: "none.ts" }, "read none.ts"],
    [findTool, { content: "import" }, "find ."],
    [findTool, { path: "src", pattern: "*.ts" }, "find src"],
    [listTool, { path: "src" }, "list src"],
    [replaceTool, { path: "src", find: "import", with: "x" }, "replace src"],
    [editTool, { file: "src/main.ts", edits: [{ old: "none", new: "x" }] }, "edit src/main.ts"],
  ])("is private, with its source, and not untrusted if no file is marked", async (tool, args, source) => {
    expect(await brought(tool, await open(), args)).toEqual([{ holds: "private", source }]);
    expect(await brought(tool, await open(["vendor/**"]), args)).toEqual([{ holds: "private", source }]);
  });

  it("is neither private nor untrusted for a write", async () => {
    expect(await brought(writeTool, await open(["**"]), { file: "a.txt", content: "x" })).toEqual([]);
  });

  describe("is untrusted as well", () => {
    it.each<[what: string, tool: (root: Root) => Tool, args: JsonObject, globs: string[], source: string | undefined]>([
      ["a marked file", readTool, { file: "vendor/a.ts" }, ["vendor/**"], "vendor/a.ts"],
      ["one through a link", readTool, { file: "alias/a.ts" }, ["vendor/**"], "vendor/a.ts"],
      ["one by a detour", readTool, { file: "src/../vendor/deep/b.ts" }, ["vendor/**"], "vendor/deep/b.ts"],
      ["one in a marked folder", readTool, { file: "vendor/deep/b.ts" }, ["vendor"], "vendor/deep/b.ts"],
      ["a name in all folders", readTool, { file: "src/mail.eml" }, ["*.eml"], "src/mail.eml"],
      ["another letter case", readTool, { file: "vendor/a.ts" }, ["Vendor/"], "vendor/a.ts"],
      ["an absolute glob", readTool, { file: "vendor/a.ts" }, ["/**/vendor/**"], "vendor/a.ts"],
      ["a file beside", readTool, { file: "src/main.ts" }, ["vendor/**"], undefined],
      ["a folder whose name begins alike", readTool, { file: "vendors/a.ts" }, ["vendor/**"], undefined],
      ["a search that looks into one", findTool, { content: "none of it" }, ["vendor/**"], "vendor/a.ts"],
      ["a search by name", findTool, { pattern: "*.ts" }, ["vendor/**"], "vendor/a.ts"],
      ["a search in it", findTool, { path: "vendor", content: "needle" }, ["vendor/**"], "vendor/a.ts"],
      ["a search beside", findTool, { path: "src", content: "needle" }, ["vendor/**"], undefined],
      ["a search that leaves it out", findTool, { pattern: "src/**", content: "needle" }, ["vendor/**"], undefined],
      ["a list in it", listTool, { path: "vendor" }, ["vendor/**"], "vendor"],
      ["a list that goes into it", listTool, { depth: 2 }, ["vendor/**"], "vendor"],
      ["a list that only names it", listTool, {}, ["vendor/**"], undefined],
      ["a replace that looks into it", replaceTool, { find: "no such", with: "x" }, ["vendor/**"], "vendor/a.ts"],
      [
        "an edit that shows its lines",
        editTool,
        { file: "vendor/a.ts", edits: [{ old: "x", new: "y" }] },
        ["vendor/**"],
        "vendor/a.ts",
      ],
    ])("only if the call looked into a marked file: %s", async (_, tool, args, globs, source) => {
      for (const path of ["vendor/a.ts", "vendor/deep/b.ts", "vendors/a.ts", "src/mail.eml"]) await put(path);
      await symlink("vendor", join(ground.root, "alias"));
      const content = (await brought(tool, await open(globs), args)).filter(({ holds }) => holds === "untrusted");
      expect(content).toEqual(source === undefined ? [] : [{ holds: "untrusted", source }]);
    });

    it("for a file that an earlier call of the same batch turned into a marked one", async () => {
      await put("vendor/a.ts");
      const root = await open(["vendor/**"]);
      await put("notes.txt");
      const link = defineTool({
        name: "link",
        description: "Put a link in the place of a file.",
        input: { type: "object", properties: {} },
        resource: () => [`tree:${root.path}`, `folder:${root.path}`],
        async execute() {
          await rm(join(ground.root, "notes.txt"));
          await symlink("vendor/a.ts", join(ground.root, "notes.txt"));
        },
      });
      const executor = createExecutor({ registry: createRegistry([link, readTool(root)]) });
      const calls = [
        { name: "link", args: {} },
        { name: "read", args: { file: "notes.txt" } },
      ];
      const [, read] = await executor.run(calls, { conversation: "test" });
      expect(read?.brings).toEqual([
        { holds: "private", source: "read notes.txt" },
        { holds: "untrusted", source: "vendor/a.ts" },
      ]);
    });

    it("before a call begins, if the call may read a marked file", async () => {
      await put("vendor/a.ts");
      const root = await open(["vendor/**"]);
      const holds = (tool: Tool, args: JsonObject) => tool.brings?.(args).map((content) => content.holds);
      expect(holds(findTool(root), { path: "src", content: "x" })).toEqual(["private", "untrusted"]);
      expect(holds(readTool(root), { file: "vendor/a.ts" })).toEqual(["private", "untrusted"]);
      expect(holds(readTool(root), { file: "src/main.ts" })).toEqual(["private"]);
    });
  });

  it("is decided by valid globs only", async () => {
    await expect(open(["../vendor"])).rejects.toMatchObject({ code: "pattern_invalid" });
  });
});
