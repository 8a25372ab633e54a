import type { ModelMessage } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { slidingWindow, transform } from "../../src/history.ts";
import { toolSearch } from "../../src/tool-search.ts";
import { block, conversation, echo } from "../support/fixtures.ts";
import { drivers, problemOf, talking, textOf, tokensOf, words } from "./support.ts";

/** Leads 20 turns of two calls and an answer each. */
async function talk(history: Parameters<typeof talking>[1] & object, name = "protocol") {
  const speech = drivers[name] as (typeof drivers)[string];
  let step = 0;
  const talker = talking(
    ({ messages }) => {
      const last = messages.at(-1);
      step = last?.role === "user" && textOf(last).startsWith("Question") ? 0 : step + 1;
      return step < 2 ? speech.call(`Look ${step}. ${words(40)}`) : speech.answer("I have looked.");
    },
    { ...speech.options, ...history },
  );
  for (let turn = 0; turn < 20; turn++) {
    const { error } = await talker.ask(`Question ${turn}. ${words(40)}`, { conversation });
    expect(error).toBeUndefined();
  }
  return talker;
}

describe.each(Object.keys(drivers))("a sliding window with the driver %s", (driver) => {
  it("shows at most so many rounds, of which none is cut, and says that more are left out", async () => {
    const talker = await talk({ history: slidingWindow({ rounds: 8 }) }, driver);
    expect(talker.steps().map(problemOf).filter(Boolean)).toEqual([]);
    // A round has at most three messages.
    expect(Math.max(...talker.steps().map(({ messages }) => messages.length))).toBeLessThanOrEqual(17);
    expect(talker.steps().at(-1)?.messages[0]).toEqual({
      role: "user",
      content: "The earlier messages of this conversation are left out.",
    });
    expect((await talker.log()).filter(({ type }) => type === "user")).toHaveLength(20);
  });

  it("shows at most so many tokens, and moves on in jumps, so that requests in between begin alike", async () => {
    const talker = await talk({ history: slidingWindow({ tokens: 800 }) }, driver);
    expect(talker.steps().map(problemOf).filter(Boolean)).toEqual([]);
    const [first] = talker.steps();
    const fixed = first ? tokensOf({ ...first, messages: [] }) : 0;
    // Markup and names of calls come to what is estimated of the events.
    expect(Math.max(...talker.steps().map((request) => tokensOf(request) - fixed))).toBeLessThan(1100);
    const begins = new Set(talker.steps().map(({ messages }) => JSON.stringify(messages[1])));
    expect(begins.size).toBeLessThan(25);
  });
});

describe("a sliding window", () => {
  it("always shows what the model has not read", async () => {
    const talker = talking(() => "So.<end>", { history: slidingWindow({ tokens: 10 }) });
    await talker.ask("Hello?", { conversation });
    await talker.ask(words(500), { conversation });
    const contents = talker.steps()[1]?.messages.map((message) => (message.role === "user" ? textOf(message) : ""));
    expect(contents).toEqual(["The earlier messages of this conversation are left out.", words(500)]);
  });

  it("has tools described again that it no longer shows", async () => {
    const replies = [
      block(["find_tools", { query: "echo" }]),
      `So. ${words(30)}<end>`,
      `So. ${words(30)}<end>`,
      `So. ${words(30)}<end>`,
      block(["find_tools", { query: "echo" }]),
      "Done.<end>",
    ];
    const talker = talking((_, at) => replies[at] as string, {
      tools: [echo],
      toolSearch: toolSearch({ above: 0 }),
      history: slidingWindow({ rounds: 4 }),
    });
    for (let turn = 0; turn < 4; turn++) await talker.ask(`Question ${turn}`, { conversation });
    const described = (await talker.log()).filter((event) => event.type === "record" && event.kind === "tools_found");
    expect(described).toHaveLength(2);
    expect(JSON.stringify(talker.steps().at(-1)?.messages)).toContain("- echo: Give the text back.");
  });

  it.each([[{}], [{ rounds: 1, tokens: 1 }], [{ rounds: 0 }], [{ tokens: 1.5 }], [{ turns: 3 }], [undefined]])(
    "refuses the options %o",
    (options) => {
      expect(() => slidingWindow(options as never)).toThrow(/slidingWindow/);
    },
  );
});

/** Leaves out what tools gave, except in the last message. */
const withoutTraces = (messages: readonly ModelMessage[]): ModelMessage[] =>
  messages.map((message, at) =>
    message.role === "tool" && at < messages.length - 1
      ? { ...message, results: message.results.map((result) => ({ ...result, content: "[left out]" })) }
      : message,
  );

describe("S29: the traces of tools", () => {
  it("are all replayed in later turns", async () => {
    const talker = await talk({}, "native");
    const results =
      talker
        .steps()
        .at(-1)
        ?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(results).toHaveLength(40);
    expect(JSON.stringify(results)).not.toContain("[left out]");
  });

  it("can be hidden from the model by a transform, and stay in the log", async () => {
    const talker = await talk({ history: transform(withoutTraces) }, "native");
    expect(talker.steps().map(problemOf).filter(Boolean)).toEqual([]);
    const results =
      talker
        .steps()
        .at(-1)
        ?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(JSON.stringify(results).match(/\[left out\]/g)).toHaveLength(39);
    expect(JSON.stringify(await talker.log())).not.toContain("[left out]");
  });
});

describe("a transform", () => {
  const user: ModelMessage = { role: "user", content: "Hi" };
  const asking: ModelMessage = { role: "assistant", content: "", calls: [{ id: "c", name: "echo", args: {} }] };

  it("may follow a window, and records of requests say that their messages are not those of the log", async () => {
    const talker = talking(() => "So.<end>", {
      history: [slidingWindow({ rounds: 2 }), transform((messages) => [...messages, user])],
      recordRequests: true,
    });
    for (const prompt of ["One", "Two", "Three"]) await talker.ask(prompt, { conversation });
    const last = talker.steps().at(-1)?.messages;
    expect(last?.[0]).toMatchObject({ content: expect.stringContaining("left out") });
    expect(last?.at(-1)).toEqual(user);
    const records = (await talker.log()).filter((event) => event.type === "record" && event.kind === "request");
    expect(records).toHaveLength(3);
    for (const record of records) expect(record).not.toHaveProperty("data.messages.form");
  });

  it.each<[string, unknown]>([
    ["no array", "Hi"],
    ["nothing", []],
    ["messages that begin with the assistant's", [{ role: "assistant", content: "Hi" }, user]],
    ["messages that end with the assistant's", [user, { role: "assistant", content: "Hi" }]],
    ["a call without its result", [user, asking, user]],
    [
      "a result without its call",
      [user, { role: "tool", results: [{ id: "c", name: "echo", content: "", failed: false }] }],
    ],
  ])("that gives %s fails the run before its request is made", async (_, given) => {
    const talker = talking(() => "So.<end>", { history: transform(() => given as never) });
    const { error } = await talker.ask("Hello?", { conversation });
    expect(error?.code).toBe("driver");
    expect(error?.message).toMatch(/^The function of transform gave /);
    expect(talker.provider.requests).toEqual([]);
  });

  it("is a function", () => {
    expect(() => transform("no" as never)).toThrow("give a function from messages to messages");
  });
});
