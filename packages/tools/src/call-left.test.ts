import { describe, expect, it } from "vitest";
import { CallLeft } from "./call-left.ts";
import { createExecutor } from "./create-executor.ts";
import { defineTool } from "./define-tool.ts";
import type { Journal } from "./executor.ts";
import type { QuestionRecord } from "./questions/question-record.ts";
import { createRegistry } from "./registry.ts";

const question: QuestionRecord = {
  id: "q",
  call: "call_1",
  name: "risky",
  args: { x: 1 },
  hash: "h",
  asks: "approval",
  touches: [],
  concerns: [],
  agents: ["reviewer"],
};

async function runs(execute: (signal: AbortSignal) => unknown, signal?: AbortSignal) {
  const written: string[] = [];
  const journal: Journal = {
    question: () => void written.push("question"),
    approval: () => void written.push("approval"),
    started: () => void written.push("started"),
    finished: () => void written.push("finished"),
  };
  const tool = defineTool({
    name: "work",
    description: "Works.",
    input: { type: "object" },
    execute: (_, context) => execute(context.signal),
  });
  const executor = createExecutor({ registry: createRegistry([tool]) });
  const [execution] = await executor.run([{ name: "work", args: {} }], { conversation: "c", journal, signal });
  return { execution, written };
}

describe("a body that leaves its call", () => {
  it("waits for the questions that it names, and nothing is logged of its end", async () => {
    const { execution, written } = await runs(() => {
      throw new CallLeft([question]);
    });
    expect(execution).toMatchObject({ outcome: "waiting", waitsFor: [question], settled: true, started: true });
    expect(written).toEqual(["started"]);
  });

  it("is left also when it was aborted, if it ends in time", async () => {
    const controller = new AbortController();
    const { execution, written } = await runs(
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new CallLeft()));
          queueMicrotask(() => controller.abort());
        }),
      controller.signal,
    );
    expect(execution).toMatchObject({ outcome: "waiting", waitsFor: [] });
    expect(written).toEqual(["started"]);
  });
});

describe("what the host gives", () => {
  it("reaches the body as it is, and nothing without one", async () => {
    const hosts: unknown[] = [];
    const tool = defineTool({
      name: "look",
      description: "Looks.",
      input: { type: "object" },
      execute: (_, { host }) => void hosts.push(host),
    });
    const executor = createExecutor({ registry: createRegistry([tool]) });
    const host = () => "the run";
    await executor.run([{ name: "look", args: {} }], { conversation: "c", host });
    await executor.run([{ name: "look", args: {} }], { conversation: "c" });
    expect(hosts).toEqual([host, undefined]);
  });
});
