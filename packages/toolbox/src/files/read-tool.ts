import { basename, dirname } from "node:path";
import type { Attachment } from "@cogency/protocol";
import { type AttachedValue, defineTool, type Tool, withAttachments } from "@cogency/tools";
import { attachmentBytes } from "@cogency/tools/host";
import * as z from "zod";
import { ToolboxError } from "../errors.ts";
import { type ArgumentsOf, lazyInput } from "../lazy-input.ts";
import { checkOptionsOf, checkRoot } from "../options.ts";
import parameters from "../parameters.json" with { type: "json" };
import { onPath } from "../system-error.ts";
import { readAttached } from "./attached/read-attached.ts";
import { Provenance } from "./calls/provenance.ts";
import { fileKeys } from "./calls/resources.ts";
import { type ConfinedFolder, withFolder } from "./confine/confined-folder.ts";
import type { ConfinedPath } from "./confine/confined-path.ts";
import { existingFile, notRegular } from "./confine/existing-path.ts";
import type { Root } from "./confine/root.ts";
import { type EditorTexts, editorTexts } from "./editor/editor-texts.ts";
import type { TextFileOptions } from "./editor/text-files.ts";
import { type LinePage, type PageRequest, piecesIn, piecesOf, readPage } from "./text/line-page.ts";
import { largestText, notText, readTextFile } from "./text/text-file.ts";

/** What `read` returns if it does not return the whole file. */
export interface ReadPage {
  /** The lines, byte for byte. */
  text: string;
  /** The first and the last line of the page, counted from 1. */
  from: number;
  to: number;
  /** The number of lines in the file; null if it is too long to count them. */
  total: number | null;
  /** Arguments for the next page; absent at the end. `column` is set only within a line too long for one page. */
  next?: { from: number; column?: number };
  /** Says that the last line is cut. */
  note?: string;
}

/** What `read` returns beside an image or a PDF file, which is attached. */
export interface AttachedFile {
  /** Such as `image/png`. */
  mediaType: string;
  bytes: number;
}

/**
 * `read`: the text of a file, as a string, or page by page; an image (PNG, JPEG, GIF, WebP) or a PDF file as an attachment of the
 * result. Where the model takes no such attachment, the call fails and says so.
 */
export function readTool(root: Root, options: TextFileOptions = {}): Tool<"read"> {
  checkRoot("readTool", root);
  checkOptionsOf("readTool", options);
  const editor = editorTexts(root, options.files);
  const provenance = new Provenance(root, "read");
  return defineTool({
    name: "read",
    description:
      `Read a text file (UTF-8): all of it, or, if it has more than ${mostLines} lines or 64 KiB, a page of it. ` +
      "An image (PNG, JPEG, GIF, WebP) or a PDF is attached to the result, if you can take it.",
    input: readInput,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    resource: ({ file }) => fileKeys(root, file),
    brings: (args) => provenance.brings(args, args.file, false),
    execute: (args, { signal }) => onPath(args.file, () => read({ root, provenance, editor }, args, signal)),
  });
}

const mostLines = 2000;

export const readInput = lazyInput(parameters.read, () =>
  z.object({
    file: z.string().describe("path of the file, relative to the root folder"),
    from: z.int().min(1).optional().describe("first line to read, counted from 1"),
    lines: z.int().min(1).max(mostLines).optional().describe(`how many lines to read, at most ${mostLines}`),
    column: z.int().min(1).optional().describe("where in the first line to begin, to go on within a very long line"),
  }),
);

interface Reading {
  root: Root;
  provenance: Provenance;
  editor: EditorTexts | undefined;
}

async function read(
  { root, provenance, editor }: Reading,
  args: ArgumentsOf<typeof readInput>,
  signal: AbortSignal,
): Promise<string | ReadPage | AttachedValue<AttachedFile>> {
  const { file, from = 1, lines = mostLines, column = 1 } = args;
  provenance.onBegin(args);
  const path = await (editor?.file(file, signal) ?? existingFile(root, file));
  provenance.onFile(args, path.real);
  const request = { from, lines, column };
  const onDisk = await pageOnDisk(root, path, request, signal);
  const held = onDisk?.kind === "attached" ? undefined : await heldText(root, path, onDisk, editor, signal);
  const page = held === undefined ? onDisk : await readPage(piecesOf(held, signal), request);
  if (page === undefined) throw gone(file);
  if (page.kind === "attached") return attached(page.attachment);
  if (page.kind !== "page") throw refused(page, file, from);
  const { text, to, total, next } = page;
  const isPaged = args.from !== undefined || args.lines !== undefined || args.column !== undefined;
  if (!isPaged && next === undefined) return text;
  if (next === undefined) return { text, from, to, total };
  const { line, column: nextColumn } = next;
  if (nextColumn === undefined) return { text, from, to, total, next: { from: line } };
  const note = `Line ${line} is longer than a page and was cut. Go on in it with "from": ${line}, "column": ${nextColumn}.`;
  return { text, from, to, total, next: { from: line, column: nextColumn }, note };
}

type OnDisk = LinePage | { kind: "attached"; attachment: Attachment };

/** Undefined for a file that only an editor has. */
async function pageOnDisk(
  root: Root,
  { real, kind, asked }: ConfinedPath,
  request: PageRequest,
  signal: AbortSignal,
): Promise<OnDisk | undefined> {
  if (kind === "missing") return undefined;
  return await withFolder(root, dirname(real), (folder) => pageOf(folder, basename(real), asked, request, signal));
}

/** The text of an editor. What is no text on the disk, or larger than what can be changed, is read there. */
async function heldText(
  root: Root,
  path: ConfinedPath,
  onDisk: OnDisk | undefined,
  editor: EditorTexts | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (editor === undefined || onDisk?.kind === "not_text") return undefined;
  if (onDisk === undefined) return await editor.read(path, undefined, signal);
  const { real } = path;
  const disk = await withFolder(root, dirname(real), (folder) => readTextFile(folder, basename(real), largestText));
  return disk.kind === "text" ? await editor.read(path, disk.text, signal) : undefined;
}

async function pageOf(
  folder: ConfinedFolder,
  name: string,
  asked: string,
  request: PageRequest,
  signal: AbortSignal,
): Promise<OnDisk> {
  const handle = await folder.openFile(name);
  try {
    if (!(await handle.stat()).isFile()) throw notRegular(asked);
    const attachment = await readAttached(handle, name, asked);
    return attachment ? { kind: "attached", attachment } : await readPage(piecesIn(handle, signal), request);
  } finally {
    await handle.close();
  }
}

function attached(attachment: Attachment): AttachedValue<AttachedFile> {
  const { mediaType } = attachment;
  return withAttachments({ mediaType, bytes: attachmentBytes(attachment) }, [attachment]);
}

function refused(page: Exclude<LinePage, { kind: "page" }>, file: string, from: number): ToolboxError {
  switch (page.kind) {
    case "not_text":
      return notText(file);
    case "beyond_end":
      return new ToolboxError("range_invalid", file, `"${file}" has only ${lines(page.total)}. Give a smaller "from".`);
    case "beyond_line":
      return new ToolboxError("range_invalid", file, `Line ${from} of "${file}" ends before that "column".`);
  }
}

function gone(asked: string): ToolboxError {
  return new ToolboxError("path_changed", asked, `"${asked}" changed while it was being used; try again.`);
}

function lines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}
