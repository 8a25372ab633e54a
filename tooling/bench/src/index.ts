export { type CompareOptions, type Contender, compare } from "./compare.ts";
export type { Measurement } from "./measurement.ts";
