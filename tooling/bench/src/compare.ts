import { type Contender, type MeasureOptions, measure } from "./measure.ts";
import type { Measurement } from "./measurement.ts";
import { table } from "./table.ts";

/** Measures contenders side by side (see {@link measure}), prints a table and returns its data. */
export async function compare(
  title: string,
  options: MeasureOptions,
  contenders: readonly Contender[],
): Promise<Measurement[]> {
  const measurements = await measure(contenders, options);
  console.log(table(title, measurements));
  return measurements;
}
