export interface ConformanceReport {
  /** The store's. */
  name: string;
  cases: readonly CaseReport[];
  /** To be printed: a line a case, and a closing line. */
  table: string;
}

export interface CaseReport {
  name: string;
  status: CaseStatus;
  /** Why it failed, or why it was declared not to apply. */
  reason?: string;
  /** Milliseconds. */
  duration: number;
}

export type CaseStatus = "passed" | "declared" | "failed";

export function reportOf(name: string, cases: readonly CaseReport[]): ConformanceReport {
  const lines = cases.map(({ name, status, reason }) => `  ${status.padEnd(8)}  ${name}${reason ? `: ${reason}` : ""}`);
  return { name, cases, table: [name, ...lines, `${name}: ${summary(cases)}`].join("\n") };
}

function summary(cases: readonly CaseReport[]): string {
  const counts = (["passed", "declared", "failed"] as const).map((status) => ({
    status,
    count: cases.filter((one) => one.status === status).length,
  }));
  return counts.flatMap(({ status, count }) => (count > 0 ? [`${count} ${status}`] : [])).join(", ");
}
