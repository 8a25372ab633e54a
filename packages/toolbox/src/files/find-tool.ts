import { join } from "node:path";
import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { type ArgumentsOf, lazyInput } from "../lazy-input.ts";
import { checkRoot } from "../options.ts";
import parameters from "../parameters.json" with { type: "json" };
import { onPath } from "../system-error.ts";
import { Provenance } from "./calls/provenance.ts";
import { folderKeys } from "./calls/resources.ts";
import { withFolder } from "./confine/confined-folder.ts";
import { existingFolder, literalFile } from "./confine/existing-path.ts";
import { type Root, shownBelow } from "./confine/root.ts";
import { bracketNote } from "./glob.ts";
import { type IgnoreRules, rulesAbove } from "./search/ignore-rules.ts";
import { type FileMatch, type Finding, findFiles, findLines } from "./search/search.ts";
import { countSkipped, noteOf, type Skipped } from "./search/skipped.ts";
import { pathArgument } from "./text/path-argument.ts";
import { compileSearch } from "./text/text-search.ts";

/** What `find` returns: `files` when only names were asked for, else `matches`. Paths are those that `read` takes. */
export type Found = ({ files: string[] } | { matches: FileMatch[] }) & {
  /** There may be more results. */
  truncated?: true;
  /** How many files were not searched, and why; absent when all were. */
  skipped?: Skipped;
  /** Which rules of git were not applied; absent if all were. */
  note?: string;
};

/** `find`: files by name, lines by content, or both. */
export function findTool(root: Root): Tool<"find"> {
  checkRoot("findTool", root);
  const provenance = new Provenance(root, "find");
  return defineTool({
    name: "find",
    description:
      "Find files by name (pattern), or lines by content in all files or those that match the pattern. Leaves out .git, node_modules, .venv and the like unless path names them, and what git ignores.",
    input: findInput,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    resource: ({ path }) => folderKeys(root, path),
    brings: (args) => provenance.brings(args, args.path, true),
    execute: (args, { signal }) => onPath(args.path, () => find(root, provenance, args, signal)),
  });
}

const mostFiles = 200;
const mostMatches = 100;

export const findInput = lazyInput(parameters.find, () =>
  z
    .object({
      pattern: z
        .string()
        .min(1)
        .max(250)
        .optional()
        .describe('glob; without "/" it is matched against file names in all folders'),
      content: z.string().min(1).optional().describe("text that the lines contain"),
      path: pathArgument().default(".").describe("folder to look in, relative to the root folder"),
      regex: z.boolean().optional().describe("content is a regular expression in RE2 syntax"),
      ignoreCase: z.boolean().optional().describe("content matches in any letter case"),
      ignored: z.boolean().optional().describe("search files that git ignores, too"),
    })
    .refine(({ pattern, content }) => pattern !== undefined || content !== undefined, {
      error: 'give "pattern", "content" or both',
    })
    .meta({ anyOf: [{ required: ["pattern"] }, { required: ["content"] }] }),
);

async function find(
  root: Root,
  provenance: Provenance,
  args: ArgumentsOf<typeof findInput>,
  signal: AbortSignal,
): Promise<Found> {
  provenance.onBegin(args);
  const path = await existingFolder(root, args.path);
  const { content, pattern } = args;
  const search = content === undefined ? undefined : compileSearch({ ...args, text: content });
  const rules = args.ignored ? undefined : await rulesAbove(root, path.real);
  return withFolder(root, path.real, async (folder) => {
    const onFile = (real: string) => provenance.onFile(args, real);
    const wanted = { pattern, rules, signal, onFile };
    if (search === undefined) {
      const literal = await literalFile(root, path.real, pattern);
      if (literal !== undefined) onFile(join(path.real, literal));
      const { found, ...rest } = await collect(findFiles(folder, wanted), mostFiles);
      const files = literal === undefined ? found : [literal, ...found.filter((file) => file !== literal)];
      return {
        files: files.slice(0, mostFiles).map((file) => shownBelow(path.relative, file)),
        ...rest,
        ...noted(rules, literal !== undefined || found.length === 0 ? pattern : undefined),
      };
    }
    const { found, ...rest } = await collect(findLines(folder, wanted, search), mostMatches);
    return {
      matches: found.map((match) => ({ ...match, file: shownBelow(path.relative, match.file) })),
      ...rest,
      ...noted(rules, found.length === 0 ? pattern : undefined),
    };
  });
}

/** @param pattern one that may mean something else than the model thinks */
function noted(rules: IgnoreRules | undefined, pattern: string | undefined): { note?: string } {
  const note = noteOf([...(rules?.problems ?? []), bracketNote(pattern)]);
  return note === undefined ? {} : { note };
}

interface Collected<T> {
  found: T[];
  truncated?: true;
  skipped?: Skipped;
}

async function collect<T>(findings: AsyncIterable<Finding<T>>, limit: number): Promise<Collected<T>> {
  const collected: Collected<T> = { found: [] };
  for await (const finding of findings) {
    if (finding.kind === "skipped") collected.skipped = countSkipped(collected.skipped, finding.reason);
    else if (collected.found.length < limit) collected.found.push(finding.found);
    else return { ...collected, truncated: true };
  }
  return collected;
}
