import { basename, dirname } from "node:path";
import { defineTool, type Tool, type ToolContext } from "@cogency/tools";
import * as z from "zod";
import { applyEdits, type Edit } from "./apply-edits.ts";
import { changeablePath } from "./changeable-path.ts";
import { withFolder } from "./confined-folder.ts";
import { editError } from "./edit-error.ts";
import { existingFile } from "./existing-path.ts";
import { replaceFile } from "./replace-file.ts";
import { writeKeys } from "./resources.ts";
import type { Root } from "./root.ts";
import { lineRanges } from "./spans.ts";
import { onPath } from "./system-error.ts";
import { textArgument } from "./text-argument.ts";
import { changeableText } from "./text-file.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** What `edit` returns. */
export interface Edited {
  file: string;
  /** How many places were replaced. */
  replaced: number;
  /** The lines that now hold the new text, counted from 1; at most 20 ranges. */
  lines: [from: number, to: number][];
}

/** `edit`: replaces exact parts of a file, all or nothing. Its progress is the change: `{ file, diff }`. */
export function editTool(root: Root): Tool {
  return defineTool({
    name: "edit",
    description:
      "Replace exact parts of a text file. The edits are applied in order, and either all of them or none; each old text must occur exactly once.",
    input: z.object({
      file: z.string().describe("path of the file, relative to the root folder"),
      edits: z
        .array(
          z.object({
            old: textArgument()
              .min(1)
              .max(LONGEST_OLD)
              .describe("text as it is in the file, white space included, with enough around it to be unique"),
            new: textArgument().describe("what to put in its place"),
            all: z.boolean().optional().describe("replace every occurrence"),
          }),
        )
        .min(1)
        .max(50)
        .describe("1 to 50 edits"),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    resource: ({ file }) => writeKeys(root, file),
    execute: ({ file, edits }, context) => onPath(file, () => edit(root, file, edits, context)),
  });
}

const LONGEST_OLD = 65_536;
const MOST_RANGES = 20;

async function edit(
  root: Root,
  asked: string,
  edits: readonly Edit[],
  { signal, progress }: ToolContext,
): Promise<Edited> {
  const path = await existingFile(root, asked, changeablePath);
  const name = basename(path.real);
  return withFolder(root, dirname(path.real), async (folder) => {
    const before = await changeableText(folder, name, asked);
    const { text, replaced, spans, failures } = applyEdits(before, edits, asked);
    if (failures.length > 0) throw editError(asked, edits.length, failures);
    signal.throwIfAborted();
    await replaceFile(folder, name, new TextEncoder().encode(text), signal, before);
    progress({ file: path.relative, diff: unifiedDiff(path.relative, before, text) });
    return { file: path.relative, replaced, lines: lineRanges(text, spans).slice(0, MOST_RANGES) };
  });
}
