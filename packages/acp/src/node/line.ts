/** A line of bytes that grows until its end. Of one that is too long, the ends are kept. */
export class Line {
  readonly #mostBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;
  #head: string | undefined;
  #tail: Uint8Array = new Uint8Array(0);

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get size(): number {
    return this.#size;
  }

  add(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#head === undefined) this.#parts.push(bytes);
    else this.#tail = lastOf([this.#tail, bytes]);
    if (this.#head !== undefined || this.#size <= this.#mostBytes) return;
    this.#head = decoder.decode(joined(this.#parts, endBytes));
    this.#tail = lastOf(this.#parts);
    this.#parts = [];
  }

  /** Ends the line, so that the next one may begin. */
  end(): { text: string } | { head: string; tail: string } {
    const ended =
      this.#head === undefined
        ? { text: decoder.decode(joined(this.#parts, this.#size)) }
        : { head: this.#head, tail: decoder.decode(this.#tail) };
    this.#parts = [];
    this.#size = 0;
    this.#head = undefined;
    this.#tail = new Uint8Array(0);
    return ended;
  }
}

/** Bytes of each end of a line that is too long. */
const endBytes = 4096;
const decoder = new TextDecoder();

function joined(parts: readonly Uint8Array[], most: number): Uint8Array {
  const all = new Uint8Array(
    Math.min(
      most,
      parts.reduce((sum, { length }) => sum + length, 0),
    ),
  );
  let at = 0;
  for (const part of parts) {
    if (at >= all.length) break;
    all.set(part.subarray(0, all.length - at), at);
    at += Math.min(part.length, all.length - at);
  }
  return all;
}

function lastOf(parts: readonly Uint8Array[]): Uint8Array {
  let first = parts.length;
  for (let size = 0; first > 0 && size < endBytes; size += parts[first]?.length ?? 0) first--;
  return joined(parts.slice(first), Number.POSITIVE_INFINITY).slice(-endBytes);
}
