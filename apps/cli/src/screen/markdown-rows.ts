import { styleText } from "node:util";
import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";

/** Markdown as rows of a terminal, at most so many columns wide. The text must be free of control characters. */
export function markdownRows(source: string, columns: number, theme: MarkdownTheme): string[] {
  const rows = new Markdown(source, 0, 0, theme, undefined, {
    preserveOrderedListMarkers: true,
    renderLatex: false,
  }).render(columns);
  return rows.map((text) => text.trimEnd());
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
