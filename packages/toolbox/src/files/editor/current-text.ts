import { basename, dirname } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { withFolder } from "../confine/confined-folder.ts";
import type { ConfinedPath } from "../confine/confined-path.ts";
import type { Root } from "../confine/root.ts";
import { changeableText, largestText } from "../text/text-file.ts";
import type { EditorTexts } from "./editor-texts.ts";
import { isSameText } from "./same-text.ts";

/** The text of a file that a call is about to change. */
export interface CurrentText {
  readonly text: string;
  /** What the disk holds; undefined if there is no file. */
  readonly disk: string | undefined;
  /** Set if the change goes through the editor. */
  readonly editor: EditorTexts | undefined;
}

/**
 * The text of a file as its editor has it, or else the disk. The file on the disk is judged as without an editor.
 *
 * @param path of a file, or of nothing
 * @returns undefined if neither has one
 * @throws ToolboxError as `changeableText`; `too_large`, `editor_failed`; `unsaved` if the editor has another text and takes none, or
 *   the disk has got another one, too
 */
export async function currentText(
  root: Root,
  path: ConfinedPath,
  editor: EditorTexts | undefined,
  signal: AbortSignal,
): Promise<CurrentText | undefined> {
  const { asked, real } = path;
  const disk =
    path.kind === "file"
      ? await withFolder(root, dirname(real), (folder) => changeableText(folder, basename(real), asked))
      : undefined;
  const found = await editor?.look(path, disk, signal);
  const onDisk = disk === undefined ? undefined : { text: disk, disk, editor: undefined };
  if (found === undefined) return onDisk;
  const { text: held, isConflict } = found;
  if (Buffer.byteLength(held) > largestText) {
    const problem = `"${asked}" has more than the ${largestText} bytes of a file that can be changed`;
    throw new ToolboxError("too_large", asked, `${problem}.`);
  }
  if (isConflict) throw unsaved(asked, "and has changed on the disk since");
  if (editor?.writes) return { text: held, disk, editor };
  if (disk !== undefined && isSameText(held, disk)) return onDisk;
  throw unsaved(asked);
}

/** What the editor has of a file is not on the disk, and would be lost or overwritten. */
export function unsaved(asked: string, also = ""): ToolboxError {
  const unsaved = ["has changes in the editor that are not saved", also].filter(Boolean).join(" ");
  const problem = `"${asked}" ${unsaved}, so it was not changed.`;
  return new ToolboxError("unsaved", asked, `${problem} Ask the person to save it, then try again.`);
}
