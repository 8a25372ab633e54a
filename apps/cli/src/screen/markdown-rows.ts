import { styleText } from "node:util";
import { Markdown, type MarkdownTheme, setCapabilities, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { MarkdownPart } from "./markdown-stream.ts";
import { markdownTableRows } from "./markdown-table.ts";

// A link shows where it leads: behind other words it could lead anywhere. Asking the terminal would also start processes.
setCapabilities({ images: null, trueColor: false, hyperlinks: false });

/**
 * Markdown as rows of a terminal, at most so many columns wide. Empty ones at the ends stay only where the block goes on and has an empty
 * line there. The text must be free of control characters.
 */
export function markdownRows(
  { source, goesOn, isOpen }: MarkdownPart,
  columns: number,
  theme: MarkdownTheme,
): string[] {
  const rows = new TableMarkdown(source, 0, 0, theme, undefined, {
    preserveOrderedListMarkers: true,
    renderLatex: false,
  })
    .render(columns)
    .map((text) => text.trimEnd());
  const isCode = /^(?:`{3}|~{3})/.test(source);
  const shown = rows.slice(goesOn && isCode ? 1 : 0, isOpen && isCode ? -1 : undefined);
  const isFull = (row: string) => row !== "";
  const first = goesOn ? 0 : Math.max(0, shown.findIndex(isFull));
  const hasGap = isOpen && emptyLineAtEnd.test(source);
  return shown.slice(first, hasGap ? undefined : shown.findLastIndex(isFull) + 1);
}

/** Spaces at the end of the last line are no empty line; the library makes one of them. */
const emptyLineAtEnd = /\n[ \t]*\n[ \t]*$/;

interface Cell {
  readonly tokens?: readonly unknown[];
}

interface TableToken {
  readonly header: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
  readonly align: readonly (string | null)[];
}

/** What of the library's Markdown makes a table; its types keep it private. The version is pinned, and the tests look at tables. */
interface TableMaking {
  readonly theme: MarkdownTheme;
  renderTable(token: TableToken, columns: number, next?: string, style?: { stylePrefix?: string }): string[];
  renderInlineTokens(tokens: readonly unknown[], style?: object): string;
  wrapCellText(text: string, columns: number, stylePrefix?: string): string[];
}

const OpenMarkdown = Markdown as unknown as new (
  ...given: ConstructorParameters<typeof Markdown>
) => Pick<Markdown, "render"> & TableMaking;

/** The library breaks words in tables that have room for them elsewhere, and leaves narrow ones unformatted. */
class TableMarkdown extends OpenMarkdown {
  override renderTable(
    { header, rows, align }: TableToken,
    columns: number,
    next?: string,
    style?: { stylePrefix?: string },
  ): string[] {
    const text = ({ tokens = [] }: Cell) => this.renderInlineTokens(tokens, style);
    const table = { head: header.map(text), rows: rows.map((cells) => cells.map(text)), align };
    const lines = markdownTableRows(table, columns, {
      bold: (name) => this.theme.bold(name),
      wrap: (cell, width) =>
        cell.includes("\u001b")
          ? this.wrapCellText(cell, width, style?.stylePrefix)
          : wrapTextWithAnsi(cell, Math.max(1, width)),
    });
    return next !== undefined && next !== "space" ? [...lines, ""] : lines;
  }
}

/** The colours of Markdown; none where the stream shows none. */
export function markdownTheme(stream: NodeJS.WriteStream): MarkdownTheme {
  const styled =
    (...styles: Parameters<typeof styleText>[0] & string[]) =>
    (text: string) =>
      styleText(styles as Parameters<typeof styleText>[0], text, { stream });
  return {
    heading: styled("bold"),
    link: styled("underline"),
    linkUrl: styled("dim"),
    code: styled("cyan"),
    codeBlock: (text) => text,
    codeBlockBorder: styled("dim"),
    quote: styled("italic"),
    quoteBorder: styled("dim"),
    hr: styled("dim"),
    listBullet: styled("cyan"),
    bold: styled("bold"),
    italic: styled("italic"),
    strikethrough: styled("strikethrough"),
    underline: styled("underline"),
  };
}
