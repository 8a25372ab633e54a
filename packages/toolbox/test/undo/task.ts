import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createKeyRing } from "@cogency/tools";
import { openRoot } from "../../src/files/confine/root.ts";
import { editTool } from "../../src/files/edit-tool.ts";
import { replaceTool } from "../../src/files/replace-tool.ts";
import { writeTool } from "../../src/files/write-tool.ts";
import { openUndo, type Undo } from "../../src/undo.ts";
import { call } from "../call.ts";
import { type Deed, doDeed } from "./deeds.ts";

export const key = { conversation: "test" };

/** Lays out the files that a task begins with. */
export async function layOut(root: string): Promise<void> {
  await mkdir(join(root, "src"), { recursive: true });
  await writeFile(join(root, "src", "main.ts"), "main: old\n");
  await writeFile(join(root, "src", "part.ts"), "part: old\n");
  await writeFile(join(root, "run.sh"), "#!/bin/sh\nold\n");
  await chmod(join(root, "run.sh"), 0o754);
}

/** The changes that a task makes, one call after another. */
export async function work(root: string, undo: Undo): Promise<void> {
  const opened = await openRoot(root, { access: "project" });
  const [write, edit, replace] = [
    writeTool(opened, { undo }),
    editTool(opened, { undo }),
    replaceTool(opened, { undo }),
  ];
  await call(write, { file: "docs/deep/new.md", content: "new\n" });
  await call(edit, { file: "run.sh", edits: [{ old: "old", new: "once" }] });
  await call(replace, { find: "old", with: "new", path: "src" });
  await call(write, { file: "run.sh", content: "#!/bin/sh\ntwice\n", overwrite: true });
}

/** What two commands change, one of which makes folders of files and files of folders. */
export async function workByCommands(root: string, undo: Undo): Promise<void> {
  const opened = await openRoot(root, { access: "project" });
  const deeds: Deed[][] = [
    [
      { does: "append", path: "run.sh", word: "more\n" },
      { does: "write", path: "src/main.ts", word: "main: new\n" },
      { does: "delete", path: "src/part.ts" },
      { does: "folder", path: "docs/deep" },
      { does: "write", path: "docs/deep/new.md", word: "new\n" },
    ],
    [
      { does: "write", path: "src", word: "a file\n" },
      { does: "folder", path: "run.sh" },
      { does: "write", path: "run.sh/inner", word: "inner\n" },
      { does: "link", path: "link", word: "src" },
      { does: "mode", path: "docs", mode: 0o700 },
    ],
  ];
  for (const [index, some] of deeds.entries()) {
    const id = `call_${index + 1}`;
    const watch = await undo.watch(opened, { call: { id, name: "shell", args: {} }, ...key, user: undefined });
    for (const deed of some) await doDeed(root, deed);
    await watch.ended();
  }
}

/** Takes back everything that the task has done. */
export async function takeBack(undo: Undo): Promise<readonly string[]> {
  const [first] = await undo.entries(key);
  if (first === undefined) return [];
  const { left } = await undo.undo(key, { from: first.id });
  return left.map(({ file, message }) => `${file} ${message}`);
}

export function openCopies(base: string): Undo {
  // Several processes open the copies, and one ring of theirs signs the journal.
  return openUndo({ folder: join(base, "undo"), keyRing: createKeyRing(["k".repeat(32)]) });
}

/** Each file below a folder with its mode and content; no folders, and nothing that a crash may leave. */
export async function filesIn(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || /^\.cogency-.*\.tmp$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const { mode } = await stat(path);
    found[path.slice(root.length + 1)] = `${(mode & 0o777).toString(8)} ${await readFile(path, "utf8")}`;
  }
  return found;
}
