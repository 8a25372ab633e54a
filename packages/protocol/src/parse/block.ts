import { maxCallLength, maxCalls } from "./call-shape.ts";

/** Why a text is refused. */
export interface Fault {
  /** The offset at which no valid text can continue, in UTF-16 units; the length of a text that was cut off. */
  position: number;
  /** What is wrong and what to write instead: a part of a sentence for the model, such as `found "]" instead of ,}`. */
  message: string;
}

/** Receives what a block holds while it is read. */
export interface BlockListener {
  /** Called when the object or element of a call closes. `content` is the JSON text of `{"name","args"}`. */
  onCall(content: string): void;
  /** Called with raw text of the open call's arguments as it arrives; with the name once it is known. */
  onDelta?: ((content: string, name: string | undefined) => void) | undefined;
}

/** Reads one `<execute>` block as it arrives (protocol.md P6, P7). Each dialect has a subclass. */
export abstract class Block {
  /** The closing tag of the block has been read. */
  isClosed = false;
  /** The block needed one of the repairs. */
  isRepaired = false;
  fault: Fault | undefined;
  protected readonly listener: BlockListener;
  /** The piece of the generation that is being read. */
  protected text = "";
  /** The index in `text` of the next character. */
  protected index = 0;
  /** The offset of `text` in the generation. */
  protected base = 0;
  /** The index in `text` up to which the subclass has copied what it needs later. */
  protected copied = 0;
  /** The offset in the generation up to which the open call must have ended; infinite outside of calls. */
  protected limit = Number.POSITIVE_INFINITY;
  #calls = 0;

  constructor(listener: BlockListener) {
    this.listener = listener;
  }

  /**
   * Reads a piece of the generation.
   *
   * @param from the index in `text` at which the block begins or goes on
   * @param base the offset of `text` in the generation
   * @returns the index after the last character that belongs to the block
   */
  read(text: string, from: number, base: number): number {
    this.text = text;
    this.index = this.copied = from;
    this.base = base;
    while (this.index < text.length && !this.isClosed && !this.fault) this.readCharacter(text.charAt(this.index));
    if (this.#isTooLong()) this.index = this.limit - base;
    this.keep();
    this.copied = this.index;
    return this.index;
  }

  /**
   * A short cut for a whole chunk inside of one string: reads it and returns true, or does nothing and returns false.
   */
  readInsideString?(chunk: string, base: number): boolean;

  /** Called at the end of the input. Sets `fault` unless the text is a valid beginning of a block. */
  end(): void {}

  /** Whether the block lacks nothing but its closer, or a part of it (protocol.md P14). */
  abstract lacksOnlyCloser(): boolean;

  /** Reads on from this character, the one at `index`. */
  protected abstract readCharacter(character: string): void;

  /** Called at the end of `text`: copies the part that is needed later. */
  protected abstract keep(): void;

  /** A call begins, with the character at `from` in `text`. */
  protected openCall(from: number): void {
    this.limit = this.base + from + maxCallLength;
  }

  /** A call has ended with the character that was just read. Returns false if it is one too many or too long. */
  protected announce(content: string): boolean {
    if (this.#isTooLong()) return false;
    this.limit = Number.POSITIVE_INFINITY;
    if (++this.#calls > maxCalls) return this.refuse(`more than ${maxCalls} calls in one block; write fewer`);
    this.listener.onCall(content);
    return true;
  }

  /** Whether the open call is too long. This comes before any fault that lies behind the limit, however the text is cut. */
  #isTooLong(): boolean {
    if (this.base + this.index <= this.limit) return false;
    this.fault = {
      position: this.limit,
      message: `longer than ${maxCallLength} characters; write long content in parts`,
    };
    return true;
  }

  /** Sets the fault: the character that was just read cannot stand here. */
  protected refuse(message: string, position = this.base + this.index - 1): false {
    this.fault ??= { position, message };
    return false;
  }

  /** Sets the fault: the next character is not one of those that may come. */
  protected refuseNext(wanted: string, after: string): void {
    const isEnd = this.index === this.text.length;
    const found = isEnd ? "the end of the text" : JSON.stringify(this.text.charAt(this.index));
    const context = after && ` after ${after.slice(-24)}`;
    this.refuse(`found ${found} instead of ${wanted}${context}`, this.base + this.index);
  }
}
