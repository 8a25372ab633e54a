export { type CompareOptions, type Contender, compare, type Measurement } from "./compare.ts";
