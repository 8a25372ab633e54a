import type { JsonObject } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { ArgumentsRefused, call } from "../test/call.ts";
import { contents, grounds } from "../test/grounds.ts";
import { hostilePaths } from "../test/hostile-paths.ts";
import { ToolboxError } from "./errors.ts";
import { openRoot, type Root } from "./files/confine/root.ts";
import { editTool } from "./files/edit-tool.ts";
import { findTool } from "./files/find-tool.ts";
import { listTool } from "./files/list-tool.ts";
import { readTool } from "./files/read-tool.ts";
import { replaceTool } from "./files/replace-tool.ts";
import { writeTool } from "./files/write-tool.ts";

/** Every argument of a file tool that is a path, with other arguments that would have an effect if the path were accepted. */
const ways: Record<string, [tool: (root: Root) => Tool, args: (path: string) => JsonObject]> = {
  read: [readTool, (file) => ({ file })],
  "read a page": [readTool, (file) => ({ file, from: 1, lines: 1 })],
  "write a new file": [writeTool, (file) => ({ file, content: "mine" })],
  "overwrite a file": [writeTool, (file) => ({ file, content: "mine", overwrite: true })],
  edit: [editTool, (file) => ({ file, edits: [{ old: "SECRET", new: "mine" }] })],
  list: [listTool, (path) => ({ path })],
  "list a tree": [listTool, (path) => ({ path, depth: 3, pattern: "*" })],
  "find by name": [findTool, (path) => ({ path, pattern: "*" })],
  "find by content": [findTool, (path) => ({ path, content: "SEC.*", regex: true, ignored: true })],
  replace: [replaceTool, (path) => ({ path, find: "SECRET", with: "mine", ignored: true })],
  "replace in a dry run": [replaceTool, (path) => ({ path, find: "SECRET", with: "mine", dryRun: true })],
};

/** The code with which the toolbox refuses something, `arguments` if the tool's schema does; undefined if nothing does. */
async function codeOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ArgumentsRefused) return "arguments";
    return error instanceof ToolboxError ? error.code : error;
  }
}

describe.each([
  ["project", "descriptor"],
  ["project", "path"],
  ["sandbox", "descriptor"],
  ["sandbox", "path"],
] as const)("the file tools, with %s access, anchored by %s", (access, anchor) => {
  const ground = grounds(access);
  const open = async (): Promise<Root> => {
    const root = await openRoot(ground.host, { access });
    // Only Linux can reach files through a descriptor. On other systems both runs are the same.
    return root.anchor === "descriptor" ? { ...root, anchor } : root;
  };
  const everything = async () => [
    await contents(ground.root),
    await contents(ground.outside),
    await contents(ground.sibling),
  ];

  it.each(Object.entries(ways))("refuse in %s every path that leaves the root, and change nothing", async (_, way) => {
    const [make, args] = way;
    const tool = make(await open());
    const before = await everything();
    const paths = hostilePaths(ground);
    expect(paths.length).toBeGreaterThanOrEqual(40);
    const refused = await Promise.all(
      paths.map(async ([path]) => [
        path,
        await codeOf(() => call(tool, args(path))),
        // `resource` must refuse it already, so that no person is asked to approve it.
        await codeOf(() => tool.resource?.(args(path))),
      ]),
    );
    // The schemas say that a path is not empty, so a tool never sees an empty one.
    expect(refused).toEqual(paths.map(([path, code]) => [path, path === "" ? "arguments" : code, code]));
    expect(await everything()).toEqual(before);
  });

  it("work inside the root", async () => {
    const root = await open();
    expect(await call(writeTool(root), { file: "new/a.txt", content: "needle" })).toMatchObject({ created: true });
    expect(await call(editTool(root), { file: "new/a.txt", edits: [{ old: "nee", new: "nea" }] })).toMatchObject({
      replaced: 1,
    });
    expect(await call(replaceTool(root), { path: "new", find: "nea", with: "nee" })).toMatchObject({ total: 1 });
    expect(await call(readTool(root), { file: `${ground.root}/new/a.txt` })).toBe("needle");
    expect(await call(listTool(root), { path: "new" })).toEqual({ path: "new", entries: ["a.txt"] });
    expect(await call(findTool(root), { content: "needle" })).toMatchObject({ matches: [{ file: "new/a.txt" }] });
  });
});
