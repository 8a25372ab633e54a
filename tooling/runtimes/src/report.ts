/** What the program tells of one run; `program/report.js` makes it. */
export interface Report {
  /** The runtime's name and version, as it tells them itself. */
  name: string;
  version: string;
  /** How the package was loaded, or where. */
  how: "ES module" | "CommonJS" | "page" | "worker";
  /** Vectors whose events were right in every chunking. */
  passed: number;
  /** The others, each with its name and what was wrong. */
  failures: string[];
}

/** Reads what a program sent: a report, or `{ error }`, which is thrown. */
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
