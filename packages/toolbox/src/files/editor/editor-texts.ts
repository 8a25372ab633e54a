import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { bounded, createAbortScope, type Settlement } from "@cogency/async";
import { ToolboxError } from "../../errors.ts";
import { type ConfinedPath, confinePath } from "../confine/confined-path.ts";
import { existingFile, meantPath } from "../confine/existing-path.ts";
import { isInside, type Root } from "../confine/root.ts";
import { notText } from "../text/text-file.ts";
import { SeenTexts } from "./seen-texts.ts";
import type { TextFiles } from "./text-files.ts";

type Judged = Pick<ConfinedPath, "real" | "asked">;
type Reading = NonNullable<TextFiles["read"]>;

/** What an editor says of files that a tool has judged. */
export class EditorTexts {
  readonly #root: Root;
  readonly #files: TextFiles;
  readonly #read: Reading;
  readonly #seen: SeenTexts;

  constructor(root: Root, files: TextFiles, read: Reading) {
    this.#root = root;
    this.#files = files;
    this.#read = read;
    this.#seen = seenBy.get(files) ?? new SeenTexts();
    seenBy.set(files, this.#seen);
  }

  /** Whether it takes texts. */
  get writes(): boolean {
    return this.#files.write !== undefined;
  }

  /**
   * As `existingFile`; a file of which only the editor has a text, because it was never saved, has the kind `missing`.
   *
   * @throws ToolboxError as `existingFile`, `editor_failed`
   */
  async file(asked: string, signal: AbortSignal, resolve = confinePath): Promise<ConfinedPath> {
    const path = await meantPath(this.#root, asked, resolve);
    const isUnsaved = path.kind === "missing" && (await this.read({ ...path, asked }, undefined, signal)) !== undefined;
    return isUnsaved ? path : await existingFile(this.#root, asked, resolve);
  }

  /**
   * The text of a file as the editor has it. Undefined if the one on the disk counts: the editor has none, or still the one that both
   * held before another program changed the file.
   *
   * @param disk the text on the disk; undefined if there is no file
   * @throws ToolboxError `editor_failed` if it does not answer in time, or with no text; `not_text`; `path_changed`
   */
  async read(path: Judged, disk: string | undefined, signal: AbortSignal): Promise<string | undefined> {
    return (await this.look(path, disk, signal))?.text;
  }

  /** As `read`, with whether the file has changed both in the editor and on the disk. */
  async look(
    path: Judged,
    disk: string | undefined,
    signal: AbortSignal,
  ): Promise<{ text: string; isConflict: boolean } | undefined> {
    const text = await this.#ask(path, signal);
    // Some editors open an empty buffer for every file that does not exist.
    if (text === undefined || (disk === undefined && text === "")) return undefined;
    const relation = disk === undefined ? "unsaved" : this.#seen.look(path.real, text, disk);
    return relation === "stale" ? undefined : { text, isConflict: relation === "conflict" };
  }

  /** Notes that the editor has written a text, and the disk has it. */
  noteWritten({ real }: Pick<ConfinedPath, "real">, text: string): void {
    this.#seen.look(real, text, text);
  }

  /** Changes with the text that the editor has of a file. @throws ToolboxError as `read` */
  async stateOf(path: Judged): Promise<string> {
    const { kind } = await confinePath(this.#root, path.real);
    if (kind !== "file" && kind !== "missing") return "";
    const held = await unlessNoText(this.#ask(path, new AbortController().signal));
    return held === undefined ? "" : createHash("sha256").update(held).digest("hex");
  }

  /** Has a text written, and waits for it also when the call is cancelled: the editor may be writing already. */
  async write({ real }: Judged, text: string): Promise<Settlement<void>> {
    return await this.#inTime(async () => this.#files.write?.(this.#told(real), text));
  }

  async #ask(path: Judged, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted();
    const { asked, real } = path;
    const answer = await this.#inTime((limit) => this.#read(this.#told(real), limit), signal);
    signal.throwIfAborted();
    if (answer.end === "rejected") return undefined;
    if (answer.end !== "fulfilled") throw silent(asked);
    const text: unknown = answer.value;
    if (typeof text !== "string") throw failed(asked, "did not answer with a text");
    if (text.includes("\0") || !text.isWellFormed()) throw notText(asked);
    // A link may have come on the path while the editor read it.
    const now = await confinePath(this.#root, real);
    if (now.real === real) return text;
    throw new ToolboxError("path_changed", asked, `"${asked}" changed while it was being used; try again.`);
  }

  /** The path as the person opened the root: the editor may not know its files by another one. */
  #told(real: string): string {
    const { base, given } = this.#root;
    return isInside(base, real) ? join(given, relative(base, real)) : real;
  }

  async #inTime<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<Settlement<T>> {
    const scope = createAbortScope();
    const leave = signal && scope.follow(signal);
    const limit = new AbortController();
    try {
      return await bounded(() => work(limit.signal), {
        scope,
        timeout: this.#files.timeout ?? usualTimeout,
        grace: 0,
        stop: () => limit.abort(),
      });
    } finally {
      leave?.();
    }
  }
}

/** @returns undefined if the files on the disk are all that counts: what an editor has must be known before it is replaced */
export function editorTexts(root: Root, files: TextFiles | undefined): EditorTexts | undefined {
  const read = files?.read?.bind(files);
  return files && read && new EditorTexts(root, files, read);
}

/** All tools that one editor is lent to share it. */
const seenBy = new WeakMap<TextFiles, SeenTexts>();

/** Milliseconds. */
const usualTimeout = 10_000;

async function unlessNoText(reading: Promise<string | undefined>): Promise<string | undefined> {
  return await reading.catch((error: unknown) => {
    if (error instanceof ToolboxError && error.code === "not_text") return undefined;
    throw error;
  });
}

function silent(asked: string): ToolboxError {
  return failed(asked, "did not answer in time");
}

function failed(asked: string, what: string): ToolboxError {
  const advice = "Ask the person to look at the editor, or to close the file there.";
  return new ToolboxError("editor_failed", asked, `The editor was asked for "${asked}" and ${what}. ${advice}`);
}
