import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { withFolder } from "./confined-folder.ts";
import { existingFolder } from "./existing-path.ts";
import { folderKeys } from "./resources.ts";
import type { Root } from "./root.ts";
import { type Finding, findFiles, findLines, type Match, type SkipReason, type Wanted } from "./search.ts";
import { onPath } from "./system-error.ts";

/** What `find` returns: `files` when only names were asked for, else `matches`. Paths are relative to the root. */
export type Found = ({ files: string[] } | { matches: Match[] }) & {
  /** There may be more than what is given. */
  truncated?: true;
  /** How many files were not searched, and why; absent when all were. */
  skipped?: Skipped;
};

export type Skipped = { [reason in SkipReason]?: number };

/** `find`: files by name, lines by content, or both. */
export function findTool(root: Root): Tool {
  return defineTool({
    name: "find",
    description:
      'Find files by name (glob "pattern"), or lines that contain a text ("content", plain, case-sensitive) in all files or those that match the pattern. Leaves out .git and node_modules.',
    input: z
      .object({
        pattern: z
          .string()
          .min(1)
          .max(250)
          .optional()
          .describe('glob; without "/" it is matched against file names in all folders'),
        content: z.string().min(1).optional().describe("text that the lines contain"),
        path: z.string().default(".").describe("folder to look in, relative to the root folder"),
      })
      .refine(({ pattern, content }) => pattern !== undefined || content !== undefined, {
        error: 'give "pattern", "content" or both',
      }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    resource: ({ path }) => folderKeys(root, path),
    execute: ({ pattern, content, path }, { signal }) =>
      onPath(path, () => find(root, path, { pattern, content, signal })),
  });
}

const MOST_FILES = 200;
const MOST_MATCHES = 100;

async function find(root: Root, asked: string, wanted: Wanted): Promise<Found> {
  const path = await existingFolder(root, asked);
  const { content } = wanted;
  return withFolder(root, path.real, async (folder) => {
    const above = path.relative === "." ? "" : `${path.relative}/`;
    if (content === undefined) {
      const { found, ...rest } = await collect(findFiles(folder, wanted), MOST_FILES);
      return { files: found.map((file) => above + file), ...rest };
    }
    const { found, ...rest } = await collect(findLines(folder, { ...wanted, content }), MOST_MATCHES);
    return { matches: found.map((match) => ({ ...match, file: above + match.file })), ...rest };
  });
}

interface Collected<T> {
  found: T[];
  truncated?: true;
  skipped?: Skipped;
}

async function collect<T>(findings: AsyncIterable<Finding<T>>, limit: number): Promise<Collected<T>> {
  const collected: Collected<T> = { found: [] };
  for await (const finding of findings) {
    if (finding.kind === "skipped") {
      const skipped = collected.skipped ?? {};
      collected.skipped = { ...skipped, [finding.reason]: (skipped[finding.reason] ?? 0) + 1 };
    } else if (collected.found.length < limit) {
      collected.found.push(finding.found);
    } else {
      return { ...collected, truncated: true };
    }
  }
  return collected;
}
