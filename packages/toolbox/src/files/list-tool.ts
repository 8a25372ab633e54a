import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { lazyInput } from "../lazy-input.ts";
import { checkRoot } from "../options.ts";
import parameters from "../parameters.json" with { type: "json" };
import { onPath } from "../system-error.ts";
import { Provenance } from "./calls/provenance.ts";
import { folderKeys } from "./calls/resources.ts";
import { existingFolder } from "./confine/existing-path.ts";
import type { Root } from "./confine/root.ts";
import { listTree, type Tree } from "./search/list-tree.ts";
import { pathArgument } from "./text/path-argument.ts";

/** What `list` returns. */
export interface Listing extends Tree {
  /** The folder, as it is shown. */
  path: string;
}

/** `list`: shows the entries of a folder, some levels deep. */
export function listTool(root: Root): Tool<"list"> {
  checkRoot("listTool", root);
  const provenance = new Provenance(root, "list");
  return defineTool({
    name: "list",
    description:
      'List what is in a folder, at most 500 entries; those of folders end in "/". Leaves out .git, node_modules, .venv and the like unless path names them; deeper levels leave out what is in folders that git ignores.',
    input: listInput,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    resource: ({ path }) => folderKeys(root, path),
    // File names are content, too: a stranger's folder may have sentences as names.
    brings: (args) => provenance.brings(args, args.path, true),
    execute: (args, { signal }) =>
      onPath(args.path, async (): Promise<Listing> => {
        provenance.onBegin(args);
        const { real, relative } = await existingFolder(root, args.path);
        const onFolder = (folder: string) => provenance.onFile(args, folder);
        return { path: relative, ...(await listTree(root, real, { ...args, signal, onFolder })) };
      }),
  });
}

export const listInput = lazyInput(parameters.list, () =>
  z.object({
    path: pathArgument().default(".").describe("path of the folder, relative to the root folder"),
    depth: z.int().min(1).max(8).default(1).describe("how many levels to show"),
    pattern: z
      .string()
      .min(1)
      .max(250)
      .optional()
      .describe('glob of the entries to show; without "/" it is matched against names in all levels'),
  }),
);
