import { setTimeout as delay } from "node:timers/promises";
import type { ModelEvent, Session } from "@cogency/provider";
import { collect } from "@tooling/wires/collect";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failureOf, openSession, request } from "../../test/support/realtime-endpoint.ts";
import { failed, type RealtimeServer, type Reply, sessionCreated } from "../../test/support/realtime-server.ts";

const patience = { timeout: 10_000 };
const startOfTests = Date.UTC(2030, 0, 1);

type Exchange = [user: string, assistant: string];

const expired = {
  type: "error",
  error: { type: "invalid_request_error", code: "session_expired", message: "60 minutes.", event_id: null },
};

const nothingSaid = { ...request, messages: [] };
const exchangeOf = (text: string): Exchange => [text, `You said ${text}.`];

/** What the model was to hear: the server's own word for it. */
function expectConversation({ current }: RealtimeServer, exchanges: readonly Exchange[]) {
  expect(current.conversation).toEqual(
    exchanges.flatMap(([user, assistant]) => [
      ["user", user],
      ["assistant", assistant],
    ]),
  );
}

describe("a Realtime session that outlives its connections", () => {
  it("is renewed by the next send after the server has closed it", async () => {
    const { session, server } = await openSession({ request: nothingSaid });
    await collect(session.send("One."));
    await server.drop();
    const events = await collect(session.send("Two."));
    expect(events.map(({ type }) => type)).toEqual(["text", "text", "text", "usage", "finish"]);
    expect(server.sockets).toHaveLength(2);
    expectConversation(server, [exchangeOf("One."), exchangeOf("Two.")]);
    expect(server.current.told[0]).toEqual(server.sockets[0]?.told[0]);
  });

  it.each([
    { end: "the server has told", expires_at: startOfTests / 1000 + 3600, minutes: 58.1 },
    { end: "servers usually allow", expires_at: undefined, minutes: 28.1 },
    { end: "a server allows that is quick", expires_at: startOfTests / 1000 + 60, minutes: 0.8 },
  ])("is renewed in time before the end that $end", async ({ expires_at, minutes }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: startOfTests });
    onTestFinished(() => void vi.useRealTimers());
    const { session, server } = await openSession({
      request: nothingSaid,
      greet: (connections) => [sessionCreated(connections === 0 ? { expires_at } : {})],
    });
    vi.setSystemTime(startOfTests + (minutes - 0.2) * 60_000);
    await collect(session.send("One."));
    expect(server.sockets).toHaveLength(1);
    vi.setSystemTime(startOfTests + minutes * 60_000);
    await collect(session.send("Two."));
    expect(server.sockets).toHaveLength(2);
    await server.sockets[0]?.closed;
    expectConversation(server, [exchangeOf("One."), exchangeOf("Two.")]);
  });

  it("is not renewed at every send because the clocks differ", async () => {
    const { session, server } = await openSession({ greet: () => [sessionCreated({ expires_at: 1_000 })] });
    await collect(session.send("One."));
    await collect(session.send("Two."));
    expect(server.sockets).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ["the connection is lost", { closeAfter: 0 }],
    ["the connection is lost after the response was created", { pieces: [], closeAfter: 1 }],
    ["the session has expired", { before: [expired] }],
  ])("asks again, after a retry event, if %s before the answer begins", async (_, reply) => {
    const { session, server } = await openSession({
      request: nothingSaid,
      answer: (_, asked) => (asked === 1 ? reply : {}),
    });
    await collect(session.send("One."));
    const events = await collect(session.send("Two."));
    expect(events[0]).toMatchObject({ type: "retry", attempt: 1, code: "connection", message: expect.any(String) });
    expect(events.slice(1).map(({ type }) => type)).toEqual(["text", "text", "text", "usage", "finish"]);
    expectConversation(server, [exchangeOf("One."), exchangeOf("Two.")]);
  });

  it("asks again at most twice, and can be used afterwards", async () => {
    const { session, server } = await openSession({
      request: nothingSaid,
      answer: (text) => (text === "Two." ? { closeAfter: 0 } : {}),
    });
    await collect(session.send("One."));
    const events: ModelEvent[] = [];
    const failure = await failureOf(collect(session.send("Two."), events));
    expect(failure).toMatchObject({ code: "connection", retryable: true });
    expect(events.map(({ type }) => type)).toEqual(["retry", "retry"]);
    await collect(session.send("Three."));
    expectConversation(server, [exchangeOf("One."), exchangeOf("Three.")]);
  });

  it("does not ask again if the answer had begun, and leaves the exchange out", async () => {
    const { session, server } = await openSession({
      request: nothingSaid,
      answer: (text) => (text === "Two." ? { closeAfter: 2 } : {}),
    });
    await collect(session.send("One."));
    const failure = await failureOf(collect(session.send("Two.")));
    expect(failure).toMatchObject({ code: "cut_stream", partial: "You said Two.", retryable: true });
    await collect(session.send("Three."));
    expectConversation(server, [exchangeOf("One."), exchangeOf("Three.")]);
  });

  it("replaces a connection that does not answer a probe", async () => {
    const { session, server } = await openSession({
      request: nothingSaid,
      options: { probeAfter: 1, probeTimeout: 1_500 },
    });
    await collect(session.send("One."));
    server.current.socket.pause();
    await delay(5);
    await collect(session.send("Two."));
    await delay(5);
    await collect(session.send("Three."));
    expect(server.sockets).toHaveLength(2);
    expectConversation(server, [exchangeOf("One."), exchangeOf("Two."), exchangeOf("Three.")]);
  });

  it("throws the error of reconnecting if the server refuses it", async () => {
    const { session, server } = await openSession({
      refuse: (connections) => (connections === 1 ? { status: 401 } : undefined),
    });
    await server.drop();
    await expect(collect(session.send("One."))).rejects.toMatchObject({ code: "authentication", status: 401 });
    expect((await collect(session.send("Two."))).at(-1)).toMatchObject({ reason: "stop" });
  });
});

