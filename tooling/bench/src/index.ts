export { columns } from "./columns.ts";
export { compare } from "./compare.ts";
export { cpuTime } from "./cpu-time.ts";
export { type Contender, type MeasureOptions, measure } from "./measure.ts";
export { type Measurement, median, ratioOf } from "./measurement.ts";
export { table } from "./table.ts";
export { type Target, targetLine } from "./target.ts";
