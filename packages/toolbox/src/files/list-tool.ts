import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { withFolder } from "./confined-folder.ts";
import { existingFolder } from "./existing-path.ts";
import { folderKeys } from "./resources.ts";
import type { Root } from "./root.ts";
import { onPath } from "./system-error.ts";

/** What `list` returns. */
export interface Listing {
  /** The folder, relative to the root. */
  path: string;
  /** Names, sorted; those of folders end in `/`. */
  entries: string[];
  /** How many entries were left out at the end; absent when none. */
  truncated?: number;
}

/** `list`: what is in a folder, one level deep. */
export function listTool(root: Root): Tool {
  return defineTool({
    name: "list",
    description: `List what is in a folder, at most ${LIMIT} names. Names of folders end in "/".`,
    input: z.object({ path: z.string().default(".").describe("path of the folder, relative to the root folder") }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    resource: ({ path }) => folderKeys(root, path),
    execute: ({ path }) => onPath(path, () => list(root, path)),
  });
}

const LIMIT = 500;

async function list(root: Root, asked: string): Promise<Listing> {
  const path = await existingFolder(root, asked);
  const found = await withFolder(root, path.real, (folder) => folder.entries());
  const entries = found.slice(0, LIMIT).map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  const listing = { path: path.relative, entries };
  return found.length > LIMIT ? { ...listing, truncated: found.length - LIMIT } : listing;
}
