import type { LogEvent } from "@cogency/protocol";
import { sentRequest } from "@cogency/protocol/why";
import { describe, expect, it } from "vitest";
import type { PageEvent } from "../page-source.ts";
import { replyMessage } from "./reply-message.ts";
import { searchText } from "./search-text.ts";
import { ShownConversation } from "./shown-conversation.ts";
import type { Entry } from "./step.ts";
import { totalsOf } from "./totals.ts";
import { waterfall } from "./waterfall.ts";

/** The events in order, one a second. */
function log(...events: object[]): PageEvent[] {
  return events.map((event, i) => ({ timestamp: 100 + i, ...event, seq: i + 1 }) as PageEvent);
}

const record = (kind: string, data: unknown) => ({ type: "record", kind, data });
const call = (id: string, name: string, args: object) => ({
  type: "call",
  id,
  content: JSON.stringify({ name, args }),
});
const usage = (more = {}) =>
  record("usage", { input: 10, output: 5, cacheRead: 20, cacheWrite: 0, reasoning: 0, duration: 3, ...more });
const request = (model: string, again: number, more = {}) =>
  record("request", {
    driver: "protocol",
    provider: "p",
    model,
    settings: {},
    messages: { form: "json", count: 1, again, hash: "h" },
    hashes: { system: "s" },
    ...more,
  });
const result = (ids: string[], ...results: object[]) => ({ type: "result", content: JSON.stringify(results), ids });

const events = log(
  { type: "user", content: "Do it" },
  request("large", 0, { system: "Be brief." }),
  { type: "think", content: "Hm." },
  call("a", "read", { file: "x" }),
  call("b", "shell", { command: "rm x" }),
  record("started", { id: "a" }),
  record("question", { id: "q", call: "b", name: "shell", hash: "h", asks: "approval", concerns: [], touches: [] }),
  record("finished", { id: "a", result: { tool: "read", status: "success", content: "text" } }),
  record("approval", { id: "b", name: "shell", hash: "h", question: "q", status: "denied", reason: "not that" }),
  result(
    ["a", "b"],
    { tool: "read", status: "success", content: "text" },
    { tool: "shell", status: "failure", content: "refused" },
  ),
  usage({ cost: 0.5 }),
  request("small", 3),
  record("rejected", { code: "malformed_execute", message: "no", text: "<execute>[{" }),
  usage({ estimated: true }),
  request("small", 5),
  { type: "respond", content: "Done." },
  usage({ cost: 0.25 }),
  record("run", { status: "completed" }),
);

function read(given: readonly PageEvent[] = events): ShownConversation {
  const conversation = new ShownConversation();
  for (const event of given) conversation.write(event);
  return conversation;
}

