import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** What the tool of the kit's agent has done, one line each time: the conversation and the number of the step. */
export interface Ledger {
  write(line: string): void;
  lines(): readonly string[];
}

export function memoryLedger(): Ledger {
  const lines: string[] = [];
  return { write: (line) => void lines.push(line), lines: () => lines };
}

/** A ledger that several processes share, and that holds what a process has written before it was killed. */
export function fileLedger(path: string): Ledger {
  return {
    write: (line) => appendFileSync(path, `${line}\n`),
    lines: () => (existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : []),
  };
}
