import type { ConformanceReport } from "./conformance-report.ts";

/**
 * A provider does not keep the contract. The message lists the cases that failed, each with the reason; `report` has all
 * of them, and is not printed with an error that is not caught.
 */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  readonly code = "not_conformant";
  readonly #report: ConformanceReport;

  constructor(report: ConformanceReport) {
    const failed = report.cases.filter(({ status }) => status === "failed");
    const list = failed.map(({ name, reason }) => `- ${name}: ${reason}`).join("\n");
    super(`The provider "${report.name}" fails ${failed.length} of ${report.cases.length} cases:\n${list}`);
    this.#report = report;
  }

  get report(): ConformanceReport {
    return this.#report;
  }
}
