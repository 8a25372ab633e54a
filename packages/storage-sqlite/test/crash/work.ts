import type { Operation, Report } from "./operations.ts";

/** The work of a writer until it ended. */
export interface Work {
  writer: string;
  acknowledged: { operation: Operation; result: number }[];
  /** The operation that may have been running when it ended. */
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
