import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The file is no GGUF file, or it ends where more must follow. */
export class GgufError extends Error {
  override readonly name = "GgufError";
  readonly code = "not_gguf";
}

const window = 1 << 20;

/** Reads the values of a GGUF file one after another. Values that are passed over are not kept. */
export class GgufReader {
  readonly bytes: number;
  readonly #file: number;
  #at = 0;
  #held: Buffer = Buffer.alloc(0);
  #heldAt = 0;

  /** @throws the error of the system if the file cannot be opened */
  constructor(path: string) {
    this.#file = openSync(path, "r");
    const status = fstatSync(this.#file);
    if (!status.isFile()) {
      this.close();
      throw new GgufError("it is not a regular file");
    }
    this.bytes = status.size;
  }

  close(): void {
    closeSync(this.#file);
  }

  skip(length: number): void {
    if (length > this.bytes - this.#at) throw new GgufError("it is cut off");
    this.#at += length;
  }

  take(length: number): Buffer {
    const from = this.#at;
    this.skip(length);
    if (from < this.#heldAt || from + length > this.#heldAt + this.#held.length) {
      this.#held = Buffer.alloc(Math.min(Math.max(length, window), this.bytes - from));
      this.#heldAt = from;
      if (readSync(this.#file, this.#held, 0, this.#held.length, from) < length) throw new GgufError("it is cut off");
    }
    return this.#held.subarray(from - this.#heldAt, from - this.#heldAt + length);
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  /** A count or a length. */
  count(): number {
    const value = this.take(8).readBigUInt64LE();
    if (value > BigInt(this.bytes)) throw new GgufError("it says that it has more than it has");
    return Number(value);
  }

  /** @param most bytes; the rest of a longer text is passed over */
  text(most: number): string {
    const length = this.count();
    const kept = Math.min(length, most);
    const text = this.take(kept).toString("utf8");
    this.skip(length - kept);
    return text;
  }
}
