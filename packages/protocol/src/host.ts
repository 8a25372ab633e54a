export type {
  ActivityEvent,
  QuestionActivity,
  RequestActivity,
  RunActivity,
  RunPlace,
  StateActivity,
  ToolActivity,
} from "./activity.ts";
export { brandErrors, hasErrorBrand } from "./error-brand.ts";
export type { NoticeSource, Persisted, PersistedType } from "./events.ts";
export { isPersisted } from "./events.ts";
export type { Shown } from "./messages/assembler.ts";
export { CONTINUE, OUTCOME_UNKNOWN } from "./messages/log-assembler.ts";
export { noticeSources } from "./notice-sources.ts";
export type { ModelJson, ModelJsonFault, ModelJsonOptions } from "./parse/model-json.ts";
export { readModelJson } from "./parse/model-json.ts";
export type { Settler } from "./parse/settle.ts";
export { createSettler } from "./parse/settle.ts";
export { UnitWriter } from "./parse/unit-writer.ts";
export { isPointName, type Point, pointIn, pointsOf } from "./points.ts";
