import { setImmediate } from "node:timers/promises";
import { defineTool, type Tool, type ToolContext } from "@cogency/tools";
import * as z from "zod";
import { ToolboxError } from "../errors.ts";
import { changeablePath } from "./changeable-path.ts";
import { withFolder } from "./confined-folder.ts";
import type { ConfinedPath } from "./confined-path.ts";
import { existingFolder } from "./existing-path.ts";
import { rulesAbove } from "./ignore-rules.ts";
import { type FileChange, replaceFiles } from "./replace-files.ts";
import { replaceMatches } from "./replace-matches.ts";
import { compileReplacement, type Replacement } from "./replacement.ts";
import { treeKeys } from "./resources.ts";
import { type Root, shownBelow } from "./root.ts";
import { findTexts } from "./search.ts";
import { countSkipped, type Skipped } from "./skipped.ts";
import { onPath } from "./system-error.ts";
import { textArgument } from "./text-argument.ts";
import { LARGEST_TEXT } from "./text-file.ts";
import { compileSearch, type TextSearch } from "./text-search.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** What `replace` returns. */
export interface ReplacedFiles {
  /** The changed files and the number of replacements in each; at most 100 of them. */
  files: { file: string; replacements: number }[];
  /** The number of replacements in all files. */
  total: number;
  /** How many changed files are not listed; absent when all are. */
  unlisted?: number;
  /** How many files were not searched, and why; absent when all were. */
  skipped?: Skipped;
  /** Nothing was written. */
  dryRun?: true;
}

/**
 * `replace`: replaces a text or an expression in many files, all or none. Its progress is `{ file, diff }` for the
 * first 50 files.
 */
export function replaceTool(root: Root): Tool {
  return defineTool({
    name: "replace",
    description:
      "Replace a text in all files of a folder or those that match a pattern; all files are changed or none. Leaves out .git, node_modules and what git ignores.",
    input,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    resource: ({ path }) => treeKeys(root, path),
    execute: (args, context) => onPath(args.path, () => replace(root, args, context)),
  });
}

const MOST_CHANGED = 200;
const MOST_LISTED = 100;

const input = z.object({
  find: textArgument().min(1).describe("text to replace"),
  with: textArgument().describe("what to put in its place; with regex, $1 or $<name> is a group and $& the match"),
  regex: z.boolean().optional().describe("find is a regular expression in RE2 syntax"),
  ignoreCase: z.boolean().optional().describe("find matches in any letter case"),
  pattern: z
    .string()
    .min(1)
    .max(250)
    .optional()
    .describe('glob; without "/" it is matched against file names in all folders'),
  path: z.string().default(".").describe("folder to work in, relative to the root folder"),
  dryRun: z.boolean().default(false).describe("only tell what would be changed"),
  ignored: z.boolean().optional().describe("change files that git ignores, too"),
});

type ReplaceArgs = z.output<typeof input>;

async function replace(root: Root, args: ReplaceArgs, { signal, progress }: ToolContext): Promise<ReplacedFiles> {
  const path = await existingFolder(root, args.path, changeablePath);
  const search = compileSearch({ ...args, text: args.find });
  const replacement = args.regex ? compileReplacement(args.with, search) : () => args.with;
  const { changes, searched, skipped } = await planned(root, path, args, search, replacement, signal);
  if (changes.length === 0) throw noMatch(args, searched, skipped);
  if (!args.dryRun) await replaceFiles(root, changes, signal);
  await show(changes, signal, progress);
  const files = changes.slice(0, MOST_LISTED).map(({ file, replacements }) => ({ file, replacements }));
  const unlisted = changes.length - files.length;
  return {
    files,
    total: changes.reduce((sum, { replacements }) => sum + replacements, 0),
    ...(unlisted > 0 && { unlisted }),
    ...(skipped && { skipped }),
    ...(args.dryRun && { dryRun: true }),
  };
}

