import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { stateAt } from "../../undo/file-state.ts";
import { withFolder } from "../confine/confined-folder.ts";
import { isInside, pathInRoot, type Root } from "../confine/root.ts";
import type { EditorTexts } from "../editor/editor-texts.ts";
import { changedSinceJudged } from "./judged-calls.ts";

/**
 * What files held when a call that replaces or runs them was judged. It is a part of what a question shows: an approval holds
 * only as long as they hold the same.
 */
export interface FileStates {
  /** By real path, and what an editor has by another key. */
  readonly files: ReadonlyMap<string, string>;
  readonly editor?: EditorTexts | undefined;
  /** The number of the last change of this process before it. */
  readonly change: number;
}

/**
 * @param paths real paths; they need not exist
 * @param editor where what it has counts as well
 * @throws ToolboxError `editor_failed`
 */
export async function statesOf(root: Root, paths: readonly string[], editor?: EditorTexts): Promise<FileStates> {
  const change = changes;
  // The disk last: it may change while an editor answers.
  const inEditor = await heldStates(root, paths, editor);
  const states = await Promise.all(paths.map(async (path) => [path, await stateOf(root, path)] as const));
  return { files: new Map([...states, ...inEditor]), editor, change };
}

/** Under keys that are no paths: what a command runs is on the disk, whatever an editor has. */
async function heldStates(root: Root, paths: readonly string[], editor: EditorTexts | undefined) {
  if (editor === undefined) return [];
  const stateIn = (real: string) => editor.stateOf({ real, asked: pathInRoot(root, real) });
  return await Promise.all(paths.map(async (path) => [`${held}${path}`, await stateIn(path)] as const));
}

const held = "editor:";

/** The key by which the state counts as touched; none if there are no files. */
export function stateKeys({ files }: FileStates): string[] {
  if (files.size === 0) return [];
  const all = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  return [`state:${createHash("sha256").update(JSON.stringify(all)).digest("hex")}`];
}

/**
 * Refuses to go on if a file has changed since the call was judged, unless a call of this process has changed it: those before
 * it in its batch were judged as well. A command may have changed any file.
 *
 * @throws ToolboxError `path_changed`
 */
export async function refuseChanged(root: Root, judged: FileStates | undefined): Promise<void> {
  if (judged === undefined || lastCommand > judged.change) return;
  const paths = [...judged.files.keys()].filter((path) => !path.startsWith(held));
  const { files } = await statesOf(root, paths, judged.editor);
  for (const [path, now] of files) {
    const own = written.get(path);
    if (now === judged.files.get(path)) continue;
    if (own !== undefined && own.change > judged.change && own.state === now) continue;
    throw changedSinceJudged(pathInRoot(root, path.replace(held, "")), "has changed");
  }
}

/** Notes that a call has given these files their present content. */
export async function noteChanged(root: Root, paths: readonly string[], editor?: EditorTexts): Promise<void> {
  changes += 1;
  const change = changes;
  // The change is made: an editor that does not answer now only makes a later call be judged anew.
  const found = await statesOf(root, paths, editor).catch(() => statesOf(root, paths));
  for (const [path, state] of found.files) written.set(path, { change, state });
}

/** Notes that a command begins or has ended. */
export function noteCommand(): void {
  changes += 1;
  lastCommand = changes;
}

let changes = 0;
let lastCommand = 0;
const written = new Map<string, { change: number; state: string }>();

/** In bytes. The content of larger files, and of files outside the root, is not read: their time and identity count. */
const largestHashed = 16 * 1024 * 1024;

/** Changes with the content of a file. @param path its real path */
export async function stateOf(root: Root, path: string): Promise<string> {
  if (isInside(root.path, path)) {
    const read = withFolder(root, dirname(path), (folder) => stateAt(folder, basename(path), largestHashed));
    const found = await read.catch(() => undefined);
    if (found?.state.kind === "file" && found.state.hash !== undefined) return found.state.hash;
  }
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats === undefined ? "missing" : `${stats.dev}:${stats.ino}:${stats.size}:${stats.ctimeNs}`;
}
