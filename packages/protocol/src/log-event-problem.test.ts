import { describe, expect, it } from "vitest";
import { logEventProblem } from "./log-event-problem.ts";

const event = (fields: object) => ({ timestamp: 1, ...fields });
const record = (kind: unknown, data: unknown) => event({ type: "record", kind, data });
const result = { tool: "a", status: "success", content: null };

const picture = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=", name: "a.png" };

describe("logEventProblem", () => {
  it.each([
    [event({ type: "user", content: "x" })],
    [event({ type: "user", content: "", attachments: [picture, { ...picture, data: { url: "https://a" } }] })],
    [record("finished", { id: "1", result: { ...result, attachments: [picture] } })],
    [event({ type: "call", content: "not JSON", id: "1" })],
    [record("started", { id: "1" })],
    [record("finished", { id: "1", result, stop: { reason: "r", message: "m", context: {} } })],
    [record("rejected", { code: "c", message: "m" })],
    [record("question", { id: "q", call: "1", name: "a", hash: "h", asks: "approval" })],
    [record("answer", { question: "q", content: null })],
    [record("message", { id: "m", kind: "steer" })],
    [record("request", {})],
    [record("tools_found", { names: ["a"] })],
    [record("client_tools", { tools: [] })],
    [record("source_tools", { tools: [{ name: "a", hash: "h" }], gone: ["b"], notes: [] })],
    [record("title", { text: "A name" })],
    [record("point", { name: "A name", at: 1 })],
    [record("notice", { code: "server", message: "It is down.", retryAt: 1.5 })],
    [record("trace", { traceparent: "00-1-2-01" })],
    [record("title", null)],
    [event({ type: "result", content: "[]" })],
    [event({ type: "result", content: "[]", ids: ["1", "__proto__"] })],
    [record("run", { status: "completed" })],
    [record("run", { status: "stopped", stop: { reason: "r", message: "m" } })],
    [record("run", { status: "failed", error: { code: "c", message: "m" } })],
    [record("run", { status: "of a later version" })],
    [record("of a later version", 1)],
    [record("summary", null)],
    ...["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"].map((kind): [unknown] => [
      record(kind, {}),
    ]),
    [event({ type: "cancelled" })],
  ])("finds none in %j", (good) => {
    expect(logEventProblem(good)).toBeUndefined();
  });

  it.each([
    [null, "not an object"],
    [["user"], "not an object"],
    [{ type: "user", content: "x" }, "`timestamp`"],
    [event({ type: "user", content: "x", timestamp: Number.NaN }), "`timestamp`"],
    [event({ content: "x" }), "`type`"],
    [event({ type: "metric" }), "`type`"],
    [event({ type: "user" }), "`content`"],
    [event({ type: "user", content: "x", attachments: picture }), "`attachments` are not an array of attachments"],
    [event({ type: "user", content: "x", attachments: [{ ...picture, kind: "video" }] }), "`attachments`"],
    [event({ type: "user", content: "x", attachments: [{ ...picture, data: { path: "a" } }] }), "`attachments`"],
    [event({ type: "user", content: "x", attachments: [{ ...picture, name: 5 }] }), "`attachments`"],
    [event({ type: "user", content: "x", attachments: [null] }), "`attachments`"],
    [record("finished", { id: "1", result: { ...result, attachments: [{}] } }), "`result`"],
    [event({ type: "result", content: [result] }), "`content`"],
    [event({ type: "call", content: "{}", id: 5 }), "`id`"],
    [event({ type: "result", content: "[]", ids: "1" }), "`ids` of the result are not an array of strings"],
    [event({ type: "result", content: "[]", ids: ["1", null] }), "`ids`"],
    [record(undefined, {}), "`kind`"],
    [record("question", { id: "q", call: "1", name: "a", hash: "h" }), "record (question) has no text `asks`"],
    [record("question", { id: "q", name: "a", hash: "h", asks: "answer" }), "`call`"],
    [record("answer", {}), "record (answer) has no text `question`"],
    [record("message", { id: "m", kind: 1 }), "record (message) has no text `kind`"],
    [record("finished", null), "`id`"],
    [record("finished", { id: "1", result: 5 }), "`result`"],
    [record("finished", { id: "1", result: { ...result, status: "failure" } }), "`result`"],
    [record("finished", { id: "1", result, stop: "now" }), "`reason`"],
    [record("started", []), "`id`"],
    [record("approval", { id: "1", name: "a", hash: "h" }), "`status`"],
    [record("run", undefined), "`status`"],
    [record("trace", { traceparent: 7 }), "`traceparent`"],
    [record("notice", { code: "server" }), "record (notice) has no text `message`"],
    [record("run", { status: "stopped", stop: { reason: "r" } }), "`stop` of the record (run) has no text `message`"],
    [record("run", { status: "failed", error: "c" }), "`error` of the record (run) has no text `code`"],
  ])("finds the problem of %j", (bad, what) => {
    expect(logEventProblem(bad)).toContain(what);
  });
});
