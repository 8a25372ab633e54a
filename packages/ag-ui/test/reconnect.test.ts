import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { type AgUiEvent, createAgUiHandler } from "../src/index.ts";
import { checkRun } from "./support/check-run.ts";
import { clientAfter, faultsOfJudges } from "./support/judge.ts";
import {
  clientAdd,
  clientCall,
  eventsOf,
  framesAsTheyCome,
  framesIn,
  hers,
  inputOf,
  interruptsOf,
  ofType,
  outcomeOf,
  site,
  sumCall,
  textOf,
  user,
  writeCall,
} from "./support/served.ts";

const from = (seq: number | string): RequestInit => ({ headers: { "last-event-id": `${seq}` } });

async function expectFaultless(events: readonly AgUiEvent[]) {
  expect([...(await faultsOfJudges(events)), ...checkRun(events)]).toEqual([]);
}

describe("GET of a thread", () => {
  it("is its messages and how it ended, under the ids that they had live", async () => {
    const { run, ask } = site([`Let me see.${sumCall}`, "Three.<end>"]);
    const live = await clientAfter(await run(inputOf({ messages: [user("m1", "Add.")] })), [user("m1", "Add.")]);
    const response = await ask("/thread?runId=again");
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = await eventsOf(response);
    await expectFaultless(events);
    expect(events.map(({ type }) => type)).toEqual([
      "RUN_STARTED",
      "MESSAGES_SNAPSHOT",
      "STATE_SNAPSHOT",
      "STATE_DELTA",
      "RUN_FINISHED",
    ]);
    expect(events[0]).toMatchObject({ threadId: "thread", runId: "again" });
    expect(events.at(-1)).toMatchObject({ threadId: "thread", runId: "again" });
    expect((await clientAfter(events)).messages).toEqual(live.messages);
  });

  it("goes on from each number that a run has shown, and ends with the same messages and state", async () => {
    const { post, ask } = site([`I write.${writeCall}`]);
    const frames = await framesIn(await post(inputOf({ messages: [user("m1", "Write.")] })));
    const whole = frames.map(({ event }) => event);
    const numbers = [...new Set(frames.flatMap(({ id }) => id ?? []))];
    expect(numbers.length).toBeGreaterThan(3);
    const end = await clientAfter(await eventsOf(await ask("/thread")));
    expect(end.messages).toEqual((await clientAfter(whole, [user("m1", "Write.")])).messages);
    for (const number of numbers) {
      const again = await framesIn(await ask("/thread", from(number)));
      const events = again.map(({ event }) => event);
      await expectFaultless(events);
      expect(again[0]?.id ?? again.find(({ id }) => id !== undefined)?.id).toBe(number);
      expect(await clientAfter(events)).toEqual(end);
      expect(interruptsOf(events)).toEqual(interruptsOf(whole));
      // What a reader has seen does not come again.
      const seen = whole.slice(0, frames.findLastIndex(({ id }) => id === number) + 1);
      const told = new Set(ofType(seen, "TOOL_CALL_END").map(({ toolCallId }) => toolCallId));
      expect(ofType(events, "TOOL_CALL_START").filter(({ toolCallId }) => told.has(toolCallId))).toEqual([]);
    }
  });

  it("reads a text that is being written from its beginning, and its rest as it comes", async () => {
    const { post, ask } = site([{ chunks: ["Once ", "upon"], hang: true }]);
    const begun: AgUiEvent[] = [];
    for await (const { event } of framesAsTheyCome(await post(inputOf({ messages: [user("m1", "Tell.")] })))) {
      begun.push(event);
      if (textOf(begun) === "Once upon") break;
    }
    const events: AgUiEvent[] = [];
    for await (const { event } of framesAsTheyCome(await ask("/thread"))) {
      events.push(event);
      if (event.type === "TEXT_MESSAGE_CONTENT" && textOf(events) === "Once upon")
        await ask("/thread/cancel", { method: "POST" });
    }
    expect(outcomeOf(events)).toEqual({ type: "cancelled" });
    await expectFaultless(events);
    expect((await clientAfter(events)).messages.map(({ content }) => content)).toEqual(["Tell.", "Once upon"]);
  });

  it("asks again what is open, also for the client's own tools, and a tab that comes later may answer", async () => {
    const { run, ask } = site([clientCall, "Three.<end>"]);
    const asked = await run(inputOf({ messages: [user("m1", "Add.")], tools: [clientAdd] }));
    const events = await eventsOf(await ask("/thread"));
    expect(outcomeOf(events)).toEqual(outcomeOf(asked));
    const { messages } = await clientAfter(events);
    const toolCallId = ofType(asked, "TOOL_CALL_START")[0]?.toolCallId ?? "";
    const answer = { id: "t1", role: "tool" as const, toolCallId, content: "3" };
    const done = await run(inputOf({ runId: "run-2", messages: [...messages, answer] }));
    expect([textOf(done), ofType(done, "MESSAGES_SNAPSHOT")]).toEqual(["Three.", []]);
  });

  it("is nothing where there is no such thread, and nothing where its reader has seen more than there is", async () => {
    const { run, ask } = site(["Hello.<end>"]);
    expect((await ask("/thread")).status).toBe(404);
    await run(inputOf({ messages: [user("m1", "Hi.")] }));
    expect((await ask("/thread", from(1_000))).status).toBe(409);
    expect((await ask("/thread", from("x"))).status).toBe(400);
    expect((await ask("/%E0%A4%A")).status).toBe(400);
    expect((await ask("/thread/else")).status).toBe(404);
    expect((await ask("/thread", { method: "DELETE" })).headers.get("allow")).toBe("GET");
  });

  it("shows no reasoning to a user without the scope", async () => {
    const { run, ask } = site([
      {
        events: [
          { type: "reasoning", text: "SECRET" },
          { type: "text", text: "Hi.<end>" },
        ],
      },
    ]);
    const events = await run(inputOf({ messages: [user("m1", "Hi.")] }));
    expect(JSON.stringify(events)).not.toContain("SECRET");
    const seen = await eventsOf(await ask("/thread", { headers: { "x-scopes": "thinking" } }));
    expect(ofType(seen, "MESSAGES_SNAPSHOT")[0]?.messages.map(({ role }) => role)).toContain("reasoning");
    expect(await (await ask("/thread")).text()).not.toContain("SECRET");
  });
});

