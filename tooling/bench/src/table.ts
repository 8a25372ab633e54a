import { columns } from "./columns.ts";
import type { Measurement } from "./measurement.ts";

/** Formats measurements as a title and aligned columns: names on the left, numbers on the right. */
export function table(title: string, measurements: readonly Omit<Measurement, "times">[]): string {
  const rows = [
    ["", "CPU median", "min", "max", "floor", "rate"],
    ...measurements.map(({ name, median, min, max, ratio, rate }) => [
      name,
      milliseconds(median),
      milliseconds(min),
      milliseconds(max),
      ratio === undefined ? "" : `${ratio.toFixed(2)}×`,
      `${grouped(rate.value)} ${rate.unit}`,
    ]),
  ];
  return [title, ...columns(rows).map((line) => `  ${line}`), ""].join("\n");
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`;
}

/** Three significant digits, with a comma between thousands. */
function grouped(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}
