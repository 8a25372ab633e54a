import { type Figures, isNoisy, type PeerFigures } from "../figures/figures.ts";
import { cellText, type Row, rows } from "./rows.ts";
import { workText } from "./work-text.ts";

const width = 860;
const margin = 20;
const lineHeight = 19;
const panelWidth = (width - 3 * margin) / 2;
/** Where bars begin in a panel, and how long they may be: their figure stands after them. */
const bars = { left: 74, length: panelWidth - 74 - 90 };

/** What the two lines above the panels take. */
const notes = margin + lineHeight * 3;

/**
 * Draws the figures as an SVG: a panel of bars for each row, the eight steps as lines; colours for a light and a dark page. It holds them as
 * JSON, too.
 */
export function svg(figures: Figures): string {
  const { machine, peers } = figures;
  const compared = rows.filter((row) => peers.some((peer) => row.of(peer) !== undefined));
  const panelHeight = (peers.length + 2) * lineHeight;
  const panels = compared.map((row, index) => {
    const x = margin + (index % 2) * (panelWidth + margin);
    const y = notes + Math.floor(index / 2) * panelHeight;
    return panel(row, peers, x, y);
  });
  const below = notes + Math.ceil(compared.length / 2) * panelHeight;
  const works = peers.flatMap(({ name, work = [] }) => work.map(({ mode, result }) => ({ name, mode, result })));
  const lines = works.map(({ name, mode, result }, index) => {
    const y = below + (index + 1) * lineHeight;
    return `${text(margin, y, name, classOf(name))}${text(margin + bars.left, y, mode)}${text(margin + 160, y, workText(result))}`;
  });
  const height = below + (works.length > 0 ? (works.length + 1) * lineHeight : 0) + margin;
  const noise = isNoisy(machine)
    ? `, busy with other work (load ${Math.max(machine.load, machine.endLoad).toFixed(1)}): do not compare`
    : "";
  const note = `Shorter is better. A scripted model on loopback; ${machine.cores} cores${noise}.`;
  const versions = peers
    .flatMap(({ name, version }) => (version === undefined ? [] : [`${name} ${version}`]))
    .join(", ");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>Terminal agents side by side: ${compared.map(({ title }) => title).join(", ")}</title>
<metadata>${escaped(JSON.stringify(figures))}</metadata>
<style>${style}</style>
<rect class="page" width="100%" height="100%" rx="8"/>
${text(margin, margin + 8, note, "quiet")}
${text(margin, margin + 8 + lineHeight, versions, "quiet")}
${panels.join("\n")}
${works.length > 0 ? text(margin, below, "eight steps of work", "title") : ""}
${lines.join("\n")}
</svg>
`;
}

/** The figures that a picture was drawn from. */
export function figuresIn(picture: string): Figures {
  const [, text = ""] = /<metadata>(.*)<\/metadata>/.exec(picture) ?? [];
  return JSON.parse(text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")) as Figures;
}

function panel(row: Row, peers: readonly PeerFigures[], x: number, y: number): string {
  const cells = peers.map((peer) => ({ name: peer.name, cell: row.of(peer) }));
  const most = Math.max(...cells.map(({ cell }) => (cell && "number" in cell ? cell.number : 0)), Number.MIN_VALUE);
  const drawn = cells.map(({ name, cell }, index) => {
    const top = y + (index + 1) * lineHeight;
    const label = text(x, top, name, classOf(name));
    if (!cell || !("number" in cell)) return label + text(x + bars.left, top, cellText(cell, row), "quiet");
    const length = Math.max(2, (cell.number / most) * bars.length);
    const bar = `<rect class="bar ${classOf(name)}" x="${x + bars.left}" y="${top - 10}" width="${length.toFixed(1)}" height="12" rx="2"/>`;
    return label + bar + text(x + bars.left + length + 6, top, `${cellText(cell, row)} ${row.unit}`);
  });
  return [text(x, y, row.title, "title"), ...drawn].join("\n");
}

const classOf = (name: string) => (name === "cogency" ? "ours" : "other");

function text(x: number, y: number, content: string, look = ""): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${look === "" ? "" : ` class="${look}"`}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const style = [
  ".page{fill:#fbfaf7;stroke:#d8d5cc}",
  "text{font:13px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:#1d2125}",
  ".title,.ours{font-weight:bold}text.quiet{fill:#5b6470}",
  ".bar{fill:#9aa4af}.bar.ours{fill:#0f766e}",
  "@media(prefers-color-scheme:dark){.page{fill:#15181c;stroke:#30363d}text{fill:#e6e8eb}text.quiet{fill:#9aa4af}",
  ".bar{fill:#5b6470}.bar.ours{fill:#56d4dd}}",
].join("");
