import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { defineTool, type Tool, type ToolContext } from "@cogency/tools";
import * as z from "zod";
import { ToolboxError } from "../errors.ts";
import { type ArgumentsOf, lazyInput } from "../lazy-input.ts";
import { checkOptionsOf, checkRoot } from "../options.ts";
import parameters from "../parameters.json" with { type: "json" };
import { onPath } from "../system-error.ts";
import { type FileStates, noteChanged, refuseChanged, stateKeys, statesOf } from "./calls/file-states.ts";
import { changedSinceJudged, JudgedCalls, leadsElsewhere } from "./calls/judged-calls.ts";
import { Provenance } from "./calls/provenance.ts";
import { treeKeys } from "./calls/resources.ts";
import { changeablePath } from "./confine/changeable-path.ts";
import { withFolder } from "./confine/confined-folder.ts";
import type { ConfinedPath } from "./confine/confined-path.ts";
import { existingFolder, literalFile, meantPath } from "./confine/existing-path.ts";
import { refuseGitFolder } from "./confine/git-folder.ts";
import { isConfiguration } from "./confine/obeyed-names.ts";
import { pathInRoot, type Root, shownBelow } from "./confine/root.ts";
import { unlessRefused } from "./confine/unless-refused.ts";
import { replacing } from "./edit/replace-matches.ts";
import { compileReplacement, type Replacement } from "./edit/replacement.ts";
import { unsaved } from "./editor/current-text.ts";
import { type EditorTexts, editorTexts } from "./editor/editor-texts.ts";
import { isSameText } from "./editor/same-text.ts";
import type { TextFileOptions } from "./editor/text-files.ts";
import { bracketNote } from "./glob.ts";
import { changesScripts } from "./run-later/package-scripts.ts";
import { isPackageManifest, runsLater } from "./run-later/run-later.ts";
import { rulesAbove } from "./search/ignore-rules.ts";
import { findTexts } from "./search/search.ts";
import { countSkipped, noteOf, type Skipped } from "./search/skipped.ts";
import { differInLineEnds } from "./text/line-ends.ts";
import { textArgument } from "./text/text-argument.ts";
import { largestText } from "./text/text-file.ts";
import { compileSearch } from "./text/text-search.ts";
import { type ChangeOptions, keptChange } from "./write/kept-change.ts";
import { type FileChange, replaceFiles } from "./write/replace-files.ts";
import { unifiedDiff } from "./write/unified-diff.ts";

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
  /** Which rules of git were not applied: the changed files may include files that git ignores. */
  note?: string;
  /** Nothing was written. */
  dryRun?: true;
}

/**
 * `replace`: replaces a text or an expression in many files, all or none. Its progress is `{ file, diff }` for the
 * first 50 files.
 */
export function replaceTool(root: Root, options: ChangeOptions & TextFileOptions = {}): Tool<"replace"> {
  checkRoot("replaceTool", root);
  checkOptionsOf("replaceTool", options);
  const editor = editorTexts(root, options.files);
  const judged = new JudgedCalls((args: ReplaceArgs) => foresee(root, args));
  const provenance = new Provenance(root, "replace");
  return defineTool({
    name: "replace",
    description:
      "Replace a text in all files of a folder or those that match a pattern; all files are changed or none. Leaves out .git, node_modules, .venv and the like unless path names them, and what git ignores.",
    input: replaceInput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    resource: async (args) => {
      const { real, files, isComplete, states } = await judged.judge(args);
      // An incomplete list of files would mislead a person. Without a list, the keys name everything below the folder.
      return [
        ...treeKeys(root, real),
        ...(isComplete ? files.map((file) => `file:${file}`) : []),
        ...stateKeys(states),
      ];
    },
    cautions: async (args) => cautionsOf(root, args, await judged.judge(args)),
    brings: (args) => provenance.brings(args, args.path, true),
    execute: (args, context) => {
      provenance.onBegin(args);
      const onFile = (real: string) => provenance.onFile(args, real);
      return onPath(args.path, async () =>
        replace(root, args, await judged.get(args), onFile, { ...options, editor }, context),
      );
    },
  });
}

const mostChanged = 200;
const mostListed = 100;

export const replaceInput = lazyInput(parameters.replace, () =>
  z.object({
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
  }),
);

type ReplaceArgs = ArgumentsOf<typeof replaceInput>;

/** What a replacement would change, computed before it runs. */
interface Foreseen {
  /** The real path of the folder. */
  real: string;
  /** The real paths of the files. */
  files: readonly string[];
  /** False if the folder holds more files than are searched beforehand. */
  isComplete: boolean;
  /** The package.json files whose scripts do not change; they need no caution. */
  keepsScripts: ReadonlySet<string>;
  states: FileStates;
}

