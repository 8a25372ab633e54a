export { type OptionTable, optionTables } from "./option-tables.ts";
export { readmeExamples } from "./readme-examples.ts";
