import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { grounds } from "../../../test/grounds.ts";
import { withFolder } from "../confine/confined-folder.ts";
import { openRoot } from "../confine/root.ts";
import { walkFiles } from "./walk-files.ts";

describe("walkFiles", () => {
  const ground = grounds();
  const { signal } = new AbortController();

  it("yields every regular file below a folder in the order of the paths, and follows no link", async () => {
    const paths: string[] = [];
    await withFolder(await openRoot(ground.root, { access: "project" }), ground.root, async (folder) => {
      for await (const { path } of walkFiles(folder, { signal })) paths.push(path);
    });
    expect(paths).toEqual(["config.json", "src/deep/part.ts", "src/main.ts"]);
  });

  it("continues when a folder disappears during the walk", async () => {
    const walked: string[] = [];
    await withFolder(await openRoot(ground.root, { access: "project" }), ground.root, async (folder) => {
      for await (const { kind, path } of walkFiles(folder, { signal })) {
        walked.push(`${kind} ${path}`);
        if (path === "config.json") await rm(join(ground.root, "src"), { recursive: true });
      }
    });
    expect(walked).toEqual(["file config.json", "unreadable src"]);
  });

  it("closes every folder when the consumer stops early", async () => {
    const opened = await withFolder(await openRoot(ground.root, { access: "project" }), ground.root, async (folder) => {
      for await (const walked of walkFiles(folder, { signal })) {
        if (walked.kind === "file" && walked.name === "part.ts") return walked.folder;
      }
      return undefined;
    });
    await expect(opened?.openFile("part.ts")).rejects.toMatchObject({ name: "ToolboxError" });
  });
});
