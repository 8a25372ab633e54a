import type { RunEvent } from "@cogency/protocol";
import { ProviderError, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { type Agent, createAgent } from "../src/index.ts";
import { conversation } from "./support/fixtures.ts";

const trace = (digit: number) => `00-${String(digit).repeat(32)}-00000000000000a1-01`;
const kept = async (store: Store, of: string = conversation) =>
  (await store.load({ conversation: of })).flatMap((event) =>
    event.type === "record" && event.kind === "trace" ? [event.data.traceparent] : [],
  );

/** What `run_started` of the next runs says of the trace. */
function begun(agent: Agent): (string | undefined)[] {
  const traces: (string | undefined)[] = [];
  agent.on("run_started", ({ traceparent }) => traces.push(traceparent));
  return traces;
}

describe("an agent whose traces are kept", () => {
  it("stores the trace of each turn with its first words, and tells it to a run that goes on with the turn", async () => {
    const store = memoryStore();
    const provider = scripted([{ error: new Error("down") }, "One.", "Two.", "Three."]);
    const agent = createAgent({ provider, store });
    const traces = begun(agent);
    const asked: object[] = [];
    let turn = 0;
    agent.keepTrace((run) => {
      asked.push(run);
      return trace(++turn);
    });
    await agent.ask("one", { conversation });
    const log = await store.load({ conversation });
    expect(log.map((event) => (event.type === "record" ? event.kind : event.type)).slice(0, 3)).toEqual([
      "origin",
      "user",
      "trace",
    ]);
    // The first run failed, so the second one goes on with its turn.
    expect((await agent.recover({ conversation }).result).text).toBe("One.");
    expect(traces).toEqual([undefined, trace(1)]);
    // Turns that messages begin, both in one run.
    await agent.send({ conversation }, { kind: "prompt", content: "two" });
    await agent.send({ conversation }, { kind: "prompt", content: "three" });
    expect((await agent.recover({ conversation }).result).text).toBe("Three.");
    expect(traces).toEqual([undefined, trace(1), undefined]);
    expect(await kept(store)).toEqual([trace(1), trace(2), trace(3)]);
    expect(asked[0]).toEqual({ id: expect.any(String), conversation });
  });

  it("tells no trace of a turn that has ended, was cancelled, or is closed by a prompt", async () => {
    const store = memoryStore();
    const stop = new AbortController();
    const hanging = { chunks: "Well", hang: true } as const;
    const provider = scripted([hanging, "On.", { error: new Error("down") }, "New."]);
    const agent = createAgent({ provider, store });
    agent.keepTrace(() => trace(1));
    const traces = begun(agent);
    const off = agent.on("request_started", () => queueMicrotask(() => stop.abort()));
    await agent.ask("a", { conversation, signal: stop.signal });
    off();
    await agent.recover({ conversation }).result;
    await agent.recover({ conversation }).result;
    await agent.ask("b", { conversation });
    await agent.ask("c", { conversation });
    expect(traces).toEqual(Array(5).fill(undefined));
  });

  it("keeps nothing that is no traceparent, and does not depend on who traces it", async () => {
    const store = memoryStore();
    const agent = createAgent({ provider: scripted(["One.", "Two.", "Three."]), store });
    const ends = [
      agent.keepTrace(() => {
        throw new Error("no tracer");
      }),
      agent.keepTrace(() => "<script>"),
      agent.keepTrace(() => undefined),
    ];
    expect((await agent.ask("one", { conversation })).status).toBe("completed");
    expect(await kept(store)).toEqual([]);
    // Of several, the first that knows a trace.
    ends.push(agent.keepTrace(() => trace(1)));
    await agent.ask("two", { conversation });
    for (const end of ends) end();
    await agent.ask("three", { conversation });
    expect(await kept(store)).toEqual([trace(1)]);
  });

  it("has none in a fork, whose turns are its own", async () => {
    const store = memoryStore();
    const agent = createAgent({ provider: scripted(["One."]), store });
    agent.keepTrace(() => trace(1));
    await agent.ask("one", { conversation });
    expect(await kept(store)).toEqual([trace(1)]);
    expect(await kept(store, await agent.fork(conversation))).toEqual([]);
  });
});

describe("the requests on the timeline", () => {
  it("say whom they ask, how, and why they fail", async () => {
    const provider = scripted([
      "One.",
      { error: new ProviderError("authentication", "Refused.") },
      { error: new Error("Odd.") },
    ]);
    const agent = createAgent({
      provider,
      request: { maxOutputTokens: 9, temperature: 0, thinking: "low", stop: ["!"] },
    });
    const told: Partial<RunEvent>[] = [];
    agent.on("request_started", ({ run: _, timestamp: __, tokens: ___, ...started }) => told.push(started));
    agent.on("request_ended", ({ finish, error }) => told.push({ finish, error } as Partial<RunEvent>));
    await agent.run("a").result;
    await agent.run("b", { stream: null }).result;
    await agent.run("c").result;
    const asked = {
      provider: "scripted",
      model: "scripted-1",
      maxOutputTokens: 9,
      temperature: 0,
      thinking: "low",
      stop: ["!"],
    };
    expect(told).toEqual([
      { type: "request_started", ...asked, stream: true },
      { finish: "stop", error: undefined },
      { type: "request_started", ...asked, stream: false },
      { finish: "error", error: { code: "authentication", message: "Refused." } },
      { type: "request_started", ...asked, stream: true },
      { finish: "error", error: { code: "unknown", message: "Odd." } },
    ]);
  });
});
