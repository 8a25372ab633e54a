import { expect, it } from "vitest";
import type { LogEvent } from "../events.ts";
import { sentRequest } from "./sent-request.ts";

it("a request is shown without the calls that it left out", () => {
  const timestamp = 1;
  const step = (id: string): LogEvent[] => [
    { type: "call", id, content: `{"name":"plan","args":{"of":"${id}"}}`, timestamp },
    {
      type: "result",
      ids: [id],
      content: '[{"tool":"plan","status":"success","content":"ok"}]',
      payload: { tools_executed: 1, success_count: 1, failure_count: 0 },
      timestamp,
    },
  ];
  const log: LogEvent[] = [{ type: "user", content: "go", timestamp }, ...step("a"), ...step("b")];
  const events = log.map((event, index) => ({ ...event, seq: index + 1 }));
  const sent = (without: unknown) => {
    const data = { messages: { form: "native", without, count: 3, again: 0, hash: "" }, hashes: { system: "" } };
    const record = { type: "record", kind: "request", data, timestamp, seq: 6 } as unknown as (typeof events)[number];
    return sentRequest([...events, record], 6)?.messages?.map(({ message }) => message);
  };
  expect(sent(["a"])?.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  expect(JSON.stringify(sent(["a"]))).not.toContain('"of":"a"');
  // A record from elsewhere may hold anything.
  for (const odd of [undefined, "a", [1]]) expect(sent(odd)).toHaveLength(5);
});
