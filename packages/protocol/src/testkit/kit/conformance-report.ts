/** The result of running every case of a kit against one implementation. */
export interface ConformanceReport {
  /** The name of the implementation. */
  name: string;
  cases: readonly CaseReport[];
  /** To print: the name, a line for each case, and a line that counts them. */
  table: string;
}

export interface CaseReport {
  name: string;
  status: CaseStatus;
  /** Why the case failed, or why it was declared not to apply. */
  reason?: string;
  /** Milliseconds. */
  duration: number;
}

export type CaseStatus = "passed" | "declared" | "failed";

export function reportOf(name: string, cases: readonly CaseReport[]): ConformanceReport {
  const lines = cases.map(({ name, status, reason }) => `  ${status.padEnd(8)}  ${name}${reason ? `: ${reason}` : ""}`);
  return { name, cases, table: [name, ...lines, `${name}: ${summary(cases)}`].join("\n") };
}

/** @example "12 passed, 3 declared, 1 failed" */
function summary(cases: readonly CaseReport[]): string {
  const counts = (["passed", "declared", "failed"] as const).map((status) => ({
    status,
    count: cases.filter((one) => one.status === status).length,
  }));
  return counts.flatMap(({ status, count }) => (count > 0 ? [`${count} ${status}`] : [])).join(", ");
}
