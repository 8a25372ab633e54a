/** Why a block is refused, and the offset at which no valid block can continue. */
export interface Fault {
  position: number;
  message: string;
}

/** What a block tells while it is read. */
export interface BlockListener {
  /** A call's object or element closed. `content` is the JSON text of `{"name","args"}`. */
  onCall(content: string): void;
  /** Raw text of the arguments of the open call, as it arrives. Its name is there once it is known. */
  onDelta?: ((content: string, name: string | undefined) => void) | undefined;
}

/** Reads one block as it arrives (protocol.md P6, P7); each dialect has its own. */
export abstract class Block {
  /** The closing tag of the block has been read. */
  isClosed = false;
  /** It needed one of the repairs. */
  isRepaired = false;
  fault: Fault | undefined;
  protected readonly listener: BlockListener;
  protected text = "";
  /** What is read next: an index in the text, which begins at offset `base` of the generation. */
  protected index = 0;
  protected base = 0;
  /** Up to where the text has been copied to what is kept of it. */
  protected copied = 0;

  constructor(listener: BlockListener) {
    this.listener = listener;
  }

  /**
   * Read `text` from index `from`; `base` is the offset of `text` in the generation.
   *
   * @returns the index after the last character that belongs to the block
   */
  read(text: string, from: number, base: number): number {
    this.text = text;
    this.index = this.copied = from;
    this.base = base;
    while (this.index < text.length && !this.isClosed && !this.fault) this.readCharacter(text.charAt(this.index));
    this.keep();
    this.copied = this.index;
    return this.index;
  }

  /** A short cut: take in a whole chunk in which nothing can happen; false if something can. */
  swallow?(chunk: string): boolean;

  /** The input is over: sets `fault` if this is no valid beginning of a block. */
  end(): void {}

  /** Whether it is complete but for its closer, or a part of it (protocol.md P14). */
  abstract lacksOnlyCloser(): boolean;

  /** Read on from this character. */
  protected abstract readCharacter(character: string): void;

  /** The text ends: keep what will be needed of it. */
  protected abstract keep(): void;

  /** What has just been read cannot stand here. */
  protected refuse(message: string, position = this.base + this.index - 1): false {
    this.fault ??= { position, message };
    return false;
  }

  /** Something else was expected than the next character. */
  protected refuseFound(wanted: string, after: string): void {
    const found = JSON.stringify(this.text.charAt(this.index));
    const context = after && ` after ${after.slice(-24).toWellFormed()}`;
    this.refuse(`found ${found} instead of ${wanted}${context}`, this.base + this.index);
  }
}
