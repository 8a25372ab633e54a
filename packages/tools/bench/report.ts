/** One table of the benchmark. */
export interface Report {
  title: string;
  rows: string[][];
}

export function verdict(value: number, sign: "≤" | "≥", bound: number): string {
  const isMet = sign === "≤" ? value <= bound : value >= bound;
  return `${sign} ${bound} ${isMet ? "ok" : "missed"}`;
}

/** Three significant digits. */
export function significant(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}
