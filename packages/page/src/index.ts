export { cost, counted, duration, grouped, percent } from "./conversation/format.ts";
export { progressAfter } from "./conversation/progress.ts";
export { ShownConversation } from "./conversation/shown-conversation.ts";
export type { Block, CallTimes, Entry, Mark, RequestData, Step } from "./conversation/step.ts";
export { type ModelTotals, type Totals, totalsOf } from "./conversation/totals.ts";
export { type RunTimes, type TimeRow, waterfall } from "./conversation/waterfall.ts";
export type { LiveSource, PageEvent, PageSource, TraceSource } from "./page-source.ts";
export { escaped, revealed, visible } from "./text.ts";
export { touched } from "./touched.ts";
