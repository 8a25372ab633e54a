import type { Operation, Report } from "./operations.ts";

/** What a writer had done until it ended. */
export interface Work {
  writer: string;
  acknowledged: { operation: Operation; result: number }[];
  /** The operation in whose midst it ended, perhaps. */
  pending: Operation | undefined;
}

export function noWork(writer: string): Work {
  return { writer, acknowledged: [], pending: undefined };
}

/** Adds a line that the writer has reported. */
export function addReport(work: Work, line: string): void {
  const report: Report = JSON.parse(line);
  if ("begin" in report) work.pending = report.begin;
  else if (work.pending) {
    work.acknowledged.push({ operation: work.pending, result: report.done });
    work.pending = undefined;
  }
}
