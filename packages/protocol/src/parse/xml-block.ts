import { indexOf, skipSpace } from "../text/characters.ts";
import { EXECUTE_CLOSE } from "../text/markers.ts";
import { Block } from "./block.ts";

/** The characters of a name from `lastIndex` on. */
const nameCharacters = /[\w.-]*/y;

/** One line break beside each tag of an argument is layout. */
const firstLineBreak = /^(?:\r\n?|\n)/;
const lastLineBreak = /(?:\r\n?|\n)$/;

/**
 * A block of the XML dialect (protocol.md §1). Tags are its only tokens: what stands between them is layout outside of
 * arguments and content inside of them.
 */
export class XmlBlock extends Block {
  /** The tag being read, from its `<`; empty outside of one. It is not looked into before it ends. */
  #tag = "";
  #isClosing = false;
  /** The tag that came last, if only white space has come since. */
  #lastTag = "";
  /** The open tool and argument; empty where there is none. */
  #tool = "";
  /** What closes the open tool, or the block. */
  #closer = EXECUTE_CLOSE;
  #argument = "";
  #args: { [name: string]: string } = {};
  /** What came since the tag of the open argument, up to index `#copied` of the text. */
  #value = "";
  /** Where in it the closing tag of the argument begins that came last. */
  #valueEnd = 0;
  /** Text of the open tool that the listener has not got yet. */
  #untold = "";

  override lacksOnlyCloser(): boolean {
    return this.#tool === "" && EXECUTE_CLOSE.startsWith(this.#tag);
  }

  protected override readCharacter(character: string): void {
    if (this.#tag === "") this.#readContent();
    else this.#readTag(character);
  }

  protected override keep(): void {
    this.#value += this.text.slice(this.copied, this.index);
    this.#tell();
  }

  #readContent(): void {
    const start = this.index;
    this.index = skipSpace(this.text, start);
    if (this.#argument !== "") {
      const end = indexOf(this.text, "<", this.index);
      if (this.index < end) this.#lastTag = "";
      this.index = end;
    }
    this.#untold += this.text.slice(start, this.index);
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
      this.#untold += this.#tag;
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
      this.#untold = "";
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
    this.#untold += tag;
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
    this.#tell();
    this.listener.onCall(JSON.stringify({ name: this.#tool, args: this.#args }));
    this.#tool = this.#argument = "";
    this.#closer = EXECUTE_CLOSE;
  }

  #tell(): void {
    if (this.#tool !== "" && this.#untold !== "") this.listener.onDelta?.(this.#untold, this.#tool);
    this.#untold = "";
  }

  #refuse(): void {
    this.refuseFound(`<${this.#tool === "" ? "tool" : "argument"}> or ${this.#closer}`, this.#tag);
  }
}
