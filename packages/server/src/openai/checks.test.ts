import { describe, expect, it } from "vitest";
import { problemsOfCompletion } from "../../test/support/check-completion.ts";
import { problemsOfResponse } from "../../test/support/check-response.ts";
import { judgeByAISdk, judgeCompletion, judgeResponse } from "../../test/support/openai-judges.ts";
import { add, calling, openaiSite } from "../../test/support/openai-site.ts";

type Event = Record<string, unknown>;

const steps = () => [calling("lookup", { topic: "owls" }, "Let me see."), calling("add", { a: 1, b: 2 }, "Now add.")];
const question = [{ role: "user", content: "Add." }];

async function completion(): Promise<string> {
  const { ask } = openaiSite({ steps: steps() });
  const tools = [{ type: "function", function: add }];
  const body = { model: "agent", messages: question, tools, stream: true, stream_options: { include_usage: true } };
  return (await ask("/chat/completions", body)).text();
}

async function response(): Promise<string> {
  const { ask } = openaiSite({ steps: steps() });
  const tools = [{ type: "function", ...add }];
  return (await ask("/responses", { model: "agent", input: question, tools, stream: true })).text();
}

/** The same body, after its events were changed. */
function changed(body: string, change: (events: Event[]) => unknown): string {
  const events = body
    .split("\n\n")
    .flatMap((text) => /^data: (\{.*)$/m.exec(text)?.[1] ?? [])
    .map((data) => JSON.parse(data) as Event);
  change(events);
  const isChat = body.includes("[DONE]");
  const texts = events.map((event) => `${isChat ? "" : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`);
  return texts.join("") + (isChat ? "data: [DONE]\n\n" : "");
}

const choice = (event: Event | undefined) =>
  ((event?.choices ?? []) as { delta: Event; finish_reason: unknown; index: number }[])[0];
const call = (events: Event[]) =>
  events.flatMap(
    (event) => (choice(event)?.delta.tool_calls ?? []) as { id: string; index: number; function: Event }[],
  )[0];
const drop = (events: Event[], at: number) => events.splice(at, 1);
const finishAt = (events: Event[]) => events.findIndex((event) => choice(event)?.finish_reason != null);

/** Each breaks one rule. `by` is the first judge of the other side that notices, if any does. */
const completions: readonly { rule: string; change: (events: Event[]) => unknown; by?: "openai" | "ai-sdk" }[] = [
  { rule: "there are 0 finish reasons", change: (events) => drop(events, finishAt(events)), by: "openai" },
  {
    rule: "there are 2 finish reasons",
    change: (events) => events.splice(finishAt(events), 0, events[finishAt(events)] as Event),
  },
  { rule: "`id` changes", change: (events) => Object.assign(events[2] as Event, { id: "chatcmpl-other" }) },
  { rule: "`created` changes", change: (events) => Object.assign(events[2] as Event, { created: 1 }) },
  { rule: "`model` changes", change: (events) => Object.assign(events[2] as Event, { model: "other" }) },
  { rule: "the first delta has no role", change: (events) => drop(events, 0) },
  {
    rule: "a role comes twice",
    change: (events) => Object.assign(choice(events[1])?.delta ?? {}, { role: "assistant" }),
  },
  { rule: "a delta is empty", change: (events) => Object.assign(choice(events[1])?.delta ?? {}, { content: "" }) },
  {
    rule: "a delta is no text",
    change: (events) => Object.assign(choice(events[1])?.delta ?? {}, { content: 7 }),
    by: "ai-sdk",
  },
  {
    rule: "a delta has an unknown field",
    change: (events) => Object.assign(choice(events[1])?.delta ?? {}, { thought: "x" }),
  },
  { rule: "the calls are not counted", change: (events) => Object.assign(call(events) ?? {}, { index: 3 }) },
  {
    rule: "the id of a call is malformed",
    change: (events) => Object.assign(call(events) ?? {}, { id: "x".repeat(41) }),
  },
  {
    rule: "arguments are no JSON object",
    change: (events) => Object.assign(call(events)?.function ?? {}, { arguments: "{" }),
  },
  {
    rule: "the finish reason does not fit the calls",
    change: (events) => Object.assign(choice(events[finishAt(events)]) ?? {}, { finish_reason: "stop" }),
  },
  { rule: "something comes after the finish", change: (events) => events.push(events[1] as Event) },
  { rule: "there is another choice", change: (events) => Object.assign(choice(events[1]) ?? {}, { index: 1 }) },
  {
    rule: "the total of the usage is wrong",
    change: (events) => Object.assign(events.at(-1)?.usage as Event, { total_tokens: 1 }),
  },
  {
    rule: "something comes after an error",
    change: (events) => events.splice(2, 0, { error: { message: "No." } }),
    by: "openai",
  },
];

describe("the check of a streamed completion", () => {
  it("finds nothing wrong with what the handler sends, and no judge does", async () => {
    const body = await completion();
    expect(problemsOfCompletion(body)).toEqual([]);
    const read = { text: "Let me see.\n\nNow add.", calls: [{ name: "add", args: { a: 1, b: 2 } }] };
    expect(await judgeCompletion(body)).toEqual({ ...read, finish: "tool_calls" });
    expect(await judgeByAISdk(body, "chat")).toEqual({ ...read, finish: "tool-calls" });
    expect(await judgeByAISdk(body, "compatible")).toEqual({ ...read, finish: "tool-calls" });
  });

  it.each(completions)("finds: $rule", async ({ rule, change, by }) => {
    const broken = changed(await completion(), change);
    expect(problemsOfCompletion(broken)).toContain(rule);
    if (by === "openai") await expect(judgeCompletion(broken)).rejects.toThrow();
    if (by === "ai-sdk") await expect(judgeByAISdk(broken, "chat")).rejects.toThrow();
  });

  it("finds a missing [DONE], which no judge does, and a second one", async () => {
    const body = await completion();
    const without = body.replace("data: [DONE]\n\n", "");
    expect(problemsOfCompletion(without)).toEqual(["the last event is not [DONE]"]);
    expect((await judgeCompletion(without)).finish).toBe("tool_calls");
    expect((await judgeByAISdk(without, "chat")).finish).toBe("tool-calls");
    expect(problemsOfCompletion(`${body}data: [DONE]\n\n`)).toEqual(["[DONE] comes twice"]);
    expect(problemsOfCompletion(`data: no\n\n${body}`)).toEqual(["an event is no JSON object"]);
  });
});

const typed = (events: Event[], type: string) => events.findIndex((event) => event.type === `response.${type}`);
const last = (events: Event[]) => events.at(-1)?.response as Event;
const itemAt = (events: Event[], at: number) => (events[at]?.item ?? {}) as Event;
/** Numbers the events anew, so that one rule alone is broken. */
const numbered = (change: (events: Event[]) => unknown) => (events: Event[]) => {
  change(events);
  for (const [index, event] of events.entries()) event.sequence_number = index;
};

const responses: readonly { rule: string; change: (events: Event[]) => unknown; by?: "openai" | "ai-sdk" }[] = [
  {
    rule: "the sequence numbers are wrong",
    change: (events) => Object.assign(events[3] as Event, { sequence_number: 9 }),
  },
  { rule: "the first event is not response.created", change: numbered((events) => drop(events, 0)), by: "openai" },
  { rule: "response.created comes twice", change: numbered((events) => events.unshift({ ...events[0] })) },
  { rule: "the last event ends no response", change: numbered((events) => events.pop()) },
  { rule: "the response ends twice", change: numbered((events) => events.push({ ...events.at(-1) })) },
  { rule: "the id of the response changes", change: (events) => Object.assign(last(events), { id: "resp_other" }) },
  {
    rule: "the status is not that of the last event",
    change: (events) => Object.assign(last(events), { status: "in_progress" }),
  },
  {
    rule: "the error does not fit the status",
    change: (events) => Object.assign(last(events), { error: { code: "x" } }),
  },
  {
    rule: "the details do not fit the status",
    change: (events) => Object.assign(last(events), { incomplete_details: {} }),
  },
  {
    rule: "the total of the usage is wrong",
    change: (events) => Object.assign(last(events).usage as Event, { total_tokens: 1 }),
  },
  {
    rule: "the items are not counted",
    change: numbered((events) => drop(events, typed(events, "output_item.added"))),
    by: "openai",
  },
  { rule: "an item is not ended once", change: numbered((events) => drop(events, typed(events, "output_item.done"))) },
  { rule: "the output is not what the events have made", change: (events) => (last(events).output as Event[]).pop() },
  {
    rule: "the events of an item are out of order",
    change: numbered((events) => drop(events, typed(events, "content_part.added"))),
    by: "openai",
  },
  {
    rule: "the id of an item changes",
    change: (events) => Object.assign(events[typed(events, "output_text.delta")] as Event, { item_id: "msg_other" }),
  },
  {
    rule: "the deltas are not the text",
    change: numbered((events) => drop(events, typed(events, "output_text.delta"))),
  },
  {
    rule: "a delta is empty",
    change: (events) => Object.assign(events[typed(events, "output_text.delta")] as Event, { delta: "" }),
  },
  {
    rule: "an item is still in progress",
    change: (events) => Object.assign(itemAt(events, typed(events, "output_item.done")), { status: "in_progress" }),
  },
  {
    rule: "two items have one id",
    change: (events) => {
      for (const event of events)
        if (event.output_index === 1 && event.item)
          Object.assign(event.item as Event, { id: itemAt(events, typed(events, "output_item.done")).id });
    },
  },
  {
    rule: "there is no item file",
    change: (events) => Object.assign(itemAt(events, typed(events, "output_item.done")), { type: "file" }),
  },
  {
    rule: "arguments are no JSON object",
    change: (events) => Object.assign(itemAt(events, events.length - 2), { arguments: "[]" }),
  },
  {
    rule: "the id of a call is malformed",
    change: (events) => Object.assign(itemAt(events, events.length - 2), { call_id: "a b" }),
  },
];

describe("the check of a streamed response", () => {
  it("finds nothing wrong with what the handler sends, and no judge does", async () => {
    const body = await response();
    expect(problemsOfResponse(body)).toEqual([]);
    const read = { text: "Let me see.Now add.", calls: [{ name: "add", args: { a: 1, b: 2 } }] };
    expect(await judgeResponse(body)).toEqual({ ...read, finish: "completed" });
    expect(await judgeByAISdk(body, "responses")).toEqual({ ...read, finish: "tool-calls" });
  });

  it.each(responses)("finds: $rule", async ({ rule, change, by }) => {
    const broken = changed(await response(), change);
    expect(problemsOfResponse(broken)).toContain(rule);
    if (by === "openai") await expect(judgeResponse(broken)).rejects.toThrow();
    if (by === "ai-sdk") await expect(judgeByAISdk(broken, "responses")).rejects.toThrow();
  });

  it("finds a [DONE], which this wire does not have, and names that are not the types", async () => {
    const body = await response();
    expect(problemsOfResponse(`${body}data: [DONE]\n\n`)).toEqual(["[DONE] is no event of this wire"]);
    expect(problemsOfResponse(body.replace("event: response.created", "event: created"))).toEqual([
      "the names of events are not their types",
    ]);
  });
});