/** If the replacement cannot be made now, an earlier call may make it possible; then it is judged again when it runs. */
async function foresee(root: Root, args: ReplaceArgs): Promise<Foreseen> {
  const path = await meantPath(root, args.path, changeablePath);
  const { real } = path;
  const none: Foreseen = {
    real,
    files: [],
    isComplete: true,
    keepsScripts: new Set(),
    states: await statesOf(root, []),
  };
  if (args.dryRun) return none;
  const { signal } = new AbortController();
  const plan = await unlessRefused(
    onPath(args.path, () => planChanges(root, path, args, { signal, most: mostForeseen })),
  );
  if (plan === undefined) return none;
  const files = plan.changes.map(({ folder, name }) => join(folder, name));
  const manifests = plan.changes.filter(({ name }) => isPackageManifest(`/${name}`));
  const kept = manifests.filter(({ before, after }) => !changesScripts(before, after));
  return {
    real,
    files,
    isComplete: plan.isComplete,
    keepsScripts: new Set(kept.map(({ folder, name }) => join(folder, name))),
    states: await statesOf(root, files),
  };
}

const mostForeseen = 20_000;

async function cautionsOf(root: Root, args: ReplaceArgs, foreseen: Foreseen): Promise<string[]> {
  const reasons: string[] = [];
  for (const file of foreseen.files) {
    const why = foreseen.keepsScripts.has(file) ? undefined : await runsLater(root, file);
    if (why !== undefined) reasons.push(why);
  }
  const more = reasons.length - mostReasons;
  if (more > 0) reasons.splice(mostReasons, more, `${more} more files that it changes run later.`);
  if (!foreseen.isComplete) {
    reasons.push(`"${args.path}" holds more files than can be looked at beforehand, and some may run later.`);
  }
  return reasons;
}

const mostReasons = 10;

/**
 * Throws for a change without approval: of a file that the question did not name, or of a file that runs later and needed no
 * approval when the call was judged.
 */
async function refuseUnforeseen(
  root: Root,
  args: ReplaceArgs,
  changes: readonly PlannedChange[],
  foreseen: Foreseen | undefined,
): Promise<void> {
  if (foreseen === undefined || args.dryRun || !foreseen.isComplete) return;
  const known = new Set(foreseen.files);
  for (const { folder, name, before, after, file } of changes) {
    const real = join(folder, name);
    if (known.size > 0 && !known.has(real)) {
      throw changedSinceJudged(file, "has come to be one of the files that would be changed");
    }
    if (known.has(real) && !foreseen.keepsScripts.has(real)) continue;
    if (isPackageManifest(real) && !changesScripts(before, after)) continue;
    if ((await runsLater(root, real)) === undefined) continue;
    throw changedSinceJudged(file, "has changed, it runs later, and nobody was asked about it");
  }
}

async function replace(
  root: Root,
  args: ReplaceArgs,
  foreseen: Foreseen | undefined,
  onFile: (real: string) => void,
  options: ChangeOptions & { editor: EditorTexts | undefined },
  context: ToolContext,
): Promise<ReplacedFiles> {
  const { signal, progress } = context;
  const path = await existingFolder(root, args.path, changeablePath);
  if (path.real !== (foreseen?.real ?? path.real)) throw changedSinceJudged(args.path, leadsElsewhere);
  const { changes, searched, skipped, note } = await planChanges(root, path, args, { signal, onFile });
  if (changes.length === 0) throw noMatch(args, searched, skipped);
  await refuseUnforeseen(root, args, changes, foreseen);
  if (!args.dryRun) await refuseUnsaved(root, changes, options.editor, signal);
  if (!args.dryRun) await refuseChanged(root, foreseen?.states);
  if (!args.dryRun) {
    const files = changes.map(({ folder, name, after }) => ({
      path: join(folder, name),
      bytes: new TextEncoder().encode(after),
    }));
    await keptChange(root, options, context, files, () => replaceFiles(root, changes, signal));
    const paths = files.map(({ path }) => path);
    await noteChanged(root, paths, options.editor);
  }
  await reportChanges(changes, signal, progress);
  const files = changes.slice(0, mostListed).map(({ file, replacements }) => ({ file, replacements }));
  const unlisted = changes.length - files.length;
  return {
    files,
    total: changes.reduce((sum, { replacements }) => sum + replacements, 0),
    ...(unlisted > 0 && { unlisted }),
    ...(skipped && { skipped }),
    ...(note !== undefined && { note }),
    ...(args.dryRun && { dryRun: true }),
  };
}

/**
 * All files change at one moment, which no editor can do: they change on the disk. So none may have other text in the editor, which
 * would not be searched, and would overwrite the change when the person saves it.
 */
async function refuseUnsaved(
  root: Root,
  changes: readonly PlannedChange[],
  editor: EditorTexts | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (const { folder, name, before } of changes) {
    const real = join(folder, name);
    const asked = pathInRoot(root, real);
    const held = await editor?.read({ real, asked }, before, signal);
    if (held !== undefined && !isSameText(held, before)) throw unsaved(asked);
  }
}

/** Reports the diffs. The changes are already made, so a signal only ends the reports. */
async function reportChanges(
  changes: readonly PlannedChange[],
  signal: AbortSignal,
  progress: ToolContext["progress"],
): Promise<void> {
  for (const { file, before, after } of changes.slice(0, mostReported)) {
    // A diff takes time: other work runs between two diffs.
    await setImmediate();
    if (signal.aborted) return;
    progress({ file, diff: unifiedDiff(file, before, after) });
  }
}

