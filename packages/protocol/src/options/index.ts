export { checkOption, checkOptions, group, wrongOption } from "./check-options.ts";
export {
  above,
  anything,
  atLeast,
  callback,
  either,
  flag,
  having,
  listOf,
  name,
  type OptionKind,
  type OptionTable,
  object,
  oneOf,
  recordOf,
  required,
  signal,
  text,
  whole,
} from "./kinds.ts";
export { nearestNames } from "./nearest-names.ts";
export { clipped, shown } from "./shown.ts";
