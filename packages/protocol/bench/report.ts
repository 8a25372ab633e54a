import { columns, median, ratioOf, table } from "@tooling/bench";
import { type AssemblyRow, assemblyNames, logLengths } from "./assembly.ts";
import type { Cell, CellRow } from "./cell.ts";
import type { ChunkSize } from "./chunks.ts";
import { names } from "./contenders.ts";
import type { MemoryRow } from "./memory.ts";
import { leastOf, targets } from "./targets.ts";

export interface MeasuredCell {
  cell: Cell;
  rows: CellRow[];
}

/** The cells of one transcript of one size: CPU time by contender and chunk size, and the targets. */
export function sizeTable(cells: readonly MeasuredCell[]): string {
  const contenders = new Set(cells.flatMap(({ rows }) => rows.map(({ name }) => name)));
  const times = Array.from(contenders, (name) => [
    name,
    ...cells.map(({ rows }) => {
      const row = rows.find((candidate) => candidate.name === name);
      return row ? `${row.bound}${significant(row.median)}` : "";
    }),
  ]);
  const ratios = targets.flatMap((target) => {
    const found = cells.map(({ rows }) => target.ratio(rows));
    if (found.every((ratio) => ratio === undefined)) return [];
    const verdicts = cells.map(({ cell }, i) => verdict(found[i], leastOf(target, cell), "≥"));
    return [
      [target.name, ...found.map((ratio) => (ratio === undefined ? "" : significant(ratio)))],
      ...(verdicts.some((text) => text !== "") ? [["  target", ...verdicts]] : []),
    ];
  });
  const [first] = cells;
  const head = ["characters a chunk", ...cells.map(({ cell }) => String(cell.chunk))];
  return lines(first ? `${titleOf(first.cell)}, CPU time in ms` : "", [head, ...times, [], ...ratios]);
}

/** One cell in detail. */
export function cellTable({ cell, rows }: MeasuredCell): string {
  const floor = rows.find(({ name }) => name === names.eventFloor);
  const measurements = rows.map((row) => ({
    ...row,
    name: `${row.name} ${row.bound}`.trim(),
    ratio: floor && ratioOf(row, floor),
  }));
  const chunks = cell.chunk === "whole" ? "in one chunk" : `in chunks of ${cell.chunk}`;
  return table(`${titleOf(cell)} ${chunks}`, measurements);
}

/** The cost of ten times the text, where both sizes were measured. */
export function growthTable(cells: readonly MeasuredCell[]): string {
  const rows = growths(cells).flatMap(({ transcript, chunk, parser, floor }) => [
    [transcript, String(chunk), significant(parser), significant(floor), verdict(parser, asked(floor), "≤")],
  ]);
  if (rows.length === 0) return "";
  const head = ["", "characters a chunk", names.parser, names.eventFloor, "target"];
  return lines("time(10 MB) ÷ time(1 MB)", [head, ...rows]);
}

/** The heap that a parser holds. */
export function memoryTable(rows: readonly MemoryRow[]): string {
  const chunks = [...new Set(rows.map(({ chunk }) => chunk))];
  const body = [...new Set(rows.map(({ name }) => name))].flatMap((name) => {
    const found = chunks.map((chunk) => rows.find((row) => row.name === name && row.chunk === chunk));
    return [
      [name, ...found.map((row) => (row ? significant(row.held / 1e6) : ""))],
      ["  target", ...found.map((row) => (row ? verdict(row.held / 1e6, heldAtMost(row), "≤") : ""))],
    ];
  });
  return lines("heap held, in MB", [["characters a chunk", ...chunks.map(String)], ...body]);
}

/** What a step costs by the length of its log. */
export function assemblyTable(rows: readonly AssemblyRow[]): string {
  const body = [...new Set(rows.map(({ name }) => name))].map((name) => [
    name,
    ...rows.filter((row) => row.name === name).map(({ times }) => significant(median(times))),
  ]);
  const ratio = assemblyGrowth(rows);
  const target = ["10,000 events ÷ 10", significant(ratio ?? 0), verdict(ratio, assemblyGrowthAtMost, "≤")];
  return lines("a step with its request, CPU time in µs", [
    ["events in the log", ...logLengths.map(significant)],
    ...body,
    ...(ratio === undefined ? [] : [[], target]),
  ]);
}

