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
