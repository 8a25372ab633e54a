import { expect, it } from "vitest";
import { readFinish } from "./finish.ts";

it.each<[unknown, string, string]>([
  [{ unified: "stop", raw: "end_turn" }, "stop", "end_turn"],
  [{ unified: "tool-calls", raw: undefined }, "tool_calls", "tool-calls"],
  [{ unified: "length", raw: "max_tokens" }, "length", "max_tokens"],
  [{ unified: "content-filter", raw: "refusal" }, "content_filter", "refusal"],
  [{ unified: "other", raw: "pause_turn" }, "other", "pause_turn"],
  [{ unified: "error", raw: undefined }, "error", "error"],
  [{ unified: "interrupted", raw: undefined }, "interrupted", "interrupted"],
  // How models of v3 say that their server gave no reason.
  [{ unified: "other", raw: undefined }, "interrupted", "other"],
  [{ unified: "a-new-word", raw: undefined }, "other", "a-new-word"],
  ["stop", "stop", "stop"],
  ["tool-calls", "tool_calls", "tool-calls"],
  ["content-filter", "content_filter", "content-filter"],
  ["other", "other", "other"],
  ["unknown", "interrupted", "unknown"],
  ["error", "error", "error"],
  [undefined, "interrupted", ""],
  [{}, "interrupted", ""],
  [7, "interrupted", ""],
])("the finish reason %j is %s, and its word %j", (given, reason, raw) => {
  expect(readFinish(given)).toEqual({ reason, raw });
});
