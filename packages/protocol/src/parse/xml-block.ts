import { indexOf, skipSpace } from "../text/characters.ts";
import { EXECUTE_CLOSE } from "../text/markers.ts";
import { Block } from "./block.ts";

/** Matches the characters of a name from `lastIndex` on. */
const nameCharacters = /[\w.-]*/y;

/** One line break beside each tag of an argument is layout. */
const firstLineBreak = /^(?:\r\n?|\n)/;
const lastLineBreak = /(?:\r\n?|\n)$/;

/**
 * A block of the XML dialect (protocol.md §1). Tags are its only tokens. Between tags, text outside of an argument must be
 * white space, and text inside of one belongs to its value.
 */
export class XmlBlock extends Block {
  /** The tag that is being read, from its `<` on; empty outside of a tag. It means nothing before it ends. */
  #tag = "";
  /** Whether that tag begins with `</`. */
  #isClosing = false;
  /** The last tag, if only white space has come since; else empty. */
  #lastTag = "";
  /** The name of the open tool; empty outside of one. */
  #tool = "";
  /** The tag that closes the open tool or, outside of one, the block. */
  #closer = EXECUTE_CLOSE;
  /** The name of the open argument; empty outside of one. */
  #argument = "";
  /** The closed arguments of the open tool. */
  #args: { [name: string]: string } = {};
  /** The text since the opening tag of the open argument, up to `copied`. */
  #value = "";
  /**
   * The offset in that text of the argument's latest closing tag: the value ends there if a tag follows that allows it.
   */
  #valueEnd = 0;
  /** Text of the open tool that the listener has not received yet. */
  #delta = "";

  override lacksOnlyCloser(): boolean {
    return this.#tool === "" && EXECUTE_CLOSE.startsWith(this.#tag);
  }

  protected override readCharacter(character: string): void {
    if (this.#tag === "") this.#readContent();
    else this.#readTag(character);
  }

  protected override keep(): void {
    this.#value += this.text.slice(this.copied, this.index);
    this.#emitDelta();
  }

  #readContent(): void {
    const start = this.index;
    this.index = skipSpace(this.text, start);
    if (this.#argument !== "") {
      const end = indexOf(this.text, "<", this.index);
      if (this.index < end) this.#lastTag = "";
      this.index = end;
    }
    this.#delta += this.text.slice(start, this.index);
    if (this.index === this.text.length) return;
    this.#isClosing = false;
    if (this.text.charAt(this.index) === "<") this.#addToTag(1);
    else this.#refuse();
  }

  #readTag(character: string): void {
    if (this.#isClosing && this.#argument === "") {
      if (character !== this.#closer.charAt(this.#tag.length)) this.#refuse();
      else if (character === ">") this.#endTag();
      else this.#addToTag(1);
      return;
    }
    nameCharacters.lastIndex = this.index;
    nameCharacters.test(this.text);
    const length = nameCharacters.lastIndex - this.index;
    if (length > 0) this.#addToTag(length);
    else if (character === "/" && this.#tag === "<") {
      this.#isClosing = true;
      this.#addToTag(1);
    } else if (character === ">" && this.#tag.length > (this.#isClosing ? 2 : 1)) this.#endTag();
    else if (this.#argument !== "") {
      this.#delta += this.#tag;
      this.#tag = this.#lastTag = "";
    } else this.#refuse();
  }

  #addToTag(length: number): void {
    this.#tag += this.text.slice(this.index, this.index + length);
    this.index += length;
  }

  #endTag(): void {
    this.#addToTag(1);
    const tag = this.#tag;
    const last = this.#lastTag;
    const name = tag.slice(1, -1);
    const isOpening = !this.#isClosing;
    const argumentCloser = `</${this.#argument}>`;
    this.#tag = "";
    this.#lastTag = tag;
    if (this.#tool === "") {
      this.#tool = isOpening ? name : "";
      this.#closer = `</${name}>`;
      this.#args = {};
      this.#delta = "";
      if (isOpening) this.openCall(this.index - tag.length);
      this.isClosed = !isOpening;
      return;
    }
    const mayFollow = isOpening ? name !== this.#argument && !Object.hasOwn(this.#args, name) : tag === this.#closer;
    if (this.#argument === "" || (last === argumentCloser && mayFollow)) {
      if (this.#argument !== "") this.#closeArgument();
      if (isOpening) this.#openArgument(name);
      else this.#closeTool();
    } else if (tag === argumentCloser) {
      this.#valueEnd = this.#value.length + this.index - this.copied - tag.length;
    }
    if (this.#argument !== "" && tag === EXECUTE_CLOSE && last === this.#closer) {
      this.refuse(`${argumentCloser} is missing`);
    }
    this.#delta += tag;
  }

  #closeArgument(): void {
    const content = (this.#value + this.text.slice(this.copied, this.index)).slice(0, this.#valueEnd);
    this.#args[this.#argument] = content.replace(firstLineBreak, "").replace(lastLineBreak, "").toWellFormed();
  }

  #openArgument(name: string): void {
    this.#argument = name;
    this.#value = "";
    this.copied = this.index;
    if (name === "__proto__") this.refuse(`${name} is not allowed`);
  }

  #closeTool(): void {
    this.#emitDelta();
    this.announce(JSON.stringify({ name: this.#tool, args: this.#args }));
    this.#tool = this.#argument = "";
    this.#closer = EXECUTE_CLOSE;
  }

  #emitDelta(): void {
    if (this.#tool !== "" && this.#delta !== "") this.listener.onDelta?.(this.#delta, this.#tool);
    this.#delta = "";
  }

  #refuse(): void {
    this.refuseNext(`<${this.#tool === "" ? "tool" : "argument"}> or ${this.#closer}`, this.#tag);
  }
}
