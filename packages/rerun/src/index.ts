export { type RecordedCall, recordedCallsOf } from "./record/recorded-calls-of.ts";
