import type { FileHandle } from "node:fs/promises";

/** The part of a text to read. */
export interface PageRequest {
  /** The first line, counted from 1. */
  from: number;
  /** The first character of that line, counted from 1 in UTF-16 units. */
  column: number;
  /** The most lines to return. */
  lines: number;
}

/** A part of a text, byte for byte, or why there is none. */
export type LinePage =
  | { kind: "page"; text: string; to: number; total: number | null; next?: PagePosition }
  | { kind: "not_text" }
  | { kind: "beyond_end"; total: number }
  | { kind: "beyond_line" };

/** Where the next page begins; with a column if the page ends within a line. */
interface PagePosition {
  line: number;
  column?: number;
}

/** In bytes. */
export const largestPage = 64 * 1024;

/**
 * Reads a page of a text of any size, which comes in pieces; a piece that is undefined is not UTF-8 text. It holds at most a page and a piece of 64 KiB in memory. A page ends with a
 * whole line unless a single line is too long for it. `total` is the number of lines, or null if the rest of the file is too
 * long to count them.
 */
export async function readPage(pieces: AsyncIterable<string | undefined>, request: PageRequest): Promise<LinePage> {
  const reader = new PageReader(request);
  let beyond = 0;
  for await (const piece of pieces) {
    if (piece === undefined) return { kind: "not_text" };
    if (reader.isFull) beyond += piece.length;
    reader.take(piece);
    if (beyond > mostCounted) return reader.page(null);
  }
  return reader.page(reader.lines);
}

/** The most that is read after the page to count lines, in UTF-16 units. */
const mostCounted = 64 * 1024 * 1024;
const pieceBytes = 64 * 1024;

/** Yields the text of an open file in pieces. If a piece is not UTF-8 text, it yields undefined and ends. */
export async function* piecesIn(handle: FileHandle, signal: AbortSignal): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const buffer = new Uint8Array(pieceBytes);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, pieceBytes, null);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytes.includes(0)) {
      yield undefined;
      return;
    }
    try {
      yield decoder.decode(bytes, { stream: bytesRead > 0 });
    } catch {
      yield undefined;
      return;
    }
    if (bytesRead === 0) return;
  }
}

/** Yields a text in pieces. */
export async function* piecesOf(text: string, signal: AbortSignal): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += pieceBytes) {
    signal.throwIfAborted();
    yield text.slice(from, from + pieceBytes);
  }
}

class PageReader {
  readonly #request: PageRequest;
  #collected = "";
  /** The column at which the page begins: the requested one, or the next if that is the second half of a character. */
  #column: number;
  /** Characters of the first line that are still to be skipped. */
  #toSkip: number;
  #lineEnds = 0;
  #isLineOpen = false;

  constructor(request: PageRequest) {
    this.#request = request;
    this.#column = request.column;
    this.#toSkip = request.column - 1;
  }

  /** The number of lines so far. */
  get lines(): number {
    return this.#lineEnds + (this.#isLineOpen ? 1 : 0);
  }

  /** Whether the page is complete. Further text is only counted. */
  get isFull(): boolean {
    const { from, lines } = this.#request;
    return this.#lineEnds >= from - 1 + lines || this.#collected.length > largestPage;
  }

  take(piece: string): void {
    for (let from = 0; from < piece.length; ) {
      const end = piece.indexOf("\n", from);
      const next = end === -1 ? piece.length : end + 1;
      if (this.#lineEnds >= this.#request.from - 1 && !this.isFull) this.#collect(piece.slice(from, next));
      if (end !== -1) this.#lineEnds += 1;
      this.#isLineOpen = end === -1;
      from = next;
    }
  }

  page(total: number | null): LinePage {
    const { from, column } = this.#request;
    if (this.lines < from && from + column > 2) return { kind: "beyond_end", total: this.lines };
    if (this.#toSkip > 0) return { kind: "beyond_line" };
    const text = fitting(this.#collected);
    const isCut = text.length < this.#collected.length && !text.endsWith("\n");
    const to = from - 1 + lineCount(text);
    const page = { kind: "page", text, to, total } as const;
    if (isCut) return { ...page, next: { line: to, column: this.#column + text.length } };
    return this.lines > to ? { ...page, next: { line: to + 1 } } : page;
  }

  #collect(part: string): void {
    const skipped = Math.min(this.#toSkip, part.replace(/\n$/, "").length);
    this.#toSkip -= skipped;
    if (this.#toSkip > 0) {
      // The line ends before the requested column, so there is no page.
      if (part.endsWith("\n")) this.#toSkip = Number.POSITIVE_INFINITY;
      return;
    }
    const isHalf = skipped > 0 && /^[\uDC00-\uDFFF]/.test(part.slice(skipped));
    if (isHalf) this.#column += 1;
    this.#collected += part.slice(isHalf ? skipped + 1 : skipped);
  }
}

function lineCount(text: string): number {
  return text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
}

/** The whole lines that fit into a page, or the whole characters of a single longer line. */
function fitting(text: string): string {
  if (Buffer.byteLength(text) <= largestPage) return text;
  const bytes = Buffer.from(text);
  let end = largestPage;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const cut = bytes.toString("utf8", 0, end);
  const lastEnd = cut.lastIndexOf("\n");
  return lastEnd === -1 ? cut : cut.slice(0, lastEnd + 1);
}