describe("a conversation as the page shows it", () => {
  it("puts entries into their steps, and questions to their calls", () => {
    const { blocks } = read();
    expect(
      blocks.map((block) =>
        block.type === "step"
          ? block.step.entries.map(({ shown, seq }) => `${seq} ${shown.type}`)
          : block.entry.shown.type,
      ),
    ).toEqual(["user", ["3 thinking", "4 call", "5 call"], "model", ["13 error"], ["16 text"], "end"]);
    const [first] = read().steps();
    expect(first?.entries[2]).toMatchObject({
      shown: { name: "shell", outcome: "denied" },
      questions: [{ id: "q", decision: "denied", reason: "not that" }],
    });
    expect(read().steps()[1]).toMatchObject({ refused: "<execute>[{", usage: { estimated: true } });
  });

  it("is the same whether the log comes at once, twice, or ends anywhere and goes on", () => {
    const whole = read();
    for (let cut = 1; cut < events.length; cut++) {
      const again = read(events.slice(0, cut));
      for (const event of events.slice(Math.max(0, cut - 3))) again.write(event);
      expect(again.blocks, `cut at ${cut}`).toEqual(whole.blocks);
    }
    expect([whole.isIdle, read(events.slice(0, 9)).isIdle]).toEqual([true, false]);
  });

  it("has what a run is writing beside its entries, which pieces do not change, and what its calls print", () => {
    const whole = read();
    const live = new ShownConversation();
    for (const event of events) {
      const { blocks, steps } = { blocks: [...live.blocks], steps: live.steps() };
      const place = { run: "r", seq: event.seq - 1 };
      const calls = live.parts.flatMap((part) => (part.type === "call" && part.state === "running" ? part.id : []));
      live.writePieces([
        { type: "text", ...place, unit: event.seq, offset: 0, text: "Half a" },
        { type: "args", ...place, unit: 1000, offset: 0, text: '{"a', call: "next", name: "edit" },
        ...calls.map((call = "") => ({
          type: "progress" as const,
          ...place,
          call,
          update: { text: `${event.seq}\n` },
        })),
        { type: "progress", ...place, call: "nobody", update: { text: "lost" } },
      ]);
      expect(live.open.map(({ type }) => type)).toEqual(["text", "call"]);
      expect([live.blocks, live.steps()]).toEqual([blocks, steps]);
      for (const call of calls) expect(live.progressOf(call ?? "")).toBe(String(event.seq));
      expect(live.progressOf("nobody")).toBe("");
      live.write(event);
    }
    expect(live.blocks).toEqual(whole.blocks);
    expect(live.parts).toEqual(whole.parts);
    expect(live.open).toEqual([]);
  });

  it("has the title that a person gave last", () => {
    const titles = [{ text: "One" }, { text: "Two" }, { text: " " }, null].map((data) => record("title", data));
    expect(read(log(...titles)).title).toBe("Two");
  });

  it("has the points that a person named, each where it was named last, without those that were taken back", () => {
    const points = [
      ...[{ name: "one", at: 1 }, { name: "two", at: 1 }, { name: "far", at: 99 }, { name: "a\u001b[2J", at: 1 }, null],
      ...[
        { name: "one", at: 2 },
        { name: "gone", at: 1 },
        { name: "gone", at: 0 },
      ],
    ].map((data) => record("point", data));
    expect([...read(log(...points)).points.values()]).toEqual([
      { name: "two", at: 1 },
      { name: "one", at: 2 },
    ]);
  });

  it("holds a notice with its text, code and next try, as it comes and when it is read again, until it is over", () => {
    const data = { code: "server", message: "The server of the model has failed.", retryAt: 200 };
    const failed = log(
      { type: "user", content: "Do it" },
      record("notice", data),
      record("notice", { ...data, retryAt: 230 }),
    );
    const live = read(failed.slice(0, 2));
    const shown = (conversation: ShownConversation) => conversation.entries().map((entry) => entry.shown);
    expect(shown(live).at(-1)).toEqual({ type: "notice", ...data, open: true });
    for (const event of failed.slice(2)) live.write(event);
    expect(shown(live).slice(1)).toEqual([{ type: "notice", ...data, retryAt: 230, open: true }]);
    expect(shown(read(failed))).toEqual(shown(live));
    expect(live.isIdle).toBe(false);
    expect(searchText(live.entries()[1] as Entry)).toContain("server of the model has failed");
    const over = [...failed, ...log({ type: "respond", content: "Done." }).map((event) => ({ ...event, seq: 4 }))];
    expect(shown(read(over)).slice(1)).toEqual([
      { type: "notice", code: data.code, message: data.message },
      { type: "text", content: "Done." },
    ]);
  });

  it("bears a log that holds anything", () => {
    const kinds = ["request", "usage", "rejected", "native", "started", "finished", "question", "approval", "answer"];
    const others = ["message", "content", "tools_found", "summary", "title", "run", "unknown"];
    const values = [undefined, null, 7, "x", [], {}, { id: 7, names: 7, upTo: "x", text: 7, call: {}, messages: 1 }];
    const wild = log(
      ...[...kinds, ...others].flatMap((kind) => values.map((value) => record(kind, value))),
      { type: "user" },
      { type: "call", content: "{" },
      { type: "result", content: "no" },
      { type: "other" },
    );
    const conversation = read(wild);
    totalsOf(conversation);
    waterfall(conversation);
    for (const step of conversation.steps()) sentRequest(wild, step.request?.seq ?? 0);
    expect(conversation.events).toHaveLength(wild.length);
  });

  it("sums up tokens, costs, calls and what failed, for each model", () => {
    expect(totalsOf(read())).toMatchObject({
      steps: 3,
      calls: 2,
      failed: 1,
      errors: 1,
      input: 30,
      cacheRead: 60,
      output: 15,
      cost: 0.75,
      duration: 9,
      isEstimated: true,
      models: [
        { model: "large", steps: 1, input: 30, cost: 0.5 },
        { model: "small", steps: 2, input: 60, cost: 0.25 },
      ],
    });
  });

  it("puts steps and calls on one axis of time", () => {
    const [run] = waterfall(read());
    expect(run).toMatchObject({ begun: 101, duration: 15 });
    expect(
      run?.rows.map(({ kind, label, from, first, ran, to, isFailed }) => [
        kind,
        label,
        from,
        first ?? ran,
        to,
        isFailed,
      ]),
    ).toEqual([
      ["step", "1 large", 0, 1, 3, false],
      ["call", "read", 2, 4, 6, false],
      ["call", "shell", 3, undefined, 3, true],
      ["step", "2 small", 10, 11, 12, true],
      ["step", "3 small", 13, 14, 15, false],
    ]);
  });

  it("has each request as it was sent, and the reply as the next one shows it", () => {
    const [first, second] = read().steps();
    if (!first || !second) throw new Error("no steps");
    const sent = (step: typeof first) => sentRequest(events, step.request?.seq ?? 0);
    expect(sent(first)).toMatchObject({
      system: { value: "Be brief." },
      again: 0,
      messages: [{ message: { role: "user", content: "Do it" } }],
    });
    expect(sent(second)).toMatchObject({ system: { value: "Be brief.", seq: first.request?.seq }, again: 3 });
    expect(sent(second)?.messages?.map(({ message: { role } }) => role)).toEqual(["user", "assistant", "user"]);
    expect(replyMessage(events, first)).toMatchObject({ role: "assistant", content: expect.stringContaining("rm x") });
  });

  it("is searched with what its calls were given and returned, and with answers", () => {
    const texts = read().entries().map(searchText);
    const found = (words: string) => texts.flatMap((text, i) => (text.includes(words) ? i : []));
    expect([found("rm x"), found("not that"), found("text")]).toEqual([[3], [3], [2]]);
  });

  it("begins a step where a log has no requests", () => {
    const old = log(
      { type: "user", content: "x" } satisfies Partial<LogEvent>,
      { type: "respond", content: "y" },
      usage(),
    );
    expect(read(old).steps()).toMatchObject([{ number: 1, begun: 99, first: 101, ended: 102 }]);
  });

  it("knows the agent that a call has started, what it has used, and in its log who has started it", () => {
    const conversation = new ShownConversation();
    const child = { call: "a", agent: "reviewer", conversation: "c-1" };
    const list = log(
      { type: "user", content: "Review it" },
      call("a", "agent", { agent: "reviewer", prompt: "Look." }),
      record("child", child),
      record("child", { ...child, used: { steps: 1, tokens: 12, toolCalls: 3 } }),
      record("child", { call: "nowhere", agent: "x", conversation: "y" }),
      record("child", "no data"),
    );
    for (const event of list.slice(0, 3)) conversation.write(event);
    const entry = () => conversation.entries().find(({ shown }) => shown.type === "call");
    const before = entry();
    expect(before?.agent).toEqual({ name: "reviewer", conversation: "c-1", isInBackground: false });
    for (const event of list.slice(3)) conversation.write(event);
    expect(entry()?.agent).toMatchObject({ used: { tokens: 12, toolCalls: 3 } });
    expect(entry()).not.toBe(before);

    const below = new ShownConversation();
    const parent = { conversation: "c", call: "a", root: "c", agents: ["reviewer"] };
    for (const event of log(record("parent", parent), record("parent", { conversation: 5 }))) below.write(event);
    expect(below.caller).toEqual({ conversation: "c", agents: ["reviewer"] });
  });
});
