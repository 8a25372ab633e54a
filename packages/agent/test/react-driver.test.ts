import type { LogEvent } from "@cogency/protocol";
import { type ModelEvent, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import type { Driver } from "../src/driver.ts";
import { createAgent, protocolDriver } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { reactDriver } from "../src/react.ts";
import { block, conversation, echo, types } from "./support/fixtures.ts";
import { act, agentOf, answer, texts } from "./support/react.ts";

describe("the log of ReAct", () => {
  it("is that of the text protocol and of native calling for the same work, but for the records of the drivers", async () => {
    const events: ModelEvent[] = [
      { type: "reasoning", text: "look" },
      { type: "tool_call", id: "1", name: "echo", arguments: '{"text":"a"}' },
    ];
    const final: ModelEvent[] = [
      { type: "reasoning", text: "easy" },
      { type: "text", text: "It says a." },
    ];
    const drivers: [Driver, ScriptedStep[]][] = [
      [
        protocolDriver(),
        [`<think>look</think>${block(["echo", { text: "a" }])}`, "<think>easy</think>It says a.<end>"],
      ],
      [nativeDriver(), [{ events }, { events: final }]],
      [reactDriver(), [act("echo", { text: "a" }), answer("It says a.", "easy")]],
    ];
    const logs = [];
    for (const [driver, steps] of drivers) {
      const store = memoryStore();
      await createAgent({ provider: scripted(steps, { chunkSize: 4 }), tools: [echo], store, driver }).ask("go", {
        conversation,
      });
      logs.push((await store.load({ conversation })).map(withoutChance));
    }
    const [protocol, native, react] = logs;
    expect(react).toEqual(protocol);
    expect(react).toEqual(native);
    expect(types(react ?? [])).toContain("result");
  });

  it("may be gone on with by another driver, and the other way round", async () => {
    const { go, store } = agentOf([act("echo", { text: "a" }), answer("One.")]);
    await go().result;
    const text = scripted([block(["echo", { text: "b" }]), "Two.<end>"]);
    expect(await createAgent({ provider: text, tools: [echo], store }).ask("go", { conversation })).toMatchObject({
      text: "Two.",
    });
    const back = scripted([answer("Three.")]);
    await createAgent({ provider: back, tools: [echo], store, driver: reactDriver() }).ask("go", { conversation });
    expect(texts(back.requests[0]?.messages)).toContain("assistant: One.");
    expect(texts(back.requests[0]?.messages)).toContain('assistant: Action: echo\nAction Input: {"text":"b"}');
  });
});

/** An event without times, random ids and what was counted. */
function withoutChance(event: LogEvent) {
  if (event.type === "record") return { type: event.type, kind: event.kind };
  return { type: event.type, content: "content" in event ? event.content : undefined };
}
