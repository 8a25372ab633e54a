import { basename, dirname } from "node:path";
import { defineTool, type Tool, type ToolContext } from "@cogency/tools";
import * as z from "zod";
import { ToolboxError } from "../errors.ts";
import { type ArgumentsOf, lazyInput } from "../lazy-input.ts";
import { checkOptionsOf, checkRoot } from "../options.ts";
import parameters from "../parameters.json" with { type: "json" };
import { onPath } from "../system-error.ts";
import { type FileStates, noteChanged, refuseChanged, stateKeys, statesOf } from "./calls/file-states.ts";
import { changedSinceJudged, JudgedCalls, leadsElsewhere } from "./calls/judged-calls.ts";
import { writeKeys } from "./calls/resources.ts";
import { changeablePath } from "./confine/changeable-path.ts";
import { type ConfinedFolder, withFolder } from "./confine/confined-folder.ts";
import type { ConfinedPath } from "./confine/confined-path.ts";
import { notRegular } from "./confine/existing-path.ts";
import type { Root } from "./confine/root.ts";
import { unlessRefused } from "./confine/unless-refused.ts";
import { type Changed, changeText, giveToEditor } from "./editor/change-text.ts";
import { type CurrentText, currentText } from "./editor/current-text.ts";
import { type EditorTexts, editorTexts } from "./editor/editor-texts.ts";
import type { TextFileOptions } from "./editor/text-files.ts";
import { changesScripts } from "./run-later/package-scripts.ts";
import { isPackageManifest, runsLater } from "./run-later/run-later.ts";
import { textArgument } from "./text/text-argument.ts";
import { largestText, readTextFile } from "./text/text-file.ts";
import { createFile } from "./write/create-file.ts";
import { type ChangeOptions, keptChange } from "./write/kept-change.ts";
import { removeMadeFolders } from "./write/made-folders.ts";
import { replaceFile } from "./write/replace-file.ts";
import { unifiedDiff } from "./write/unified-diff.ts";

/** What `write` returns. */
export interface Written {
  file: string;
  /** The size of the file. */
  bytes: number;
  /** Whether there was no such file before. */
  created: boolean;
  /** Says that the editor has not saved the text, or has saved another one. */
  note?: string;
}

/** `write`: creates a file or, with `overwrite`, replaces all of it. Reports the change as progress: `{ file, diff }`. */
export function writeTool(root: Root, options: ChangeOptions & TextFileOptions = {}): Tool<"write"> {
  checkRoot("writeTool", root);
  checkOptionsOf("writeTool", options);
  const editor = editorTexts(root, options.files);
  const judged = new JudgedCalls((args: WriteArgs) => judge(root, args, editor));
  return defineTool({
    name: "write",
    description:
      "Create a text file with the folders it needs. An existing file is replaced only with overwrite; use edit to change a part of it.",
    input: writeInput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    resource: async (args) => {
      const { real, states } = await judged.judge(args);
      return [...writeKeys(root, real), ...stateKeys(states)];
    },
    cautions: async (args) => (await judged.judge(args)).cautions,
    execute: (args, context) =>
      onPath(args.file, async () => {
        const path = await writablePath(root, args.file);
        const expected = await judged.get(args);
        if (path.real !== (expected?.real ?? path.real)) throw changedSinceJudged(args.file, leadsElsewhere);
        await refuseChanged(root, expected?.states);
        return write(root, path, args, { ...options, editor }, context);
      }),
  });
}

export const writeInput = lazyInput(parameters.write, () =>
  z.object({
    file: z.string().describe("path of the file, relative to the root folder"),
    content: textArgument().describe("the whole content"),
    overwrite: z.boolean().default(false).describe("replace the whole file if it exists"),
  }),
);

type WriteArgs = ArgumentsOf<typeof writeInput>;

interface Judged {
  real: string;
  cautions: string[];
  states: FileStates;
}

/** What it replaces is shown with the question. */
async function judge(root: Root, { file, content, overwrite }: WriteArgs, editor?: EditorTexts): Promise<Judged> {
  const found = await cautionsOf(root, file, content, editor);
  return { ...found, states: await statesOf(root, overwrite ? [found.real] : [], editor) };
}

/** A write sets the whole content. So if it leaves the scripts of a package as they are now, it changes none when it runs. */
async function cautionsOf(
  root: Root,
  file: string,
  content: string,
  editor: EditorTexts | undefined,
): Promise<Omit<Judged, "states">> {
  const path = await changeablePath(root, file);
  const { real } = path;
  const why = await runsLater(root, real);
  if (why === undefined) return { real, cautions: [] };
  if (!isPackageManifest(real)) return { real, cautions: [why] };
  const { signal } = new AbortController();
  const before = await unlessRefused(onPath(file, () => currentText(root, path, editor, signal)));
  return { real, cautions: changesScripts(before?.text, content) ? [why] : [] };
}

