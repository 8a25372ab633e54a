import { describe, expect, it } from "vitest";
import { batchContext, echo, executorOf, freeTool, parallel, sequential } from "../test/support/fixtures.ts";
import type { ToolEvent } from "./observer.ts";

describe("the observer", () => {
  it("receives an event for each stage of each call", async () => {
    const events: ToolEvent[] = [];
    const tool = freeTool("work", (_, { progress }) => {
      progress({ done: 1, of: 2 });
      return "ok";
    });
    const executions = await executorOf([tool], { observer: (event) => events.push(event) }).run(
      [
        { name: "work", args: {}, id: "a" },
        { name: "nope", args: {}, id: "b" },
      ],
      batchContext(),
      sequential,
    );
    expect(events).toMatchObject([
      { type: "started", call: { id: "a" } },
      { type: "progress", call: { id: "a" }, update: { done: 1, of: 2 } },
      { type: "completed", execution: { id: "a", outcome: "success" } },
      { type: "completed", execution: { id: "b", outcome: "failure" } },
    ]);
    expect(events[2]).toMatchObject({ execution: executions[0] });
  });

  it("of one batch hears the questions of that batch, as they are put and settled", async () => {
    const heard: ToolEvent[] = [];
    const asked: unknown[] = [];
    const executor = executorOf([echo], { approval: { policy: { otherwise: "ask" }, approve: async () => true } });
    const context = batchContext({
      run: "r1",
      observer: (event) => heard.push(event),
      approve: async ({ conversation, user, run, call }) => {
        asked.push([conversation, user, run, call.id, heard.at(-1)?.type]);
        if (call.id === "c") throw new Error("The line is dead.");
        return call.id === "a" ? true : { approved: false, reason: "not now" };
      },
    });
    const calls = ["a", "b", "c"].map((id) => ({ name: "echo", args: { id }, id }));
    await executor.run(calls, context, sequential);
    expect(asked).toEqual(["a", "b", "c"].map((id) => ["c1", "u1", "r1", id, "asked"]));
    const questions = heard.flatMap((event) => (event.type === "asked" ? [event.request.question] : []));
    expect(heard.filter(({ type }) => type === "answered")).toMatchObject([
      { call: { id: "a" }, question: questions[0], approved: true },
      { call: { id: "b" }, question: questions[1], approved: false, reason: "not now" },
      { call: { id: "c" }, question: questions[2], approved: false, error: { message: "The line is dead." } },
    ]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("observer");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("observer");
      },
    ],
  ])("does not affect the run when it %s", async (_, observer) => {
    const executions = await executorOf([echo], { observer }).run(
      [{ name: "echo", args: {} }],
      batchContext(),
      parallel,
    );
    expect(executions).toMatchObject([{ outcome: "success" }]);
  });
});
