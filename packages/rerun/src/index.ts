export { NotRecordedError } from "./record/not-recorded-error.ts";
export { type RecordedAnswers, type RecordedAnswersOptions, recordedAnswers } from "./record/recorded-answers.ts";
export { type CallUse, type RecordedCalls, type RecordedCallsOptions, recordedCalls } from "./record/recorded-calls.ts";
export { type RecordedCall, recordedCallsOf } from "./record/recorded-calls-of.ts";
