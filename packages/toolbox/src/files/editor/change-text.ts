import { basename, dirname } from "node:path";
import type { Settlement } from "@cogency/async";
import type { ToolContext } from "@cogency/tools";
import { ToolboxError } from "../../errors.ts";
import { type ConfinedFolder, withFolder } from "../confine/confined-folder.ts";
import type { ConfinedPath } from "../confine/confined-path.ts";
import type { Root } from "../confine/root.ts";
import { textOnDisk } from "../text/text-file.ts";
import { type ChangeOptions, keptChange } from "../write/kept-change.ts";
import { removeMadeFolders } from "../write/made-folders.ts";
import { replaceFile } from "../write/replace-file.ts";
import { checkUnchanged, modeOf } from "../write/staged-file.ts";
import type { CurrentText } from "./current-text.ts";
import type { EditorTexts } from "./editor-texts.ts";
import { isSameText } from "./same-text.ts";

/** What the file on the disk holds after a change, and what the model should know of it. */
export interface Changed {
  readonly text: string;
  readonly note?: string;
}

/**
 * Puts a new text in the place of the current one, through the editor if the current one is the editor's. The undo keeps what the person
 * saw: with what was not saved.
 *
 * @throws ToolboxError `path_changed` if the text is not the current one any more; `editor_failed`: the file is as it was;
 * `partly_changed`: it may not be
 */
export async function changeText(
  root: Root,
  path: ConfinedPath,
  current: CurrentText,
  text: string,
  options: ChangeOptions,
  context: ToolContext,
): Promise<Changed> {
  const { real } = path;
  const name = basename(real);
  const bytes = encoded(text);
  const { editor, disk } = current;
  if (editor === undefined) {
    await keptChange(root, options, context, [{ path: real, bytes }], () =>
      withFolder(root, dirname(real), (folder) =>
        replaceFile(folder, name, bytes, context.signal, () => checkUnchanged(folder, name, current.text)),
      ),
    );
    return { text };
  }
  const before = current.text === disk ? undefined : encoded(current.text);
  const changed = await keptChange(root, options, context, [{ path: real, bytes, before }], () =>
    withFolder(
      root,
      dirname(real),
      async (folder) => {
        await checkCurrent(folder, path, editor, current, context.signal);
        const written = await editor.write(path, text);
        return await resultOf(folder, path, { editor, current, text, written });
      },
      { create: true },
    ).catch(async (error: unknown) => {
      await removeMadeFolders(root, path);
      throw error;
    }),
  );
  await keepSaved(root, path, text, changed, options, context);
  return changed;
}

/** The last look before the editor writes. What the person types between its answer and the writing is in the undo of the editor alone. */
async function checkCurrent(
  folder: ConfinedFolder,
  path: ConfinedPath,
  editor: EditorTexts,
  { text, disk }: CurrentText,
  signal: AbortSignal,
): Promise<void> {
  const name = basename(path.real);
  await folder.target(name);
  await modeOf(folder, name);
  const held = await editor.read(path, await textOnDisk(folder, name), signal);
  // Another program may have written it while the editor answered, or the person has saved it.
  const now = await textOnDisk(folder, name);
  if (held === text && (now === disk || (now !== undefined && isSameText(now, text)))) return;
  const problem = `"${path.asked}" was changed after it was read, so it was not changed.`;
  throw new ToolboxError("path_changed", path.asked, `${problem} Read it again, then try again.`);
}

interface Attempt {
  editor: EditorTexts;
  current: CurrentText;
  /** What the editor was given. */
  text: string;
  written: Settlement<void>;
}

