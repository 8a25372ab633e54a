import type { IBufferCell, Terminal } from "@xterm/headless";

/** Pixels of a cell, for a font whose characters are 0.6 em wide. */
const cell = { width: 8.4, height: 18 };
const margin = 16;

/**
 * Draws the rows of a terminal, scrollback included, as SVG: text with colours for a light and a dark page. Empty rows at the end are
 * left out.
 *
 * @param title what the picture shows, for those who do not see it
 * @param named what is written for a text of the terminal, such as `/srv/greeter` for the path of a temporary folder
 */
export function terminalSvg(
  terminal: Terminal,
  title: string,
  named: (text: string) => string = (text) => text,
): string {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, y) => piecesOf(terminal, y));
  const last = rows.findLastIndex((pieces) => pieces.some(({ text }) => text.trim() !== ""));
  const height = (last + 1) * cell.height + 2 * margin;
  const width = terminal.cols * cell.width + 2 * margin;
  const drawn = rows.slice(0, last + 1).map((pieces, y) => {
    const top = margin + y * cell.height + 13;
    return pieces.map((piece) => drawnPiece(piece, top, named)).join("");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width.toFixed(0)}" height="${height}" viewBox="0 0 ${width.toFixed(0)} ${height}">
<title>${escaped(title)}</title>
<style>${style}</style>
<rect width="100%" height="100%" rx="8"/>
${drawn.filter((row) => row !== "").join("\n")}
</svg>
`;
}

/** Text of one style, and the column in which it begins. */
interface Piece {
  column: number;
  text: string;
  look: string;
}

function piecesOf({ buffer, cols }: Terminal, y: number): Piece[] {
  const pieces: Piece[] = [];
  const line = buffer.active.getLine(y);
  for (let column = 0; column < cols; column++) {
    const found = line?.getCell(column);
    // The second half of a wide character is a cell of no width.
    if (!found || found.getWidth() === 0) continue;
    const text = found.getChars() || " ";
    const look = lookOf(found);
    const piece = pieces.at(-1);
    if (piece?.look === look) piece.text += text;
    else pieces.push({ column, text, look });
  }
  return pieces;
}

function lookOf(found: IBufferCell): string {
  const names = [
    ...(found.isBold() ? ["b"] : []),
    ...(found.isDim() ? ["d"] : []),
    ...(found.isFgPalette() ? [`c${found.getFgColor() % 8}`] : []),
  ];
  return names.join(" ");
}

function drawnPiece({ column, text, look }: Piece, top: number, named: (text: string) => string): string {
  const shown = named(text.trimEnd());
  const start = shown.length - shown.trimStart().length;
  if (shown.trim() === "") return "";
  const left = (margin + (column + start) * cell.width).toFixed(1);
  return `<text x="${left}" y="${top}"${look === "" ? "" : ` class="${look}"`}>${escaped(shown.trim())}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Colours 1 to 6 are those of a terminal: red, green, yellow, blue, magenta, cyan. */
const style = [
  "rect{fill:#fbfaf7;stroke:#d8d5cc}",
  "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1d2125;white-space:pre}",
  ".b{font-weight:bold}.d{fill:#6b7280}",
  ".c1{fill:#b42318}.c2{fill:#1a7f37}.c3{fill:#8a5a00}.c4{fill:#0b5cad}.c5{fill:#8a3ffc}.c6{fill:#0f766e}",
  "@media(prefers-color-scheme:dark){rect{fill:#15181c;stroke:#30363d}text{fill:#e6e8eb}.d{fill:#9aa4af}",
  ".c1{fill:#ff7b72}.c2{fill:#56d364}.c3{fill:#e3b341}.c4{fill:#79c0ff}.c5{fill:#d2a8ff}.c6{fill:#56d4dd}}",
].join("");