/** What was done stands, so that a signal only ends the showing of it. */
async function show(
  changes: readonly PlannedChange[],
  signal: AbortSignal,
  progress: ToolContext["progress"],
): Promise<void> {
  for (const { file, before, after } of changes.slice(0, MOST_SHOWN)) {
    // Comparing texts takes time, and others want to run meanwhile.
    await setImmediate();
    if (signal.aborted) return;
    progress({ file, diff: unifiedDiff(file, before, after) });
  }
}

const MOST_SHOWN = 50;

interface PlannedChange extends FileChange {
  file: string;
  replacements: number;
}

interface Plan {
  changes: PlannedChange[];
  searched: number;
  skipped: Skipped | undefined;
}

/** Everything is computed before anything is written. */
async function planned(
  root: Root,
  path: ConfinedPath,
  { pattern, ignored }: ReplaceArgs,
  search: TextSearch,
  replacement: Replacement,
  signal: AbortSignal,
): Promise<Plan> {
  const rules = ignored ? undefined : await rulesAbove(root, path.real);
  return withFolder(root, path.real, async (top) => {
    let held = 0;
    const plan: Plan = { changes: [], searched: 0, skipped: undefined };
    for await (const finding of findTexts(top, { pattern, rules, signal })) {
      if (finding.kind === "skipped") {
        plan.skipped = countSkipped(plan.skipped, finding.reason);
        continue;
      }
      plan.searched += 1;
      const { folder, name, text: before } = finding.found;
      const file = shownBelow(path.relative, finding.found.path);
      const replaced = replaceMatches(before, search, replacement, MOST_GROWTH * LARGEST_TEXT);
      if (replaced.kind === "too_large") throw tooLarge(file);
      if (replaced.text === before) continue;
      if (plan.changes.length === MOST_CHANGED) throw tooMany(path.asked);
      held += before.length + replaced.text.length;
      if (held > MOST_HELD) throw tooMuch(path.asked);
      plan.changes.push({
        folder: folder.path,
        name,
        before,
        after: replaced.text,
        file,
        replacements: replaced.count,
      });
    }
    return plan;
  });
}

const MOST_GROWTH = 4;

/** Characters of all old and new texts, which are in memory together. */
const MOST_HELD = 64 * 1024 * 1024;

function tooMuch(asked: string): ToolboxError {
  const problem = "The files to be changed hold more than 64 MiB of old and new text, so none was changed.";
  return new ToolboxError("too_many", asked, `${problem} Narrow "path" or "pattern", and make several calls.`);
}

function tooLarge(file: string): ToolboxError {
  const problem = `"${file}" would grow over ${MOST_GROWTH} MiB, so nothing was changed.`;
  return new ToolboxError("too_large", file, `${problem} Look at "find" and "with" once more.`);
}

function tooMany(asked: string): ToolboxError {
  const problem = `More than ${MOST_CHANGED} files would be changed, so none was.`;
  return new ToolboxError("too_many", asked, `${problem} Narrow "path" or "pattern", and make several calls.`);
}

function noMatch(
  { find, with: replacement, path, pattern, ignored }: ReplaceArgs,
  searched: number,
  skipped?: Skipped,
) {
  const where = `in ${searched} ${searched === 1 ? "file" : "files"} in "${path}"${pattern === undefined ? "" : ` that match "${pattern}"`}`;
  const unsearched = Object.entries(skipped ?? {}).map(([reason, count]) => `${count} ${reason}`);
  const also = unsearched.length > 0 ? ` Not searched: ${unsearched.join(", ")}.` : "";
  const advice = ignored ? "" : ' Files that git ignores were left out; "ignored": true changes those, too.';
  const shown = JSON.stringify(find.slice(0, 100));
  const problem = `Nothing was changed: ${shown} is nowhere to be replaced by something else ${where}.`;
  return new ToolboxError(
    "no_match",
    find,
    `${problem}${replacement === find ? ' "with" is the same text.' : ""}${also}${advice}`,
  );
}