describe("a run", () => {
  it("says what its client does not have: words of another client, with their attachments", async () => {
    const { run, agent, ask } = site(["Hello.<end>", "Nice.<end>"]);
    await run(inputOf({ messages: [user("m1", "Hi.")] }));
    const image = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
    await agent.send(hers, { kind: "prompt", content: "Look.", attachments: [image] }, { id: "m2" });
    const events = await eventsOf(await ask("/thread"));
    await expectFaultless(events);
    const { messages } = await clientAfter(events);
    expect(messages.map(({ id }) => id).slice(0, 3)).toEqual(["m1", expect.stringMatching(/t1$/), "m2"]);
    expect(messages[2]?.content).toEqual([
      { type: "text", text: "Look." },
      { type: "image", source: { type: "data", value: "iVBORw0KGgo=", mimeType: "image/png" } },
    ]);
  });

  it("takes images and files, also as older clients send them", async () => {
    const { run, provider } = site(["Seen.<end>"]);
    const source = { type: "data", value: "iVBORw0KGgo=", mimeType: "image/png" };
    const events = await run(
      inputOf({
        messages: [
          user("m1", [
            { type: "text", text: "Look." },
            { type: "image", source, metadata: { filename: "a.png" } },
            {
              type: "document",
              source: { type: "url", value: "https://example.com/a.pdf", mimeType: "application/pdf" },
            },
            { type: "binary", mimeType: "image/png", data: "iVBORw0KGgo=", filename: "b.png" },
          ]),
        ],
      }),
    );
    expect(ofType(events, "MESSAGES_SNAPSHOT")).toEqual([]);
    expect(provider.requests[0]?.messages).toMatchObject([
      {
        content: [
          { kind: "text", text: "Look." },
          { kind: "image", data: "iVBORw0KGgo=", name: "a.png" },
          { kind: "file", mediaType: "application/pdf", data: { url: "https://example.com/a.pdf" } },
          { kind: "image", data: "iVBORw0KGgo=", name: "b.png" },
        ],
      },
    ]);
  });

  it("ends with an error without inner words where the model fails", async () => {
    const { run, errors } = site([{ chunks: ["Hel"], error: new Error("secret-key-1 at 10.0.0.1") }]);
    const events = await run(inputOf({ messages: [user("m1", "Hi.")] }));
    await expectFaultless(events);
    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR" });
    expect(JSON.stringify(events)).not.toMatch(/secret-key-1|10\.0\.0\.1/);
    expect(errors.length).toBeGreaterThan(0);
  });

  it("ends with an error where the store breaks in the middle, and closes what is open", async () => {
    const inner = memoryStore();
    const broken = { isBroken: false };
    const store: Store = {
      ...inner,
      async *follow(key, options) {
        for await (const event of inner.follow(key, options)) {
          if (broken.isBroken) throw new Error("secret-dsn");
          yield event;
          broken.isBroken = true;
        }
      },
    };
    const { post, errors } = site(["Hello.<end>"], { store }, inner);
    const events = await eventsOf(await post(inputOf({ messages: [user("m1", "Hi.")] })));
    await expectFaultless(events);
    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "internal" });
    expect(JSON.stringify(events)).not.toContain("secret-dsn");
    expect(errors).not.toEqual([]);
  });
});

describe("GET of the prefix", () => {
  it("says what the agent can do", async () => {
    const { ask } = site([], { identity: { name: "Clerk", version: "1" } });
    expect(await (await ask("")).json()).toMatchObject({
      identity: { name: "Clerk" },
      tools: { clientProvided: true },
      humanInTheLoop: { approvals: true, approveWithEdits: false },
    });
    expect((await ask("", { method: "PUT" })).headers.get("allow")).toBe("GET, POST");
  });
});

describe("the options", () => {
  it("are checked by name", () => {
    expect(() => createAgUiHandler(undefined as never)).toThrow(/createAgUiHandler needs `authenticate`/);
    expect(() => site([], { identity: 7 as never })).toThrow(TypeError);
    expect(() => site([], { wrong: 1 } as never)).toThrow(/createAgUiHandler/);
    expect(() => site([], { authenticate: undefined as never })).toThrow(/authenticate/);
  });
});
