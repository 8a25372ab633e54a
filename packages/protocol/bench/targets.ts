import { ratioOf } from "@tooling/bench";
import type { Cell, CellRow } from "./cell.ts";
import { names, peers } from "./contenders.ts";

/** A target: a ratio of times. */
export interface Target {
  name: string;
  /** The ratio; undefined where a contender did not run. */
  ratio(rows: readonly CellRow[]): number | undefined;
  /** The least ratio that meets the target; undefined where there is none. */
  least(cell: Cell): number | undefined;
}

export const targets: Target[] = [
  {
    name: "event floor ÷ createParser",
    ratio: (rows) => ratio(rows, names.eventFloor, names.parser),
    least({ transcript, size, chunk }) {
      if (chunk === "whole" || chunk >= 64) return 0.6;
      if (chunk !== 4) return undefined;
      if (transcript === "mixed") return 0.6;
      return size === megabyte ? 0.9 : undefined;
    },
  },
  {
    name: "best peer ÷ createParser",
    ratio(rows) {
      const ratios = peers.map((name) => ratio(rows, name, names.parser)).filter((value) => value !== undefined);
      return ratios.length > 0 ? Math.min(...ratios) : undefined;
    },
    least: () => 1,
  },
  {
    name: "buffer and regex ÷ createParser",
    ratio: (rows) => ratio(rows, names.regex, names.parser),
    least: ({ size, chunk }) => (size === megabyte && chunk === 4 ? 300 : undefined),
  },
  {
    name: "bare for await ÷ parse()",
    ratio: (rows) => ratio(rows, names.forAwait, names.parse),
    least: (cell) => (isToken(cell) ? 0.5 : undefined),
  },
  {
    name: "identity stream ÷ ParserStream",
    ratio: (rows) => ratio(rows, names.identityStream, names.stream),
    least: (cell) => (isToken(cell) ? 0.8 : undefined),
  },
];

/** The least ratio for a cell. All targets are about prose and calls of the JSON dialect. */
export function leastOf(target: Target, cell: Cell): number | undefined {
  return cell.transcript.startsWith("xml") || cell.transcript === "markup" ? undefined : target.least(cell);
}

const megabyte = 1_000_000;

/** The sizes in which a model sends text. With larger chunks the floor does almost nothing, and ratios mean nothing. */
function isToken({ chunk }: Cell): boolean {
  return chunk !== "whole" && chunk <= 16;
}

function ratio(rows: readonly CellRow[], above: string, below: string): number | undefined {
  const a = rows.find(({ name }) => name === above);
  const b = rows.find(({ name }) => name === below);
  return a && b && ratioOf(a, b);
}
