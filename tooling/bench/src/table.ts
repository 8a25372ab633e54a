import { columns } from "./columns.ts";
import type { Measurement } from "./measurement.ts";

/** Measurements as text: a title and aligned columns, names to the left and numbers to the right. */
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

/** Three significant digits, thousands apart. */
function grouped(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}
