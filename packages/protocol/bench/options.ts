import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Cell } from "./cell.ts";
import type { ChunkSize } from "./chunks.ts";
import type { MeasureOptions } from "./sample.ts";
import { type TranscriptName, transcripts } from "./transcripts.ts";

export interface Options extends MeasureOptions {
  cells: Cell[];
  memory: boolean;
  assembly: boolean;
  /** The number of processes that measure each cell. */
  processes: number;
  /** The module under test. */
  module: string;
}

export const usage = `node bench/parser.bench.ts [options]

  --only <name>    mixed, "one argument", markup, xml, memory or assembly; all by default
  --size <size>    such as 50kB; 10kB, 100kB, 1MB and 10MB by default, of xml 1MB only, of markup all but the first
  --chunk <size>   characters a chunk, or whole; 1, 4, 16, 64, 4096 and whole by default, of xml and markup 4, 64 and whole
  --rounds <n>     how often each contender is measured; 5 by default
  --processes <n>  in how many processes, one after another, each for all rounds; 1 by default
  --budget <ms>    CPU time a run may take before a part of it is measured instead; 100 by default
  --full           all sizes of everything, 7 rounds, 3 processes, 1000 ms
  --parser <path>  a module to measure instead of the built package, such as src/index.ts

The first three may be repeated.`;

/** @throws TypeError if an option is unknown or its value is invalid */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string", multiple: true },
      size: { type: "string", multiple: true },
      chunk: { type: "string", multiple: true },
      rounds: { type: "string" },
      processes: { type: "string" },
      budget: { type: "string" },
      full: { type: "boolean", default: false },
      parser: { type: "string" },
    },
  });
  const { full, only } = values;
  const names = (Object.keys(transcripts) as TranscriptName[]).filter((name) => !only || only.some(startOf(name)));
  const cells = names.flatMap((transcript) => {
    const isMarkup = transcript === "markup";
    const isBrief = (transcript.startsWith("xml") || isMarkup) && !full;
    const sizes =
      values.size ?? (isBrief ? (isMarkup ? ["100kB", "1MB", "10MB"] : ["1MB"]) : ["10kB", "100kB", "1MB", "10MB"]);
    const chunks = values.chunk ?? (isBrief ? ["4", "64", "whole"] : ["1", "4", "16", "64", "4096", "whole"]);
    return sizes.flatMap((size) =>
      chunks.map((chunk): Cell => ({ transcript, size: characters(size), chunk: chunkSize(chunk) })),
    );
  });
  const isAsked = (name: string) =>
    only ? only.some(startOf(name)) : values.size === undefined && values.chunk === undefined;
  const [memory, assembly] = [isAsked("memory"), isAsked("assembly")];
  if (cells.length === 0 && !memory && !assembly)
    throw new TypeError(`There is nothing called ${only?.join(" or ")} to measure.`);
  return {
    cells,
    memory,
    assembly,
    rounds: count(values.rounds ?? (full ? "7" : "5")),
    processes: count(values.processes ?? (full ? "3" : "1")),
    budget: count(values.budget ?? (full ? "1000" : "100")),
    module: values.parser ? pathToFileURL(values.parser).href : "@cogency/protocol",
  };
}

function startOf(name: string): (text: string) => boolean {
  return (text) => name.startsWith(text);
}

function chunkSize(text: string): ChunkSize {
  return text === "whole" ? text : count(text);
}

function characters(text: string): number {
  if (text.endsWith("MB")) return 1_000_000 * count(text.slice(0, -2));
  if (text.endsWith("kB")) return 1000 * count(text.slice(0, -2));
  return count(text);
}

function count(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new TypeError(`Expected a count or a size, got "${text}".`);
}
