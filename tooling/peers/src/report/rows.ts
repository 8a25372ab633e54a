import type { PeerFigures, Result } from "../figures/figures.ts";
import type { Streaming } from "../figures/streaming.ts";

/** One figure of a peer, or why there is none. */
export type Cell = { readonly number: number; readonly isAtLeast: boolean } | { readonly failed: string };

/** A figure that is compared between peers: less is better in each. */
export interface Row {
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  /** The figure of one peer; nothing if it was not asked for. */
  of(figures: PeerFigures): Cell | undefined;
}

/** What is compared, in this order. */
export const rows: readonly Row[] = [
  { title: "start to prompt", unit: "s", digits: 2, of: ({ start }) => cell(start, (value) => value) },
  { title: "a one-shot prompt", unit: "s", digits: 2, of: ({ oneShot }) => cell(oneShot, (value) => value) },
  streamed("memory at start", "MB", 0, ({ startMemory }) => startMemory),
  streamed("memory after 1 MB of Markdown", "MB", 0, ({ endMemory }) => endMemory),
  streamed("processor time for 1 MB of Markdown", "s", 1, ({ cpu }) => cpu),
  streamed("bytes to the terminal for it", "MB", 2, ({ bytes }) => bytes / 1e6),
  {
    title: "a step of a turn of 200",
    unit: "ms",
    digits: 0,
    of: ({ steps }) => cell(steps, ({ millisecondsPerStep }) => millisecondsPerStep),
  },
  {
    title: "most memory in that turn",
    unit: "MB",
    digits: 0,
    of: ({ steps }) => cell(steps, ({ peakMemory }) => peakMemory),
  },
];

/** A figure as it is written; `>` before one that was still growing when the measurement ended. */
export function cellText(found: Cell | undefined, { digits }: Row): string {
  if (found === undefined) return "";
  if ("failed" in found) return "did not run";
  return `${found.isAtLeast ? "> " : ""}${found.number.toFixed(digits)}`;
}

function streamed(title: string, unit: string, digits: number, number: (of: Streaming) => number): Row {
  const of = ({ streaming }: PeerFigures) =>
    cell(streaming, number, ({ shownAfter }) => shownAfter === undefined && title !== "memory at start");
  return { title, unit, digits, of };
}

function cell<Figure>(
  result: Result<Figure> | undefined,
  number: (value: Figure) => number,
  isAtLeast: (value: Figure) => boolean = () => false,
): Cell | undefined {
  if (result === undefined) return;
  if ("failed" in result) return result;
  return { number: number(result.value), isAtLeast: isAtLeast(result.value) };
}