interface WriteOptions extends ChangeOptions {
  editor: EditorTexts | undefined;
}

async function write(
  root: Root,
  path: ConfinedPath,
  { content, overwrite }: WriteArgs,
  options: WriteOptions,
  context: ToolContext,
): Promise<Written> {
  const { asked } = path;
  const { signal, progress } = context;
  if (path.kind === "file" && !overwrite) throw exists(asked);
  signal.throwIfAborted();
  const held = await heldText(root, path, options.editor, signal);
  if (held !== undefined && !overwrite) throw existsUnsaved(asked);
  const { before, changed } = held
    ? { before: held.text, changed: await changeText(root, path, held, content, options, context) }
    : await writeOnDisk(root, path, { content, overwrite }, options, context);
  await noteChanged(root, [path.real], options.editor);
  const created = path.kind === "missing";
  const diff = created || before !== undefined ? unifiedDiff(path.relative, before, content) : noOldText;
  progress({ file: path.relative, diff });
  const { text, note } = changed;
  return { file: path.relative, bytes: Buffer.byteLength(text), created, ...(note !== undefined && { note }) };
}

/** What the editor has in the place of the disk. Undefined if the disk counts. */
async function heldText(
  root: Root,
  path: ConfinedPath,
  editor: EditorTexts | undefined,
  signal: AbortSignal,
): Promise<CurrentText | undefined> {
  if (editor === undefined) return undefined;
  try {
    const current = await currentText(root, path, editor, signal);
    return current?.editor && current;
  } catch (error) {
    // A file that is no text is replaced all the same.
    if (path.kind === "file" && error instanceof ToolboxError && notInEditor.has(error.code)) return undefined;
    throw error;
  }
}

const notInEditor: ReadonlySet<string> = new Set(["not_text", "too_large", "not_a_file"]);

async function writeOnDisk(
  root: Root,
  path: ConfinedPath,
  { content, overwrite }: Pick<WriteArgs, "content" | "overwrite">,
  options: WriteOptions,
  context: ToolContext,
): Promise<{ before: string | undefined; changed: Changed }> {
  const { asked, real } = path;
  const { signal } = context;
  const bytes = new TextEncoder().encode(content);
  const name = basename(real);
  const before = await keptChange(root, options, context, [{ path: real, bytes }], (keeping) =>
    withFolder(
      root,
      dirname(real),
      async (folder) => {
        if (!overwrite) {
          if (!(await createFile(folder, name, bytes, signal))) throw exists(asked);
          return undefined;
        }
        const old = path.kind === "file" ? await oldText(folder, name) : undefined;
        await replaceFile(folder, name, bytes, signal, () => keeping?.check(folder, name) ?? Promise.resolve());
        return old;
      },
      { create: true },
    ).catch(async (error: unknown) => {
      await removeMadeFolders(root, path);
      throw error;
    }),
  );
  const { editor } = options;
  const isGiven = editor?.writes && path.kind === "missing";
  return {
    before,
    changed: isGiven ? await giveToEditor(root, path, content, editor, options, context) : { text: content },
  };
}

const noOldText = "the file that was replaced was not text, or too large to show what changed\n";

async function writablePath(root: Root, asked: string): Promise<ConfinedPath> {
  const path = await changeablePath(root, asked);
  if (path.kind === "folder" || (path.kind === "missing" && /[\\/]\.?$/.test(asked))) {
    throw new ToolboxError("not_a_file", asked, `"${asked}" names a folder. Give the path of a file in it.`);
  }
  if (path.kind === "other") throw notRegular(asked);
  return path;
}

function existsUnsaved(asked: string): ToolboxError {
  const problem = `"${asked}" is open in the editor and was never saved, so nothing was written.`;
  return new ToolboxError("exists", asked, `${problem} Use read to see it, and edit to change it.`);
}

function exists(asked: string): ToolboxError {
  const advice = 'Use edit to change a part of it, or set "overwrite": true to replace all of it.';
  return new ToolboxError("exists", asked, `"${asked}" exists already, so nothing was written. ${advice}`);
}

async function oldText(folder: ConfinedFolder, name: string): Promise<string | undefined> {
  const file = await readTextFile(folder, name, largestText);
  return file.kind === "text" ? file.text : undefined;
}
