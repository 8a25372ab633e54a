import { type Cell, measureCell } from "./cell.ts";
import { contenders } from "./contenders.ts";
import type { Build } from "./ours.ts";
import { answer } from "./run-process.ts";
import type { MeasureOptions } from "./sample.ts";

export interface CellRequest {
  cell: Cell;
  options: MeasureOptions;
  /** The module under test. */
  module: string;
}

// A process of its own for each cell: what the engine learns from one must not help or hinder the next.
answer(async ({ cell, options, module }: CellRequest) => {
  const build = (await import(module)) as Build;
  const dialect = cell.transcript.startsWith("xml") ? "xml" : "json";
  return measureCell(cell, contenders(build, dialect), options);
});
