import type { LogEvent } from "@cogency/protocol";
import { expect, it } from "vitest";
import { UsageMeter } from "./usage-meter.ts";

const record = (kind: string, data: unknown) => ({ type: "record", kind, data, timestamp: 1 }) as unknown as LogEvent;
const step = (cost?: number) =>
  record("usage", {
    input: 1000,
    output: 10,
    cacheRead: 0,
    cacheWrite: 0,
    reasoning: 0,
    ...(cost !== undefined && { cost }),
  });
const child = (conversation: string, used?: object) => record("child", { call: "1", agent: "a", conversation, used });

it("counts what agents have used, of each conversation the last number", () => {
  const log = [
    step(0.5),
    child("x"),
    child("x", { tokens: 100, cost: 0.1 }),
    child("x", { tokens: 300, cost: 0.25 }),
    child("y", { tokens: 7, cost: 0.25 }),
  ];
  expect(UsageMeter.of(log).text()).toBe("1,000 tokens in, 10 out, 307 by agents, cost 1.00");
});

it.each([
  ["an agent without a price", child("x", { tokens: 100 })],
  ["a step without a price", step()],
])("says no cost with %s", (_, event) => {
  expect(UsageMeter.of([step(0.5), event]).costText()).toBe("");
});

it.each([
  ["the cost", [step(0.5)], "cost 0.50"],
  ["all tokens where the cost is not known", [step(), child("x", { tokens: 1_300_000 })], "1.3M tokens"],
])("says in short %s", (_, log, text) => {
  expect(UsageMeter.of(log).shortText()).toBe(text);
});

it("ignores what is no count", () => {
  const log = [
    step(0.5),
    record("child", null),
    child("x", { tokens: "many" }),
    record("child", { used: { tokens: 1 } }),
  ];
  expect(UsageMeter.of(log).text()).toBe("1,000 tokens in, 10 out, cost 0.50");
});