/** Each target: how often it is met, and the cell nearest to the bound or farthest beyond it. */
export function summary(
  cells: readonly MeasuredCell[],
  memory: readonly MemoryRow[],
  assembly: readonly AssemblyRow[],
): string {
  const assembled = assemblyGrowth(assembly);
  const results: Result[] = [
    ...cells.flatMap(({ cell, rows }) =>
      targets.flatMap((target) => {
        const ratio = target.ratio(rows);
        const least = leastOf(target, cell);
        if (ratio === undefined || least === undefined) return [];
        return [{ name: target.name, where: placeOf(cell), ratio, met: ratio / least, bound: `≥ ${least}` }];
      }),
    ),
    ...growths(cells).flatMap(({ transcript, chunk, parser, floor }) => {
      const most = asked(floor);
      if (most === undefined) return [];
      const where = `${transcript}, ${chunk}`;
      return [{ name: "time(10 MB) ÷ time(1 MB)", where, ratio: parser, met: most / parser, bound: `≤ ${most}` }];
    }),
    ...memory.map((row) => ({
      name: "heap held, in MB",
      where: `${row.name}, ${row.chunk}`,
      ratio: row.held / 1e6,
      met: (heldAtMost(row) * 1e6) / row.held,
      bound: `≤ ${heldAtMost(row)}`,
    })),
    ...(assembled === undefined
      ? []
      : [
          {
            name: "a step on 10,000 events ÷ on 10",
            where: assemblyNames.grown,
            ratio: assembled,
            met: assemblyGrowthAtMost / assembled,
            bound: `≤ ${assemblyGrowthAtMost}`,
          },
        ]),
  ];
  const rows = [...new Set(results.map(({ name }) => name))].map((name) => {
    const all = results.filter((result) => result.name === name);
    const worst = all.reduce((a, b) => (b.met < a.met ? b : a));
    const met = all.filter((result) => result.met >= 1).length;
    const example = `${significant(worst.ratio)} (${worst.bound}) at ${worst.where}`;
    return [name, met === all.length ? "ok" : "missed", `${met} of ${all.length}`, example];
  });
  return rows.length === 0
    ? ""
    : lines("targets", [["", "", "met", "nearest to the bound, or farthest beyond"], ...rows]);
}

interface Result {
  name: string;
  where: string;
  ratio: number;
  /** 1 or more if the target is met. */
  met: number;
  bound: string;
}

interface Growth {
  transcript: string;
  chunk: ChunkSize;
  parser: number;
  floor: number;
}

function growths(cells: readonly MeasuredCell[]): Growth[] {
  return cells.flatMap(({ cell: { transcript, size, chunk }, rows }) => {
    if (size !== 10_000_000) return [];
    const smaller = cells.find(
      ({ cell }) => cell.transcript === transcript && cell.size === size / 10 && cell.chunk === chunk,
    );
    const growth = (name: string) => timeOf(name, rows) / timeOf(name, smaller?.rows ?? []);
    const [parser, floor] = [growth(names.parser), growth(names.eventFloor)];
    return Number.isNaN(parser) ? [] : [{ transcript, chunk, parser, floor }];
  });
}

/** How many times as long a step takes on the longest log as on the shortest; undefined where no assembler was measured. */
function assemblyGrowth(rows: readonly AssemblyRow[]): number | undefined {
  const grown = rows.filter(({ name }) => name === assemblyNames.grown);
  const [shortest, longest] = [grown[0], grown.at(-1)];
  return shortest && longest && ratioOf(longest, shortest);
}

const assemblyGrowthAtMost = 1.2;

function timeOf(name: string, rows: readonly CellRow[]): number {
  return rows.find((row) => row.name === name)?.median ?? Number.NaN;
}

/** There is no target where the floor itself grows faster. */
function asked(floorGrowth: number): number | undefined {
  return floorGrowth <= 11 ? 11 : undefined;
}

/** In megabytes: almost nothing, and for an open block at most twice its text. */
function heldAtMost({ block }: MemoryRow): number {
  return block === 0 ? 0.5 : (2 * block) / 1e6;
}

function verdict(value: number | undefined, bound: number | undefined, sign: "≥" | "≤"): string {
  if (value === undefined || bound === undefined) return "";
  const isMet = sign === "≥" ? value >= bound : value <= bound;
  return `${sign} ${bound} ${isMet ? "ok" : "missed"}`;
}

function titleOf({ transcript, size }: Cell): string {
  return `${transcript}, ${size < 1_000_000 ? `${size / 1000} kB` : `${size / 1_000_000} MB`}`;
}

function placeOf(cell: Cell): string {
  return `${titleOf(cell)}, ${cell.chunk}`;
}

/** Three significant digits, with separators between thousands. */
function significant(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}

function lines(title: string, rows: string[][]): string {
  return [title, ...columns(rows).map((line) => `  ${line}`.trimEnd()), ""].join("\n");
}
