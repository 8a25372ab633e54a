import { Lexer, type Token, type Tokens } from "marked";
import { copyButton } from "./copy-button.ts";
import { longText } from "./long-text.ts";
import { tag } from "./tag.ts";

/**
 * Markdown as elements. HTML in it stays text, a picture becomes a link, and only links to `http`, `https` and `mailto` can be
 * followed: a model or a file may have written it.
 */
export function markdown(source: string): HTMLElement {
  if (source.length > longest) return longText(source);
  const element = tag("div", { class: "markdown", dir: "auto" });
  try {
    element.append(...blocks(new Lexer({ gfm: true }).lex(source)));
  } catch {
    // Nested deeper than the stack.
    element.replaceChildren(longText(source));
  }
  return element;
}

const longest = 100_000;

/** The elements of blocks, one for each. */
export function blocks(tokens: readonly Token[]): Node[] {
  return tokens.map(block);
}

function block(token: Token): Node {
  switch (token.type) {
    case "heading":
      // The headings of the page itself are above them.
      return tag(headings[token.depth - 1] ?? "h6", {}, ...inlines(token));
    case "paragraph":
      return tag("p", {}, ...inlines(token));
    case "code":
      return code(token as Tokens.Code);
    case "blockquote":
      return tag("blockquote", {}, ...blocks(token.tokens ?? []));
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table);
    case "hr":
      return tag("hr");
    case "space":
    case "def":
      return document.createTextNode("");
    case "html":
      return tag("p", {}, token.raw.trim());
    default:
      return inline(token);
  }
}

const headings = ["h4", "h5", "h6"] as const;

function code({ text, lang }: Tokens.Code): HTMLElement {
  const bar = tag("div", { class: "row tools" }, lang ? tag("span", { class: "fact" }, lang) : undefined);
  const copy = copyButton(() => text);
  if (copy) bar.append(copy);
  return tag("div", { class: "text-box" }, tag("pre", { tabindex: 0 }, text), bar);
}

function list({ ordered, start, items }: Tokens.List): HTMLElement {
  const rows = items.map(({ tokens, task, checked }) => {
    const box = task && tag("input", { type: "checkbox", disabled: true, checked, "aria-label": "done" });
    return tag("li", { class: task ? "task" : undefined }, box, ...blocks(tokens.filter(isNoBox)));
  });
  return ordered ? tag("ol", { start: start === "" ? 1 : start }, ...rows) : tag("ul", {}, ...rows);
}

/** Newer versions of the lexer give the box of a task as a token, too. */
function isNoBox({ type }: Token): boolean {
  return type !== "checkbox";
}

function table({ header, rows, align }: Tokens.Table): HTMLElement {
  const cell = (name: "th" | "td") => (given: Tokens.TableCell, i: number) =>
    tag(name, { class: align[i] ?? undefined }, ...inlines(given));
  const head = tag("thead", {}, tag("tr", {}, ...header.map(cell("th"))));
  const body = tag("tbody", {}, ...rows.map((row) => tag("tr", {}, ...row.map(cell("td")))));
  return tag("div", { class: "scrolls", tabindex: 0 }, tag("table", {}, head, body));
}

function inlines({ tokens, text }: { tokens?: readonly Token[]; text?: string }): Node[] {
  return tokens ? tokens.map(inline) : [document.createTextNode(text ?? "")];
}

function inline(token: Token): Node {
  switch (token.type) {
    case "strong":
      return tag("strong", {}, ...inlines(token as Tokens.Strong));
    case "em":
      return tag("em", {}, ...inlines(token as Tokens.Em));
    case "del":
      return tag("del", {}, ...inlines(token as Tokens.Del));
    case "codespan":
      return tag("code", {}, token.text);
    case "br":
      return tag("br");
    case "link":
      return link(token.href, inlines(token as Tokens.Link));
    case "image":
      return link(token.href, [document.createTextNode(`picture: ${token.text || token.href}`)]);
    case "list":
    case "code":
    case "blockquote":
    case "table":
    case "paragraph":
    case "heading":
      return block(token);
    case "text":
    case "escape": {
      const { tokens, text } = token as Tokens.Text;
      const part = document.createDocumentFragment();
      part.append(...(tokens ? tokens.map(inline) : [text]));
      return part;
    }
    default:
      return document.createTextNode(token.raw);
  }
}

function link(href: string, content: Node[]): HTMLElement {
  const { protocol = "" } = URL.parse(href) ?? {};
  if (!followed.has(protocol)) return tag("span", { title: href }, ...content);
  return tag("a", { href, rel: "noreferrer noopener", target: "_blank" }, ...content);
}

const followed: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);
