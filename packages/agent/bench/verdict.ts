/** What is asked for, and what was measured. */
export interface Verdict {
  what: string;
  value: number;
  most: number;
  unit: "×" | "ms" | "MB" | "%" | "operations";
}

export function verdictLine({ what, value, most, unit }: Verdict): string {
  const [measured, asked] = [value.toFixed(unit === "operations" ? 0 : 2), String(most)];
  const spaced = unit === "×" ? unit : ` ${unit}`;
  return `${value <= most ? "met    " : "NOT MET"}  ${what}: ${measured}${spaced} (at most ${asked}${spaced})`;
}
