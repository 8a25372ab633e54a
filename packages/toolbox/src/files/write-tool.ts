import { basename, dirname } from "node:path";
import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { ToolboxError } from "../errors.ts";
import { withFolder } from "./confined-folder.ts";
import { confinePath } from "./confined-path.ts";
import { notRegular } from "./existing-path.ts";
import { replaceFile } from "./replace-file.ts";
import { writeKeys } from "./resources.ts";
import type { Root } from "./root.ts";
import { onPath } from "./system-error.ts";

/** `write`: creates a file or replaces all of it. Returns `{ bytes }`, the size of the file. */
export function writeTool(root: Root): Tool {
  return defineTool({
    name: "write",
    description: "Write a text file: create it, with the folders it needs, or replace its whole content.",
    input: z.object({
      file: z.string().describe("path of the file, relative to the root folder"),
      content: z.string().describe("the whole new content"),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    resource: ({ file }) => writeKeys(root, file),
    execute: ({ file, content }, { signal }) => onPath(file, () => write(root, file, content, signal)),
  });
}

async function write(root: Root, file: string, content: string, signal: AbortSignal): Promise<{ bytes: number }> {
  const path = await confinePath(root, file);
  if (path.kind === "folder" || (path.kind === "missing" && /[\\/]\.?$/.test(file))) {
    throw new ToolboxError("not_a_file", file, `"${file}" names a folder. Give the path of a file in it.`);
  }
  if (path.kind === "other") throw notRegular(file);
  signal.throwIfAborted();
  const bytes = new TextEncoder().encode(content);
  await withFolder(root, dirname(path.real), (folder) => replaceFile(folder, basename(path.real), bytes, signal), {
    create: true,
  });
  return { bytes: bytes.length };
}
