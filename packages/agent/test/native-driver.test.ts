import { type LogEvent, parseResults } from "@cogency/protocol";
import { type ModelEvent, ProviderError, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent, protocolDriver } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { block, broken, collect, conversation, echo, types } from "./support/fixtures.ts";
import { agentOf, call, called, said, stop, twoSteps } from "./support/native.ts";

describe("the driver of native tool calling", () => {
  it("gives the events that the text protocol gives for the same work, and the same log", async () => {
    const native = agentOf(twoSteps);
    const events = await collect(native.go());
    const texts = [`<think>look</think>Looking.${block(["echo", { text: "a" }])}`, "It says a.<end>"];
    const store = memoryStore();
    const text = createAgent({ provider: scripted(texts), tools: [echo, broken], store, driver: protocolDriver() });
    const others = await collect(text.run("go", { conversation }));
    expect(types(events)).toEqual(types(others).filter((type) => type !== "end"));
    const plain = (log: readonly LogEvent[]) =>
      log
        .filter(({ type }) => type !== "record")
        .map((event) => ({ type: event.type, content: "content" in event ? event.content : undefined }));
    expect(plain(await native.store.load({ conversation }))).toEqual(plain(await store.load({ conversation })));
  });

  it("sends tools and calls in the provider's own fields, and results by their ids", async () => {
    const { provider, go } = agentOf(twoSteps);
    expect(await go().result).toMatchObject({ status: "completed", text: "It says a.", steps: 2 });
    const [first, second] = provider.requests;
    expect(first?.tools?.map(({ name }) => name)).toEqual(["echo", "broken"]);
    expect(first?.toolChoice).toBeUndefined();
    expect(second?.messages).toMatchObject([
      { role: "user", content: "go" },
      { role: "assistant", content: "Looking.", calls: [{ name: "echo", args: { text: "a" } }] },
      { role: "tool", results: [{ name: "echo", content: "a" }] },
    ]);
    const [, asked, answered] = second?.messages ?? [];
    const id = asked?.role === "assistant" ? asked.calls?.[0]?.id : undefined;
    // Minted by the executor, not the provider's own.
    expect(id).toMatch(/^call_\w{20}$/);
    expect(answered).toMatchObject({ results: [{ id }] });
  });

  it("runs the calls of one message side by side, and answers them in call order", async () => {
    const events = [...call("echo", { text: "a" }, "1", 0), ...call("broken", {}, "2", 1), called];
    const { store, go } = agentOf([{ events }, "Done."]);
    expect(await go().result).toMatchObject({ status: "completed", toolErrors: 1 });
    const [result] = await store.load({ conversation }, { types: ["result"] });
    expect(result?.type === "result" && parseResults(result.content)).toMatchObject([
      { tool: "echo", status: "success" },
      { tool: "broken", status: "failure", content: expect.stringContaining("out of paper") },
    ]);
  });

  it("gives arguments as they are written, with the id that the call will have", async () => {
    const { go } = agentOf(twoSteps, { callDeltas: true });
    const events = await collect(go({ stream: "token" }));
    const deltas = events.filter((event) => event.type === "call_delta");
    expect(deltas.map(({ content }) => content).join("")).toBe('{"text":"a"}');
    const made = events.find((event) => event.type === "call");
    expect(deltas.map(({ id }) => id)).toEqual([made?.id, made?.id]);
    expect(deltas[0]?.name).toBe("echo");
  });

  it("gives text at once where it cannot be leaked arguments", async () => {
    const { go } = agentOf([{ events: [said("Hello "), said("you"), stop] }]);
    const events = await collect(go({ stream: "token" }));
    expect(events.flatMap((event) => (event.type === "respond" ? [event.content] : []))).toEqual(["Hello", " you"]);
  });

  it("keeps the text of an answer that breaks off, and runs none of its calls", async () => {
    const error = new ProviderError("cut_stream", "gone");
    const { store, go, recover, provider } = agentOf([
      { events: [said("Half "), ...call("echo", { text: "a" })], error },
      { events: [said("Whole."), stop] },
    ]);
    expect(await go().result).toMatchObject({ status: "failed", text: "Half" });
    expect(types(await store.load({ conversation }))).not.toContain("call");
    expect(await recover({ conversation }).result).toMatchObject({ status: "completed", text: "Whole." });
    provider.assertDone();
  });

  it("runs no call of an answer that a deadline ended, not even when the conversation goes on", async () => {
    const deadline = new AbortController();
    const { store, go, recover, provider } = agentOf(
      [{ events: [said("Half "), ...call("echo", { text: "a" })], hang: true }, { events: [said("Whole."), stop] }],
      { callDeltas: true },
    );
    const run = go({ signal: deadline.signal, stream: "token" });
    for await (const event of run) {
      if (event.type === "call") deadline.abort(new DOMException("Too late.", "TimeoutError"));
    }
    expect(await run.result).toMatchObject({ status: "stopped", text: "Half" });
    expect(types(await store.load({ conversation }))).not.toContain("call");
    expect(await recover({ conversation }).result).toMatchObject({
      status: "completed",
      text: "Whole.",
      toolErrors: 0,
    });
    provider.assertDone();
  });

  it("stores the provider's own blocks before the results, and sends them back", async () => {
    const data = [{ type: "thinking", signature: "abc" }];
    const events: ModelEvent[] = [
      ...call("echo", { text: "a" }),
      { type: "finish", reason: "tool_calls", native: data },
    ];
    const { provider, store, go } = agentOf([{ events }, { events: [said("Done."), stop] }]);
    await go().result;
    expect(provider.requests[1]?.messages[1]).toMatchObject({ native: { provider: "scripted", data } });
    const log = (await store.load({ conversation })).map((e) => (e.type === "record" ? e.kind : e.type));
    expect(log.indexOf("native")).toBeLessThan(log.indexOf("result"));
  });

  it("goes on with a conversation of another driver at any turn", async () => {
    const store = memoryStore();
    await createAgent({ provider: scripted([block(["echo", { text: "x" }]), "One.<end>"]), tools: [echo], store }).ask(
      "first",
      { conversation },
    );
    const { provider } = await (async () => {
      const side = agentOf(twoSteps, {}, store);
      await side.go().result;
      return side;
    })();
    expect(provider.requests[0]?.messages.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool", "assistant"],
      "user",
    ]);
    const xml = scripted(["<execute><echo><text>7</text></echo></execute>", "Back.<end>"]);
    const driver = protocolDriver({ dialect: "xml" });
    const back = createAgent({ provider: xml, tools: [echo], store, driver });
    expect(await back.ask("third", { conversation })).toMatchObject({
      status: "completed",
      text: "Back.",
      toolErrors: 0,
    });
    expect(JSON.stringify(xml.requests[0]?.messages)).toContain("<echo>");
  });

  it("does without the sessions of a provider, which take text alone", async () => {
    const provider = scripted([{ events: [said("Hi."), stop] }], { capabilities: { tools: true, session: true } });
    const connecting = { ...provider, connect: () => Promise.reject(new Error("not this way")) };
    const driver = nativeDriver();
    expect(await createAgent({ provider: connecting, driver }).ask("go")).toMatchObject({ text: "Hi." });
    expect(() => createAgent({ provider: connecting, driver, mode: "resume" })).toThrow(/driver native cannot/);
  });
});
