import { basename, dirname } from "node:path";
import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { ToolboxError } from "../errors.ts";
import { withFolder } from "./confined-folder.ts";
import { existingFile, notRegular } from "./existing-path.ts";
import { fileKeys } from "./resources.ts";
import type { Root } from "./root.ts";
import { LARGEST_SEARCHED } from "./search.ts";
import { onPath } from "./system-error.ts";
import { readTextFile } from "./text-file.ts";

/** `read`: the whole text of a file, as a string. */
export function readTool(root: Root): Tool {
  return defineTool({
    name: "read",
    description: `Read a text file (UTF-8, at most ${LIMIT / 1024} KiB). Returns its whole content.`,
    input: z.object({ file: z.string().describe("path of the file, relative to the root folder") }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    resource: ({ file }) => fileKeys(root, file),
    execute: ({ file }) => onPath(file, () => read(root, file)),
  });
}

const LIMIT = 256 * 1024;

async function read(root: Root, file: string): Promise<string> {
  const path = await existingFile(root, file);
  const content = await withFolder(root, dirname(path.real), (folder) =>
    readTextFile(folder, basename(path.real), LIMIT),
  );
  switch (content.kind) {
    case "text":
      return content.text;
    case "too_large":
      throw new ToolboxError(
        "too_large",
        file,
        `"${file}" has at least ${content.size} bytes, more than the ${LIMIT} that can be read. ${elsewhere(content.size)}`,
      );
    case "not_text":
      throw new ToolboxError("not_text", file, `"${file}" is no UTF-8 text: it holds binary data or another encoding.`);
    case "not_a_file":
      throw notRegular(file);
  }
}

function elsewhere(size: number): string {
  return size > LARGEST_SEARCHED
    ? `find does not search in it either: it takes files of at most ${LARGEST_SEARCHED} bytes.`
    : 'Use find with "content" to get the lines you need.';
}