/** Compares the disk with what the editor was to write, whatever it said. */
async function resultOf(folder: ConfinedFolder, path: ConfinedPath, attempt: Attempt): Promise<Changed> {
  const { editor, current, text, written } = attempt;
  const now = await textOnDisk(folder, basename(path.real));
  if (now !== undefined && isSameText(now, text)) {
    editor.noteWritten(path, text);
    return { text: now, ...lineEndsNote(now, current.disk) };
  }
  const isAsBefore = now === current.disk;
  const isHeld = isAsBefore && (await isHeldBy(editor, path, text));
  if (isHeld) return { text, note: notSaved };
  if (written.end === "fulfilled" && isAsBefore) throw notWritten(path, "said that it has written it, and has not");
  if (written.end === "fulfilled" && now !== undefined) return { text: now, note: otherText };
  const why = whyOf(written);
  if (now === undefined ? current.disk === undefined : isAsBefore) {
    if (written.end === "rejected") throw notWritten(path, why);
    throw uncertain(path, `${why}. It may still write it`);
  }
  if (now === undefined || !isBeginOf(now, text))
    throw uncertain(path, `${why}, and the file holds something else now`);
  await restore(folder, path, current);
  throw notWritten(path, `${why}, in the middle of writing`);
}

/**
 * Gives a file that has just been made on the disk to the editor, which shows it. What the editor does not take is on the disk all the
 * same.
 */
export async function giveToEditor(
  root: Root,
  path: ConfinedPath,
  text: string,
  editor: EditorTexts,
  options: ChangeOptions,
  context: ToolContext,
): Promise<Changed> {
  const changed = await withFolder(root, dirname(path.real), async (folder): Promise<Changed> => {
    const written = await editor.write(path, text);
    const now = await textOnDisk(folder, basename(path.real));
    if (now === undefined) throw uncertain(path, "has removed it");
    if (isSameText(now, text)) {
      editor.noteWritten(path, text);
      return { text: now };
    }
    if (!isBeginOf(now, text)) return { text: now, ...(written.end === "fulfilled" && { note: otherText }) };
    await restore(folder, path, { text, disk: text, editor });
    return { text };
  });
  await keepSaved(root, path, text, changed, options, context);
  return changed;
}

async function isHeldBy(editor: EditorTexts, path: ConfinedPath, text: string): Promise<boolean> {
  const held = await editor.read(path, undefined, new AbortController().signal).catch(() => undefined);
  return held !== undefined && isSameText(held, text);
}

/** A text of which only the beginning was written. */
function isBeginOf(now: string, text: string): boolean {
  return now.length < text.length && (text.startsWith(now) || text.replace(/\r?\n/g, "\r\n").startsWith(now));
}

/** Puts back what the person had, also what was not saved: an editor that has gone does not have it any more. */
async function restore(folder: ConfinedFolder, path: ConfinedPath, { text, disk }: CurrentText): Promise<void> {
  const name = basename(path.real);
  const old = disk !== undefined && isSameText(disk, text) ? disk : text;
  await replaceFile(folder, name, encoded(old), new AbortController().signal);
}

/** An editor may format a text as it saves it; an undo must know what it has saved. */
async function keepSaved(
  root: Root,
  { real }: ConfinedPath,
  text: string,
  changed: Changed,
  options: ChangeOptions,
  context: ToolContext,
): Promise<void> {
  if (changed.text === text || options.undo === undefined) return;
  const file = { path: real, bytes: encoded(changed.text), before: encoded(text) };
  await keptChange(root, options, { ...context, signal: new AbortController().signal }, [file], async () => {}).catch(
    () => {},
  );
}

function lineEndsNote(now: string, before: string | undefined): Pick<Changed, "note"> {
  const isChanged = before?.includes("\r\n") && !now.includes("\r\n");
  return isChanged ? { note: "The editor has saved the file with other line ends than it had." } : {};
}

const notSaved =
  "The editor has the new text and has not saved it: commands and searches see the old one on the disk until the person saves it.";

const otherText =
  "The editor has changed the text while it saved it, such as by formatting it. Read the file before you change it again.";

function whyOf(written: Settlement<void>): string {
  if (written.end !== "rejected") return "did not answer in time";
  const { error } = written;
  const said = JSON.stringify((error instanceof Error ? error.message : String(error)).slice(0, 200).toWellFormed());
  return `failed (${said})`;
}

function notWritten({ asked }: ConfinedPath, why: string): ToolboxError {
  const message = `The editor was to write "${asked}" and ${why}. The file is as it was.`;
  return new ToolboxError("editor_failed", asked, message);
}

function uncertain({ asked }: ConfinedPath, why: string): ToolboxError {
  const message = `The editor was to write "${asked}" and ${why}. Read the file before you go on.`;
  return new ToolboxError("partly_changed", asked, message);
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