const mostReported = 50;

interface PlannedChange extends FileChange {
  file: string;
  replacements: number;
}

interface Plan {
  changes: PlannedChange[];
  /** How many files were searched. */
  searched: number;
  skipped: Skipped | undefined;
  /** False if `most` files were searched and there are more. */
  isComplete: boolean;
  note?: string | undefined;
}

interface PlanOptions {
  signal: AbortSignal;
  /** The most files to search. */
  most?: number;
  onFile?: (real: string) => void;
}

async function planChanges(root: Root, path: ConfinedPath, args: ReplaceArgs, options: PlanOptions): Promise<Plan> {
  const { signal, most = Number.POSITIVE_INFINITY, onFile } = options;
  const search = compileSearch({ ...args, text: args.find });
  const replacement: Replacement = args.regex
    ? compileReplacement(args.with, search)
    : (_, adapted) => adapted(args.with);
  const keepsLineEnds = !search.namesReturn && !differInLineEnds(args.find, args.with);
  const rules = args.ignored ? undefined : await rulesAbove(root, path.real);
  const isRefused = gitFolderCheck(root);
  const literal = await literalFile(root, path.real, args.pattern);
  return withFolder(root, path.real, async (top) => {
    let textSize = 0;
    const plan: Plan = { changes: [], searched: 0, skipped: undefined, isComplete: true };
    for await (const finding of findTexts(top, { pattern: args.pattern, rules, signal, onFile })) {
      if (plan.searched === most) return { ...plan, isComplete: false };
      if (finding.kind === "skipped") {
        plan.skipped = countSkipped(plan.skipped, finding.reason);
        continue;
      }
      // The pattern is the path of a file, so that one is meant and no other.
      if (literal !== undefined && finding.found.path !== literal) continue;
      plan.searched += 1;
      const { folder, name, text: before } = finding.found;
      const file = shownBelow(path.relative, finding.found.path);
      const steps = replacing(before, search, replacement, mostGrowth * largestText, keepsLineEnds);
      const replaced = await inTurns(steps, signal);
      if (replaced.kind === "too_large") throw tooLarge(file);
      if (replaced.text === before || isConfiguration(root, join(folder.path, name))) continue;
      if (await isRefused(folder.path, name)) continue;
      if (plan.changes.length === mostChanged) throw tooMany(path.asked);
      textSize += before.length + replaced.text.length;
      if (textSize > mostText) throw tooMuch(path.asked);
      plan.changes.push({
        folder: folder.path,
        name,
        before,
        after: replaced.text,
        file,
        replacements: replaced.count,
      });
    }
    plan.note = noteOf([...(rules?.problems ?? []), literal === undefined ? undefined : bracketNote(args.pattern)]);
    return plan;
  });
}

/** Takes the steps of long work. Other work runs in between. */
async function inTurns<T>(steps: Iterator<undefined, T>, signal: AbortSignal): Promise<T> {
  for (let turnEnds = performance.now() + longestTurn; ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < turnEnds) continue;
    await setImmediate();
    signal.throwIfAborted();
    turnEnds = performance.now() + longestTurn;
  }
}

/** Milliseconds. */
const longestTurn = 50;

/** Whether git takes its settings from files of a folder; each folder is checked once. */
function gitFolderCheck(root: Root): (folder: string, name: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (folder, name) => {
    const check = known.get(folder) ?? isGitFolder(root, join(folder, name));
    known.set(folder, check);
    return check;
  };
}

async function isGitFolder(root: Root, real: string): Promise<boolean> {
  return (await unlessRefused(refuseGitFolder(root, { real, asked: real }).then(() => false))) ?? true;
}

const mostGrowth = 4;

/** Characters of all old and new texts, which are in memory together. */
const mostText = 64 * 1024 * 1024;

function tooMuch(asked: string): ToolboxError {
  const problem = "The files to be changed hold more than 64 MiB of old and new text, so none was changed.";
  return new ToolboxError("too_many", asked, `${problem} Narrow "path" or "pattern", and make several calls.`);
}

function tooLarge(file: string): ToolboxError {
  const problem = `"${file}" would grow over ${mostGrowth} MiB, so nothing was changed.`;
  return new ToolboxError("too_large", file, `${problem} Look at "find" and "with" once more.`);
}

function tooMany(asked: string): ToolboxError {
  const problem = `More than ${mostChanged} files would be changed, so none was.`;
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
  const note = bracketNote(pattern);
  const brackets = note === undefined ? "" : ` ${note}`;
  const shown = JSON.stringify(find.slice(0, 100));
  const problem = `Nothing was changed: ${shown} is nowhere to be replaced by something else ${where}.`;
  return new ToolboxError(
    "no_match",
    find,
    `${problem}${replacement === find ? ' "with" is the same text.' : ""}${also}${advice}${brackets}`,
  );
}
