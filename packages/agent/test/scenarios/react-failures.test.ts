import { describe, expect, it } from "vitest";
import { reactDriver } from "../../src/react.ts";
import { collect, conversation, types } from "../support/fixtures.ts";
import { act, agentOf, answer, contents, decide, texts, usage } from "../support/react.ts";

describe("ReAct: an output that is no decision", () => {
  it("goes back to the model with the reason, as do all before it, in order", async () => {
    const { go, provider, told, log } = agentOf([
      { chunks: "I would add them.", usage: usage(1, 1) },
      { chunks: '{"thought": "add", ', usage: usage(2, 2) },
      { chunks: answer("5"), usage: usage(4, 4) },
    ]);
    const result = await go().result;
    expect(result).toMatchObject({ status: "completed", text: "5", steps: 1, usage: { input: 7, output: 7 } });
    expect(told("extraction_failed")).toMatchObject([
      { attempt: 1, maxAttempts: 3 },
      { attempt: 2, maxAttempts: 3 },
    ]);
    const [first, second, third] = provider.requests.map(({ messages }) => texts(messages));
    expect(first).toEqual(["user: go"]);
    expect(second?.slice(0, 2)).toEqual(["user: go", "assistant: I would add them."]);
    expect(third?.slice(0, 3)).toEqual(second);
    expect(third?.[3]).toBe('assistant: {"thought": "add", ');
    const reasons = told("extraction_failed").map((event) => ("message" in event ? event.message : ""));
    expect(third?.[2]).toContain(reasons[0]);
    expect(third?.[4]).toContain(reasons[1]);
    // The log holds one usage, and nothing of the outputs.
    expect(JSON.stringify(await log())).not.toContain("I would add");
    expect((await log()).filter((event) => event.type === "record" && event.kind === "usage")).toHaveLength(1);
  });

  it("leaves its thought in the log, as a thought of its own, because it was shown", async () => {
    const { go, log, provider } = agentOf([act("clac", {}, "one"), act("echo", { text: "a" }, "two"), answer("a")]);
    await go().result;
    expect(contents(await log(), "think")).toEqual(["one", "two", "done"]);
    expect(texts(provider.requests[1]?.messages).join("\n")).not.toContain("Thought: one");
  });

  it("has a record of its own among the requests of the log", async () => {
    const { go, log } = agentOf(["no", answer("5")], {}, { recordRequests: true });
    await go().result;
    const records = (await log()).flatMap((event) => (event.type === "record" ? [event] : []));
    const counts = records.flatMap(({ kind, data }) => (kind === "request" ? [data.messages.count] : []));
    expect(counts).toEqual([1, 3]);
  });

  it("is told between the answer that failed and the next request", async () => {
    const { go, heard } = agentOf(["No.", answer("5")]);
    await go().result;
    const names = types(heard).filter((type) => /request|extraction/.test(type));
    expect(names).toEqual([
      "request_started",
      "request_ended",
      "extraction_failed",
      "request_started",
      "request_ended",
    ]);
  });

  it.each<[string, string, string]>([
    [
      "names an unknown tool",
      act("clac", { a: 1, b: 2 }),
      'There is no tool "clac"; the tools are calc, echo, broken.',
    ],
    ["names a tool with its namespace", act("functions.calc", { a: 1, b: 2 }), "Did you mean calc?"],
    ["names no tool", decide({ thought: "", type: "call_tool", args: {} }), "There is no tool missing"],
    ["has another type", decide({ thought: "", type: "search", tool: "calc", args: {} }), '`type` is "search"'],
    ["has an empty answer", answer("  \n"), "`answer` must be a text that is not empty"],
    ["has no answer", decide({ thought: "", type: "final_answer" }), "`answer` must be"],
    ["has a list of arguments", act("calc", [2, 3]), "`args` is [2,3]; it must be a JSON object"],
    ["has no arguments", decide({ thought: "", type: "call_tool", tool: "calc" }), "`args` is missing"],
    [
      "has a thought that is no text",
      decide({ thought: 5, type: "call_tool", tool: "echo", args: {} }),
      "`thought` is not a text",
    ],
  ])("that %s is no decision", async (_, output, problem) => {
    const { go, provider, told, log } = agentOf([output, answer("5")]);
    expect(await go().result).toMatchObject({ status: "completed", text: "5", steps: 1, toolErrors: 0 });
    expect(told("validation_failed")).toMatchObject([{ attempt: 1, message: expect.stringContaining(problem) }]);
    const last = texts(provider.requests[1]?.messages).at(-1);
    expect(last).toContain(problem);
    expect(types(await log())).not.toContain("call");
  });

  it("ends the run with one error when the last attempt fails, and its usage counts", async () => {
    const steps = [act("clac", {}), "nothing", answer("")].map((chunks, index) => ({
      chunks,
      usage: usage(10 ** index, 1),
    }));
    const { go, told, log } = agentOf(steps);
    const run = go();
    const thrown = await collect(run).catch((error: unknown) => error);
    const result = await run.result;
    expect(result).toMatchObject({ status: "failed", text: "", usage: { input: 111, output: 3 } });
    expect(result.error).toBe(thrown);
    expect(result.error).toMatchObject({ code: "no_progress", text: answer("") });
    expect(result.error?.message).toContain("3 attempts");
    expect(told("extraction_failed", "validation_failed").map((event) => "attempt" in event && event.attempt)).toEqual([
      1, 2, 3,
    ]);
    expect(told("run_ended")).toMatchObject([{ status: "failed", error: { code: "no_progress" } }]);
    expect(types(await log())).not.toContain("respond");
  });

  it("is asked for as often as the options say", async () => {
    const { go, recover, provider } = agentOf(["no", answer("5")], { maxAttempts: 1 });
    expect(await go().result).toMatchObject({ status: "failed", error: { code: "no_progress" } });
    expect(provider.requests).toHaveLength(1);
    expect(await recover({ conversation }).result).toMatchObject({ status: "completed", text: "5" });
    expect(() => reactDriver({ maxAttempts: 0 })).toThrow("`maxAttempts` is 0");
  });

  it("counts attempts anew in each step", async () => {
    const { go } = agentOf(["no", act("echo", { text: "a" }), "no", answer("a")], { maxAttempts: 2 });
    expect(await go().result).toMatchObject({ status: "completed", steps: 2 });
  });

  it("that was cut off goes back to the model with that reason", async () => {
    const { go, told } = agentOf([{ chunks: '{"thought":"long', finish: "length" }, answer("Short.")]);
    expect(await go().result).toMatchObject({ status: "completed", text: "Short." });
    expect(told("extraction_failed")).toMatchObject([{ message: expect.stringContaining("cut off") }]);
  });

  it("leaves no message of its own where it is empty", async () => {
    const { go, provider } = agentOf(["", answer("5")]);
    await go().result;
    expect(provider.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "user"]);
  });

  it("whose answer was shown already is refused, and the model goes on in the next step", async () => {
    const broke = '{"thought":"t","type":"final_answer","answer":"He said "no" to me"}';
    const { go, provider, told, log } = agentOf([broke, answer("He said no.")]);
    expect(await go().result).toMatchObject({ status: "completed", text: "He said no.", steps: 2 });
    expect(told("extraction_failed")).toHaveLength(1);
    const events = await log();
    expect(contents(events, "respond")).toEqual(["He said", "He said no."]);
    expect(events.find((event) => event.type === "record" && event.kind === "rejected")).toMatchObject({
      data: { text: broke },
    });
    expect(texts(provider.requests[1]?.messages).at(-1)).toContain("Observation: Error: ");
  });

  it("that holds two answers is refused, whichever was shown", async () => {
    const both = '{"thought":"t","type":"final_answer","answer":"One.","answer":"Two."}';
    const { go } = agentOf([both, answer("Three.")]);
    expect(await go().result).toMatchObject({ text: "Three.", steps: 2 });
  });
});
