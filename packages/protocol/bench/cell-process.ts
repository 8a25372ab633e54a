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

// Each cell has a process of its own, because the engine optimizes for the cells before it.
answer(async ({ cell, options, module }: CellRequest) => {
  // An older build exports everything from its main entry.
  const hostModule = module === "@cogency/protocol" ? `${module}/host` : module.replace("index.", "host.");
  const host = await import(hostModule).catch(() => undefined);
  const build = { ...(await import(module)), ...host } as Build;
  const dialect = cell.transcript.startsWith("xml") ? "xml" : "json";
  return measureCell(cell, contenders(build, dialect), options);
});
