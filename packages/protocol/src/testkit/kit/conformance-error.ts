import type { ConformanceReport } from "./conformance-report.ts";

/** An implementation does not keep its contract. The message says which cases failed and why. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  readonly code = "not_conformant";
  readonly #report: ConformanceReport;

  constructor(message: string, report: ConformanceReport, options?: ErrorOptions) {
    super(message, options);
    this.#report = report;
  }

  /** Every case that was run. A runtime that prints an uncaught error does not print it. */
  get report(): ConformanceReport {
    return this.#report;
  }
}
