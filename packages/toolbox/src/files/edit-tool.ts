import { defineTool, type Tool, type ToolContext } from "@cogency/tools";
import * as z from "zod";
import { ToolboxError } from "../errors.ts";
import { lazyInput } from "../lazy-input.ts";
import { checkOptionsOf, checkRoot } from "../options.ts";
import parameters from "../parameters.json" with { type: "json" };
import { onPath } from "../system-error.ts";
import { noteChanged, refuseChanged, stateKeys, statesOf } from "./calls/file-states.ts";
import { changedSinceJudged, JudgedCalls, leadsElsewhere } from "./calls/judged-calls.ts";
import { Provenance } from "./calls/provenance.ts";
import { writeKeys } from "./calls/resources.ts";
import { changeablePath } from "./confine/changeable-path.ts";
import type { ConfinedPath } from "./confine/confined-path.ts";
import { existingFile, meantPath } from "./confine/existing-path.ts";
import type { Root } from "./confine/root.ts";
import { unlessRefused } from "./confine/unless-refused.ts";
import { applyEdits, type Edit } from "./edit/apply-edits.ts";
import { editError } from "./edit/edit-error.ts";
import { lineRanges } from "./edit/spans.ts";
import { changeText } from "./editor/change-text.ts";
import { currentText } from "./editor/current-text.ts";
import { type EditorTexts, editorTexts } from "./editor/editor-texts.ts";
import type { TextFileOptions } from "./editor/text-files.ts";
import { changesScripts } from "./run-later/package-scripts.ts";
import { isPackageManifest, runsLater } from "./run-later/run-later.ts";
import { textArgument } from "./text/text-argument.ts";
import type { ChangeOptions } from "./write/kept-change.ts";
import { unifiedDiff } from "./write/unified-diff.ts";

/** What `edit` returns. */
export interface Edited {
  file: string;
  /** How many places were replaced. */
  replaced: number;
  /** The lines that now hold the new text, counted from 1; at most 20 ranges. */
  lines: [from: number, to: number][];
  /** Says that the editor has not saved the text, or has saved another one. */
  note?: string;
}

/** `edit`: replaces exact parts of a file, all or nothing. Its progress is the change: `{ file, diff }`. */
export function editTool(root: Root, options: ChangeOptions & TextFileOptions = {}): Tool<"edit"> {
  checkRoot("editTool", root);
  checkOptionsOf("editTool", options);
  const editor = editorTexts(root, options.files);
  const judged = new JudgedCalls(async ({ file, edits }: { file: string; edits: readonly Edit[] }) => {
    const found = await judge(root, file, edits, editor);
    return { ...found, states: await statesOf(root, [found.real], editor) };
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
        const { signal } = context;
        const path = await (editor?.file(args.file, signal, changeablePath) ??
          existingFile(root, args.file, changeablePath));
        provenance.onFile(args, path.real);
        const expected = await judged.get(args);
        if (path.real !== (expected?.real ?? path.real)) throw changedSinceJudged(args.file, leadsElsewhere);
        await refuseChanged(root, expected?.states);
        return edit(root, path, args.edits, expected?.keepsScripts ?? false, { ...options, editor }, context);
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

async function judge(root: Root, file: string, edits: readonly Edit[], editor?: EditorTexts): Promise<Judged> {
  const path = await meantPath(root, file, changeablePath);
  const { real } = path;
  const why = await runsLater(root, real);
  if (why === undefined) return { real, cautions: [], keepsScripts: false };
  const keepsScripts = isPackageManifest(real) && !(await changesScriptsNow(root, path, edits, editor));
  return { real, cautions: keepsScripts ? [] : [why], keepsScripts };
}

/** Compares with the file as it is now. True if the edits cannot be applied now: an earlier call may make them apply. */
async function changesScriptsNow(
  root: Root,
  path: ConfinedPath,
  edits: readonly Edit[],
  editor: EditorTexts | undefined,
): Promise<boolean> {
  const { signal } = new AbortController();
  const before = await unlessRefused(onPath(path.real, () => currentText(root, path, editor, signal)));
  if (before === undefined) return true;
  const { text, failures } = applyEdits(before.text, edits, path.real);
  return failures.length > 0 || changesScripts(before.text, text);
}

async function edit(
  root: Root,
  path: ConfinedPath,
  edits: readonly Edit[],
  keepsScripts: boolean,
  options: ChangeOptions & { editor: EditorTexts | undefined },
  context: ToolContext,
): Promise<Edited> {
  const { signal, progress } = context;
  const { asked } = path;
  const current = await currentText(root, path, options.editor, signal);
  if (current === undefined) throw gone(asked);
  const { text, replaced, spans, failures } = applyEdits(current.text, edits, asked);
  if (failures.length > 0) throw editError(asked, edits.length, failures);
  if (keepsScripts && changesScripts(current.text, text)) {
    throw changedSinceJudged(asked, "has changed, and the edits would now change what is run from it,");
  }
  signal.throwIfAborted();
  const { note } = await changeText(root, path, current, text, options, context);
  await noteChanged(root, [path.real], options.editor);
  progress({ file: path.relative, diff: unifiedDiff(path.relative, current.text, text) });
  const lines = lineRanges(text, spans).slice(0, mostRanges);
  return { file: path.relative, replaced, lines, ...(note !== undefined && { note }) };
}

function gone(asked: string): ToolboxError {
  return new ToolboxError("path_changed", asked, `"${asked}" changed while it was being used; try again.`);
}
