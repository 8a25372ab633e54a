import { Lexer, type Token } from "marked";
import { blocks } from "./markdown.ts";
import { tag } from "./tag.ts";

/**
 * Markdown that grows at its end, as the elements that `markdown` makes of it. Each block is made once it is followed by another one;
 * only the last block is read again when text comes.
 *
 * A link whose address stands further below is text until the whole is shown.
 */
export class GrowingMarkdown {
  readonly element = tag("div", { class: "markdown", dir: "auto" });
  #source = "";
  /** What follows the last block that is final. */
  #tail = "";
  #tailNodes: Node[] = [];
  #isPlain = false;

  /** Shows the text. Cheap where it begins with the text before. */
  write(source: string): void {
    if (source === this.#source) return;
    if (!source.startsWith(this.#source)) this.#begin();
    const news = source.slice(this.#source.length);
    this.#source = source;
    if (this.#isPlain) this.element.append(news);
    else this.#goOn(news.replaceAll("\r", ""));
  }

  #goOn(news: string): void {
    this.#tail += news;
    for (const node of this.#tailNodes) this.element.removeChild(node);
    this.#tailNodes = [];
    try {
      this.#draw();
    } catch {
      // Nested deeper than the stack.
      this.#tailNodes = [document.createTextNode(this.#tail)];
      this.element.append(...this.#tailNodes);
    }
  }

  #begin(): void {
    this.element.replaceChildren();
    this.#source = this.#tail = "";
    this.#tailNodes = [];
    this.#isPlain = false;
  }

  #draw(): void {
    if (this.#tail.length > longestBlock) {
      this.#isPlain = true;
      this.element.append(this.#tail);
      return;
    }
    const tokens: Token[] = new Lexer({ gfm: true }).lex(this.#tail);
    const last = tokens.findLastIndex(({ type }) => type !== "space");
    const final = tokens.slice(0, Math.max(0, last));
    const length = final.reduce((sum, { raw }) => sum + raw.length, 0);
    this.element.append(...blocks(final));
    this.#tail = this.#tail.slice(length);
    this.#tailNodes = blocks(tokens.slice(Math.max(0, last)));
    this.element.append(...this.#tailNodes);
  }
}

/** Characters of one block, after which the rest of the text is shown as it is until the whole is there. */
const longestBlock = 30_000;
