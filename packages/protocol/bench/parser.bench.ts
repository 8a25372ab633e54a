import type { AssemblyRow } from "./assembly.ts";
import type { AssemblyRequest } from "./assembly-process.ts";
import { type CellRow, together } from "./cell.ts";
import type { CellRequest } from "./cell-process.ts";
import type { MemoryRow } from "./memory.ts";
import type { MemoryRequest } from "./memory-process.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { assemblyTable, cellTable, growthTable, type MeasuredCell, memoryTable, sizeTable, summary } from "./report.ts";
import { runProcess } from "./run-process.ts";

if (process.argv.includes("--help")) console.log(usage);
else await run(readOptions(process.argv.slice(2)));

async function run(options: Options): Promise<void> {
  const { module, rounds, processes, budget } = options;
  console.log(`Medians of ${rounds} rounds in ${processes} process${processes > 1 ? "es" : ""}, Node ${process.version}, main-thread CPU time.
~ measured on a shorter transcript and multiplied; ≥ at least that, from samples\n`);
  const measured: MeasuredCell[] = [];
  for (const cells of bySize(options)) {
    const table: MeasuredCell[] = [];
    for (const cell of cells) {
      const request: CellRequest = { cell, options: { rounds, budget }, module };
      const runs: CellRow[][] = [];
      for (let i = 0; i < processes; i++) runs.push(await runProcess("cell-process.ts", request));
      table.push({ cell, rows: together(runs) });
    }
    console.log(table[0] && table.length === 1 ? `${cellTable(table[0])}\n${sizeTable(table)}` : sizeTable(table));
    measured.push(...table);
  }
  const memory: MemoryRow[] = [];
  for (const chunk of options.memory ? ([1, 4, 64, 4096] as const) : []) {
    const request: MemoryRequest = { module, chunk };
    memory.push(...(await runProcess<MemoryRow[]>("memory-process.ts", request)));
  }
  const assemblyRequest: AssemblyRequest = { module, rounds };
  const assembly = options.assembly ? await runProcess<AssemblyRow[]>("assembly-process.ts", assemblyRequest) : [];
  const growth = growthTable(measured);
  if (growth !== "") console.log(growth);
  if (memory.length > 0) console.log(memoryTable(memory));
  if (assembly.length > 0) console.log(assemblyTable(assembly));
  console.log(summary(measured, memory, assembly));
}

/** The cells of one table together. */
function bySize({ cells }: Options) {
  return Map.groupBy(cells, ({ transcript, size }) => `${transcript} ${size}`).values();
}
