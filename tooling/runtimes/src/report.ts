/** The result of one run, as `program/report.js` makes it. */
export interface Report {
  /** The name and version that the runtime reports. */
  name: string;
  version: string;
  /** How the package was loaded, such as `import`, or where. */
  how: "ES module" | "CommonJS" | "page" | "worker";
  /** The number of vectors whose events were right in every chunking. */
  passed: number;
  /** One line for each other vector: its name and the difference. */
  failures: string[];
}

/** Reads a report that a program sent. Throws the error of `{ error }`. */
export function readReport(text: string): Report {
  const sent = parsed(text);
  if (typeof sent.error === "string") throw new Error(sent.error);
  if (typeof sent.passed !== "number" || !Array.isArray(sent.failures)) {
    throw new Error(`The program sent no report, but ${JSON.stringify(text)}.`);
  }
  return sent as Report;
}

function parsed(text: string): Partial<Report> & { error?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
