/** A piece of Markdown that can be shown without what follows it. */
export interface MarkdownPart {
  readonly source: string;
  /** It goes on with the block of the part before it: no empty line stands between them, and code has no border there. */
  readonly goesOn: boolean;
  /** The block goes on in the next part. */
  readonly isOpen: boolean;
}

/** Characters of a block, after which it is cut although it goes on. */
const longest = 2000;
/** Lines of code, and items of a list, after which those before the last one are a part of their own. */
const mostLines = 8;

/**
 * Cuts Markdown that arrives in pieces into parts that no later text changes: paragraphs, lists, tables, code. What follows the last
 * of them is the tail. A block that grows long is cut early, at the end of a line where it has one: code opens again in the next part,
 * and a table repeats its head.
 */
export class MarkdownStream {
  #tail = "";
  /** Whether the tail goes on with the block of the last part. */
  #goesOn = false;
  /** Where the line begins that is read next. */
  #at = 0;
  /** Complete lines of the tail. */
  #lines = 0;
  /** The marks of the code block that is open, and the line that opens it again. */
  #fence: { readonly marks: string; readonly line: string } | undefined;
  /** Where the tail may be cut: after an empty line, once text without indentation follows. */
  #gap: number | undefined;
  /** Items of the list that the tail is; 0 where it is none. */
  #items = 0;

  /** Adds text, and returns the parts that it has closed. */
  push(text: string): MarkdownPart[] {
    this.#tail += text;
    const closed: MarkdownPart[] = [];
    for (let end = this.#tail.indexOf("\n", this.#at); end >= 0; end = this.#tail.indexOf("\n", this.#at)) {
      this.#line(this.#tail.slice(this.#at, end), closed);
    }
    this.#closeGap(this.#tail.slice(this.#at), closed);
    while (this.#tail.length - this.#at > longest) this.#cutLine(closed);
    return closed;
  }

  /** What follows the last part that is closed; undefined if that is nothing to see. */
  get tail(): MarkdownPart | undefined {
    if (this.#tail.trim() === "") return undefined;
    return { source: this.#tail, goesOn: this.#goesOn, isOpen: this.#fence !== undefined };
  }

  /** Returns the tail as the last part; undefined if there is none. */
  end(): MarkdownPart | undefined {
    const { tail } = this;
    this.#fence = undefined;
    this.#begin("", 0, false);
    return tail && { ...tail, isOpen: false };
  }

  /** Reads the complete line that begins at `#at`. */
  #line(line: string, closed: MarkdownPart[]): void {
    this.#closeGap(line, closed);
    const begin = this.#at;
    this.#at += line.length + 1;
    this.#lines++;
    if (this.#fence) this.#codeLine(line, begin, closed);
    else this.#textLine(line, begin, closed);
  }

  #codeLine(line: string, begin: number, closed: MarkdownPart[]): void {
    const [, marks = "", rest = ""] = fence.exec(line) ?? [];
    if (marks.startsWith(this.#fence?.marks ?? "`") && rest.trim() === "") {
      this.#fence = undefined;
      if (!/^\s/.test(line) && !this.#isList) this.#cut(this.#at, false, closed);
    } else if (this.#isList ? this.#at > longest : this.#lines > mostLines) this.#cutCode(begin, closed);
  }

  #textLine(line: string, begin: number, closed: MarkdownPart[]): void {
    const [, marks, rest = ""] = fence.exec(line) ?? [];
    const isItem = item.test(line);
    // Further in, it is text of a paragraph, or code by its indentation.
    if (marks && (this.#isList || /^ {0,3}\S/.test(line))) this.#fence = { marks, line: `${marks}${rest}` };
    else if (line.trim() === "") this.#gap = this.#at;
    else if (isItem && (begin === 0 || this.#isList)) {
      if (this.#items >= mostLines) {
        this.#cut(begin, true, closed);
        this.#lines = 1;
      }
      this.#items++;
    } else if (this.#at > longest) this.#cutText(closed);
  }

  /** After an empty line, text without indentation begins a block of its own. */
  #closeGap(line: string, closed: MarkdownPart[]): void {
    if (this.#gap === undefined || this.#fence || line.trim() === "") return;
    if (!/^\s/.test(line)) this.#cut(this.#gap, false, closed);
    else this.#gap = undefined;
  }

  get #isList(): boolean {
    return this.#items > 0;
  }

  #cut(at: number, isOpen: boolean, closed: MarkdownPart[], head = ""): void {
    const source = this.#tail.slice(0, at);
    const goesOn = this.#goesOn;
    const read = this.#at - at + head.length;
    this.#begin(head + this.#tail.slice(at), read, isOpen);
    if (source.trim() !== "") closed.push({ source, goesOn, isOpen });
  }

  #begin(tail: string, at: number, goesOn: boolean): void {
    this.#tail = tail;
    this.#at = at;
    this.#goesOn = goesOn;
    this.#lines = 0;
    this.#gap = undefined;
    this.#items = 0;
  }

  /** Cuts a code block, which is opened again for the rest of it. */
  #cutCode(at: number, closed: MarkdownPart[]): void {
    const head = `${this.#fence?.line}\n`;
    this.#cut(at, true, closed, head);
    // What opens it, and the line before which it was cut.
    this.#lines = 1 + (this.#at > head.length ? 1 : 0);
  }

  /** Cuts text that is long; a table has its head again in the next part. */
  #cutText(closed: MarkdownPart[]): void {
    const [head = ""] = tableHead.exec(this.#tail) ?? [];
    this.#cut(this.#at, true, closed, head);
  }

  /** Cuts a line that does not end, after a space where it has one. */
  #cutLine(closed: MarkdownPart[]): void {
    const line = this.#tail.slice(this.#at, this.#at + longest);
    const space = line.lastIndexOf(" ");
    let end = this.#at + (space > longest / 2 ? space + 1 : longest);
    // Both halves of a character stay together.
    if (/[\ud800-\udbff]/.test(this.#tail.charAt(end - 1))) end--;
    this.#at = end;
    if (this.#fence) this.#cutCode(end, closed);
    else this.#cut(end, true, closed);
  }
}

const fence = /^\s*(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const item = /^(?:[-+*]|\d{1,9}[.)])(?:\s|$)/;
/** The names of the columns, and the line below them. */
const tableHead = /^[^\n]*\|[^\n]*\n *\|?[ :|-]*-[ :|-]*\n/;
