import { styleText } from "node:util";
import { Markdown, type MarkdownTheme, setCapabilities } from "@earendil-works/pi-tui";
import type { MarkdownPart } from "./markdown-stream.ts";

// A link shows where it leads: behind other words it could lead anywhere. Asking the terminal would also start processes.
setCapabilities({ images: null, trueColor: false, hyperlinks: false });

/** Markdown as rows of a terminal, at most so many columns wide. The text must be free of control characters. */
export function markdownRows(
  { source, goesOn, isOpen }: MarkdownPart,
  columns: number,
  theme: MarkdownTheme,
): string[] {
  const rows = new Markdown(source, 0, 0, theme, undefined, {
    preserveOrderedListMarkers: true,
    renderLatex: false,
  })
    .render(columns)
    .map((text) => text.trimEnd());
  const isCode = /^(?:`{3}|~{3})/.test(source);
  return rows.slice(goesOn && isCode ? 1 : 0, isOpen && isCode ? -1 : undefined);
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
