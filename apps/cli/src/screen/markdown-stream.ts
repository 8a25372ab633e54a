/**
 * Cuts Markdown that arrives in pieces into blocks that no later text changes: paragraphs, lists up to an empty line, code. What
 * follows the last of them is the tail. A block that grows too long is cut early, at the end of a line.
 */
export class MarkdownStream {
  #tail = "";
  /** Where the line begins that is read next. */
  #at = 0;
  /** The line that opened the code block of the tail. */
  #fence: string | undefined;
  /** Where the tail may be cut: after an empty line, once text without indentation follows. */
  #gap: number | undefined;

  /** Adds text, and returns the blocks that it has closed. */
  push(text: string): string[] {
    this.#tail += text;
    const closed: string[] = [];
    for (let end = this.#tail.indexOf("\n", this.#at); end >= 0; end = this.#tail.indexOf("\n", this.#at)) {
      this.#line(this.#tail.slice(this.#at, end), closed);
    }
    this.#closeGap(this.#tail.slice(this.#at), closed);
    while (this.#tail.length - this.#at > longest) this.#cutLine(closed);
    return closed;
  }

  /** What follows the last block that is closed. */
  get tail(): string {
    return this.#tail;
  }

  /** Returns the tail as the last block; undefined if there is none. */
  end(): string | undefined {
    const rest = this.#tail;
    this.#tail = "";
    this.#at = 0;
    this.#fence = undefined;
    this.#gap = undefined;
    return rest.trim() === "" ? undefined : rest;
  }

  /** Reads the complete line that begins at `#at`. */
  #line(line: string, closed: string[]): void {
    this.#closeGap(line, closed);
    this.#at += line.length + 1;
    const mark = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
    if (this.#fence !== undefined) {
      const [, opened = ""] = /^\s*(`{3,}|~{3,})/.exec(this.#fence) ?? [];
      const isEnd = mark?.[1]?.startsWith(opened) && mark[2]?.trim() === "";
      if (isEnd) {
        this.#fence = undefined;
        if (!/^\s/.test(line)) this.#cut(this.#at, closed);
      } else if (this.#at > longest) this.#cutCode(closed);
      return;
    }
    if (mark) this.#fence = line;
    else if (line.trim() === "") this.#gap = this.#at;
    else if (this.#at > longest) this.#cut(this.#at, closed);
  }

  /** After an empty line, text without indentation begins a block of its own. */
  #closeGap(line: string, closed: string[]): void {
    if (this.#gap === undefined || this.#fence !== undefined || line.trim() === "") return;
    if (!/^\s/.test(line)) this.#cut(this.#gap, closed);
    else this.#gap = undefined;
  }

  #cut(at: number, closed: string[]): void {
    const block = this.#tail.slice(0, at);
    this.#tail = this.#tail.slice(at);
    this.#at -= at;
    this.#gap = undefined;
    if (block.trim() !== "") closed.push(block);
  }

  /** Cuts a code block, which is opened again for the rest of it. */
  #cutCode(closed: string[]): void {
    const fence = this.#fence ?? "```";
    const [, mark = "```"] = /^\s*(`{3,}|~{3,})/.exec(fence) ?? [];
    const rest = this.#tail.slice(this.#at);
    const block = this.#tail.slice(0, this.#at);
    closed.push(`${block}${mark}\n`);
    this.#tail = `${fence}\n${rest}`;
    this.#at = fence.length + 1;
  }

  /** Cuts a line that does not end, after a space where it has one. */
  #cutLine(closed: string[]): void {
    const line = this.#tail.slice(this.#at, this.#at + longest);
    const space = line.lastIndexOf(" ");
    let end = this.#at + (space > longest / 2 ? space + 1 : longest);
    // Both halves of a character stay together.
    if (/[\ud800-\udbff]/.test(this.#tail.charAt(end - 1))) end--;
    if (this.#fence !== undefined) {
      const rest = this.#tail.slice(end);
      this.#tail = `${this.#tail.slice(0, end)}\n`;
      this.#at = this.#tail.length;
      this.#cutCode(closed);
      this.#tail += rest;
      return;
    }
    this.#at = end;
    this.#cut(end, closed);
  }
}

/** Characters of a block that is still open. */
const longest = 4000;
