import type { Kind } from "../conversation/script.ts";
import { costOf, totalOf } from "../figures/cost.ts";
import { type ConversationFigures, type Figures, longest } from "../figures/figures.ts";
import { type WayName, ways } from "../ways.ts";
import { claim } from "./claim.ts";

const width = 860;
const height = 400;
const plot = { top: 74, height: 270, width: 256 };
/** Where the two plots begin; their labels stand behind them. */
const lefts: Record<Kind, number> = { chat: 24, job: 446 };
const titles: Record<Kind, string> = {
  chat: "A chat: 32 prompts, each with a call",
  job: "One run: 32 requests, 31 calls",
};

interface Line {
  readonly label: string;
  readonly look: string;
  /** The sum after each turn. */
  readonly points: readonly number[];
}

/** Draws the sums of tokens, turn by turn, for a light and a dark page. The picture holds the figures as JSON, too. */
export function svg(figures: Figures): string {
  const plots = (Object.keys(lefts) as Kind[]).map((kind) => drawn(linesOf(figures, kind), kind));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>Tokens of a conversation: sent and billed, by replay with and without a prompt cache, and by resume</title>
<metadata>${escaped(JSON.stringify(figures))}</metadata>
<style>${style}</style>
<rect class="page" width="100%" height="100%" rx="8"/>
${text(24, 28, "Tokens in all after each turn, by what came over sockets of one machine. Without a cache, what is sent is billed.", "quiet")}
${plots.join("\n")}
</svg>
`;
}

/** The figures that a picture was drawn from. */
export function figuresIn(picture: string): Figures {
  const [, json = ""] = /<metadata>(.*)<\/metadata>/.exec(picture) ?? [];
  return JSON.parse(json.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")) as Figures;
}

function linesOf({ conversations }: Figures, kind: Kind): Line[] {
  const of = (way: WayName, sum: (one: ConversationFigures) => number) => {
    const found = conversations.find((one) => one.kind === kind && one.way === way);
    return after((turns) => (found ? sum({ ...found, turns: found.turns.slice(0, turns) }) : 0));
  };
  const sent = ({ turns }: ConversationFigures) => totalOf(turns).sent;
  const billed = ({ way, turns }: ConversationFigures) => costOf(turns, ways[way].price);
  const claimed = [
    { label: "claimed: replay", look: "claim", points: after(claim.replay) },
    { label: "claimed: resume", look: "claim", points: after(claim.resume) },
  ];
  return [
    { label: "replay, sent", look: "replay", points: of("replay", sent) },
    { label: "resume, sent", look: "resume", points: of("resume", sent) },
    { label: "billed, OpenAI", look: "openai", points: of("cached", billed) },
    { label: "billed, Anthropic", look: "anthropic", points: of("marked", billed) },
    { label: "billed, resume", look: "session", points: of("resume", billed) },
    ...(kind === "job" ? claimed : []),
  ];
}

const after = (sum: (turns: number) => number) => Array.from({ length: longest }, (_, index) => sum(index + 1));

function drawn(lines: readonly Line[], kind: Kind): string {
  const left = lefts[kind];
  const bottom = plot.top + plot.height;
  const most = Math.max(...lines.flatMap(({ points }) => points));
  const x = (turn: number) => left + ((turn - 1) / (longest - 1)) * plot.width;
  const y = (tokens: number) => bottom - (tokens / most) * plot.height;
  const paths = lines.map(({ look, points }) => {
    const path = points.map((tokens, index) => `${x(index + 1).toFixed(1)},${y(tokens).toFixed(1)}`).join(" ");
    return `<polyline class="line ${look}" points="${path}"/>`;
  });
  const labels = apart(lines.map((line) => ({ ...line, at: y(line.points.at(-1) ?? 0) }))).map(
    ({ label, look, points, at }) =>
      text(left + plot.width + 6, at + 4, `${thousands(points.at(-1) ?? 0)} ${label}`, `small of-${look}`),
  );
  const ticks = [1, 8, 16, 24, 32].map((turn) => text(x(turn), bottom + 18, String(turn), "quiet middle"));
  return [
    text(left, plot.top - 18, titles[kind], "title"),
    `<path class="axis" d="M${left} ${plot.top}V${bottom}H${left + plot.width}"/>`,
    ...paths,
    ...labels,
    ...ticks,
    text(left + plot.width / 2, bottom + 38, "turn", "quiet middle"),
  ].join("\n");
}

const lineHeight = 15;

/** Moves labels up until none covers another; the lowest one stays. */
function apart<Label extends { readonly at: number }>(labels: readonly Label[]): Label[] {
  let lowest = Number.POSITIVE_INFINITY;
  return [...labels]
    .sort((one, other) => other.at - one.at)
    .map((label) => {
      lowest = Math.min(label.at, lowest - lineHeight);
      return { ...label, at: lowest };
    });
}

const thousands = (tokens: number) => `${Math.round(tokens / 1000).toLocaleString("en-US")} k`;

function text(x: number, y: number, content: string, look: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" class="${look}">${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const style = [
  ".page{fill:#fbfaf7;stroke:#d8d5cc}",
  "text{font:13px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:#1d2125}",
  ".title{font-weight:bold}.small{font-size:12px}text.quiet{fill:#5b6470}.middle{text-anchor:middle}",
  ".axis{fill:none;stroke:#9aa4af}.line{fill:none;stroke-width:2}",
  ".replay{stroke:#b42318}.resume{stroke:#0f766e}.openai{stroke:#1d4ed8}.anthropic{stroke:#9a6700}.session{stroke:#0f766e;stroke-dasharray:2 4}",
  ".claim{stroke:#5b6470;stroke-dasharray:6 4;stroke-width:1}",
  ".of-replay{fill:#b42318}.of-resume,.of-session{fill:#0f766e}.of-openai{fill:#1d4ed8}.of-anthropic{fill:#8a5a00}.of-claim{fill:#5b6470}",
  "@media(prefers-color-scheme:dark){.page{fill:#15181c;stroke:#30363d}text{fill:#e6e8eb}text.quiet{fill:#9aa4af}.axis{stroke:#5b6470}",
  ".replay{stroke:#ff8a80}.resume,.session{stroke:#56d4dd}.openai{stroke:#8ab4ff}.anthropic{stroke:#e3b341}.claim{stroke:#9aa4af}",
  ".of-replay{fill:#ff8a80}.of-resume,.of-session{fill:#56d4dd}.of-openai{fill:#8ab4ff}.of-anthropic{fill:#e3b341}.of-claim{fill:#9aa4af}}",
].join("");