describe("one send at a time", () => {
  it("refuses a second send while one runs, and neither suffers", async () => {
    const { session, server } = await openSession({ request: nothingSaid });
    const first = session.send("One.")[Symbol.asyncIterator]();
    await first.next();
    await expect(collect(session.send("Two."))).rejects.toMatchObject({ code: "unsupported" });
    for (let next = await first.next(); !next.done; next = await first.next());
    await collect(session.send("Three."));
    expectConversation(server, [exchangeOf("One."), exchangeOf("Three.")]);
  });

  it("ends a send as aborted when the session is closed", async () => {
    const { session, server } = await openSession({ answer: () => ({ hold: true }) });
    const events: ModelEvent[] = [];
    const sending = collect(session.send("One."), events);
    await expect.poll(() => events.length, patience).toBe(3);
    await session.close();
    await sending;
    expect(events.slice(3)).toEqual([
      { type: "usage", usage: expect.objectContaining({ estimated: true }) },
      { type: "finish", reason: "aborted" },
    ]);
    await server.current.closed;
  });

  it("ends a send as aborted when the session is closed while it waits to ask again", async () => {
    const { session } = await openSession({
      answer: () => ({ closeAfter: 0 }),
      options: { retryDelay: 60_000 },
    });
    const events: ModelEvent[] = [];
    const sending = collect(session.send("One."), events);
    await expect.poll(() => events.length, patience).toBe(1);
    await session.close();
    await sending;
    expect(events.at(-1)).toEqual({ type: "finish", reason: "aborted" });
  });

  it("throws after it was closed", async () => {
    const { session } = await openSession();
    await session.close();
    await session.close();
    const failure = await failureOf(collect(session.send("One.")));
    expect(failure).toMatchObject({ code: "connection", retryable: false, message: expect.stringContaining("closed") });
  });

  it("closes in time even if the server does not answer the close", async () => {
    const { session, server } = await openSession();
    const { socket } = server.current;
    socket.pause();
    await session.close();
    socket.resume();
    await server.current.closed;
  });
});

describe("a session under random failures", () => {
  const seeds = Array.from({ length: 25 }, (_, index) => index + 1);

  it.each(seeds)("holds each answered exchange once and in order (sequence %i)", async (seed) => {
    const random = randomOf(seed);
    const planned = new Map<string, Reply>();
    const { session, server } = await openSession({
      request: nothingSaid,
      answer(text) {
        const reply = planned.get(text);
        planned.delete(text);
        return reply ?? {};
      },
    });
    const expected: Exchange[] = [];
    for (let index = 0; index < 12; index++) {
      const text = `${seed}.${index}`;
      const deed = deeds[Math.floor(random() * deeds.length)] ?? "say";
      planned.set(text, plans[deed] ?? {});
      const isAnswered = await perform(deed, session, server, text);
      if (!isAnswered) continue;
      expected.push(exchangeOf(text));
      expectConversation(server, expected);
    }
    await collect(session.send("At last."));
    expectConversation(server, [...expected, exchangeOf("At last.")]);
    for (const { conversation } of server.sockets) {
      expect(new Set(conversation.map(([role, text]) => role + text)).size).toBe(conversation.length);
    }
    await session.close();
    for (const { closed } of server.sockets) await closed;
  });
});

const plans: Readonly<Record<string, Reply>> = {
  abortSoon: { hold: true },
  abort: { hold: true },
  leave: { hold: true },
  dropBefore: { closeAfter: 0 },
  dropWithin: { closeAfter: 2 },
  expireBefore: { before: [expired] },
  fail: { done: failed("server_error", "Oh no.") },
};

const deeds = ["say", "say", "dropBetween", "closeUnseen", ...Object.keys(plans)];

/** Whether the message was answered to its end. */
async function perform(deed: string, session: Session, server: RealtimeServer, text: string): Promise<boolean> {
  switch (deed) {
    case "abort": {
      const controller = new AbortController();
      for await (const event of session.send(text, controller)) if (event.type === "text") controller.abort();
      return false;
    }
    case "abortSoon": {
      const controller = new AbortController();
      setImmediate(() => controller.abort());
      const events = await collect(session.send(text, controller));
      expect(events.at(-1)).toEqual({ type: "finish", reason: "aborted" });
      return false;
    }
    case "leave":
      for await (const event of session.send(text)) if (event.type === "text") break;
      return false;
    case "dropWithin":
    case "fail":
      await expect(collect(session.send(text))).rejects.toMatchObject({ name: "ProviderError" });
      return false;
    case "dropBetween":
      await server.drop();
      break;
    case "closeUnseen":
      server.current.socket.terminate();
      break;
  }
  expect((await collect(session.send(text))).at(-1)).toMatchObject({ reason: "stop" });
  return true;
}

/** The same numbers from 0 to 1 for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
