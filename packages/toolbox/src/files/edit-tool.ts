import { basename, dirname } from "node:path";
import { defineTool, type Tool, type ToolContext } from "@cogency/tools";
import * as z from "zod";
import { lazyInput } from "../lazy-input.ts";
import { checkOptionsOf, checkRoot } from "../options.ts";
import parameters from "../parameters.json" with { type: "json" };
import { onPath } from "../system-error.ts";
import { noteChanged, refuseChanged, stateKeys, statesOf } from "./calls/file-states.ts";
import { changedSinceJudged, JudgedCalls, leadsElsewhere } from "./calls/judged-calls.ts";
import { Provenance } from "./calls/provenance.ts";
import { writeKeys } from "./calls/resources.ts";
import { changeablePath } from "./confine/changeable-path.ts";
import { withFolder } from "./confine/confined-folder.ts";
import type { ConfinedPath } from "./confine/confined-path.ts";
import { existingFile, meantPath } from "./confine/existing-path.ts";
import type { Root } from "./confine/root.ts";
import { unlessRefused } from "./confine/unless-refused.ts";
import { applyEdits, type Edit } from "./edit/apply-edits.ts";
import { editError } from "./edit/edit-error.ts";
import { lineRanges } from "./edit/spans.ts";
import { changesScripts } from "./run-later/package-scripts.ts";
import { isPackageManifest, runsLater } from "./run-later/run-later.ts";
import { textArgument } from "./text/text-argument.ts";
import { changeableText } from "./text/text-file.ts";
import { type ChangeOptions, keptChange } from "./write/kept-change.ts";
import { replaceFile } from "./write/replace-file.ts";
import { checkUnchanged } from "./write/staged-file.ts";
import { unifiedDiff } from "./write/unified-diff.ts";

/** What `edit` returns. */
export interface Edited {
  file: string;
  /** How many places were replaced. */
  replaced: number;
  /** The lines that now hold the new text, counted from 1; at most 20 ranges. */
  lines: [from: number, to: number][];
}

/** `edit`: replaces exact parts of a file, all or nothing. Its progress is the change: `{ file, diff }`. */
export function editTool(root: Root, options: ChangeOptions = {}): Tool<"edit"> {
  checkRoot("editTool", root);
  checkOptionsOf("editTool", options);
  const judged = new JudgedCalls(async ({ file, edits }: { file: string; edits: readonly Edit[] }) => {
    const found = await judge(root, file, edits);
    return { ...found, states: await statesOf(root, [found.real]) };
  });
  const provenance = new Provenance(root, "edit");
  return defineTool({
    name: "edit",
    description:
      "Replace exact parts of a text file. The edits are applied in order, and either all of them or none; each old text must occur exactly once.",
    input: editInput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    resource: async (args) => {
      const { real, states } = await judged.judge(args);
      return [...writeKeys(root, real), ...stateKeys(states)];
    },
    cautions: async (args) => (await judged.judge(args)).cautions,
    // The error of an edit that cannot be applied shows lines of the file.
    brings: (args) => provenance.brings(args, args.file, false),
    execute: (args, context) =>
      onPath(args.file, async () => {
        provenance.onBegin(args);
        const path = await existingFile(root, args.file, changeablePath);
        provenance.onFile(args, path.real);
        const expected = await judged.get(args);
        if (path.real !== (expected?.real ?? path.real)) throw changedSinceJudged(args.file, leadsElsewhere);
        await refuseChanged(root, expected?.states);
        return edit(root, path, args.edits, expected?.keepsScripts ?? false, options, context);
      }),
  });
}

export const editInput = lazyInput(parameters.edit, () =>
  z.object({
    file: z.string().describe("path of the file, relative to the root folder"),
    edits: z
      .array(
        z.object({
          old: textArgument()
            .min(1)
            .max(longestOld)
            .describe("text as it is in the file, white space included, with enough around it to be unique"),
          new: textArgument().describe("what to put in its place"),
          all: z.boolean().optional().describe("replace every occurrence"),
        }),
      )
      .min(1)
      .max(50)
      .describe("1 to 50 edits"),
  }),
);

interface Judged {
  real: string;
  cautions: readonly string[];
  /** The call needed no approval because it does not change the scripts of the package. */
  keepsScripts: boolean;
}

const longestOld = 65_536;
const mostRanges = 20;

async function judge(root: Root, file: string, edits: readonly Edit[]): Promise<Judged> {
  const { real } = await meantPath(root, file, changeablePath);
  const why = await runsLater(root, real);
  if (why === undefined) return { real, cautions: [], keepsScripts: false };
  const keepsScripts = isPackageManifest(real) && !(await changesScriptsNow(root, real, edits));
  return { real, cautions: keepsScripts ? [] : [why], keepsScripts };
}

/** Compares with the file as it is now. True if the edits cannot be applied now: an earlier call may make them apply. */
async function changesScriptsNow(root: Root, real: string, edits: readonly Edit[]): Promise<boolean> {
  const reading = withFolder(root, dirname(real), (folder) => changeableText(folder, basename(real), real));
  const before = await unlessRefused(onPath(real, () => reading));
  if (before === undefined) return true;
  const { text, failures } = applyEdits(before, edits, real);
  return failures.length > 0 || changesScripts(before, text);
}

async function edit(
  root: Root,
  path: ConfinedPath,
  edits: readonly Edit[],
  keepsScripts: boolean,
  options: ChangeOptions,
  context: ToolContext,
): Promise<Edited> {
  const { signal, progress } = context;
  const { asked } = path;
  const name = basename(path.real);
  return withFolder(root, dirname(path.real), async (folder) => {
    const before = await changeableText(folder, name, asked);
    const { text, replaced, spans, failures } = applyEdits(before, edits, asked);
    if (failures.length > 0) throw editError(asked, edits.length, failures);
    if (keepsScripts && changesScripts(before, text)) {
      throw changedSinceJudged(asked, "has changed, and the edits would now change what is run from it,");
    }
    signal.throwIfAborted();
    const bytes = new TextEncoder().encode(text);
    await keptChange(root, options, context, [{ path: path.real, bytes }], () =>
      replaceFile(folder, name, bytes, signal, () => checkUnchanged(folder, name, before)),
    );
    await noteChanged(root, [path.real]);
    progress({ file: path.relative, diff: unifiedDiff(path.relative, before, text) });
    return { file: path.relative, replaced, lines: lineRanges(text, spans).slice(0, mostRanges) };
  });
}
