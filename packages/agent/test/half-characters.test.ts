import { type ScriptedReply, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { reactDriver } from "../src/react.ts";
import { broken, collect, conversation, echo } from "./support/fixtures.ts";
import { call, called, said, stop, thought } from "./support/native.ts";

/** Every text within a value, the keys of objects included, that is not well-formed. */
function illFormed(value: unknown): string[] {
  if (typeof value === "string") return value.isWellFormed() ? [] : [JSON.stringify(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap((member) => member.flatMap(illFormed));
}

const raw = "\ud800";
const args = `{"text":"[${raw}-\\udbff]x","${raw}":["\\udc00"]}`;
const decision = (fields: object) => JSON.stringify({ thought: `so ${raw}`, ...fields });

const ways: Record<string, [Partial<AgentOptions>, ScriptedReply[]]> = {
  "the text protocol": [
    {},
    [
      `<think>so ${raw}</think>I look ${raw} at.<execute>[{"name":"echo","args":${args}}]</execute>`,
      `<execute>[{"name":"echo${raw}","args":{"text":${raw}}}]</execute>`,
      `Done ${raw}, done.<end>`,
    ],
  ],
  "native calls": [
    { driver: nativeDriver({ callDeltas: true }) },
    [
      { events: [thought(`so ${raw} so`), said(`I look ${raw} at.`), ...call("echo", args), called] },
      { events: [...call(`echo${raw}`, `{"text":${raw}}`), called] },
      { events: [...call(`echo${raw}`, "{}"), { type: "finish", reason: "tool_calls", native: [{ text: raw }] }] },
      { events: [...call("echo", args), { type: "finish", reason: "length" }] },
      { events: [said(`Done ${raw}, done.`), stop] },
    ],
  ],
  decisions: [
    { driver: reactDriver() },
    [
      decision({ type: "call_tool", tool: "echo", args: JSON.parse('{"text":"\\ud800"}') }),
      `${raw} no decision`,
      decision({ type: "call_tool", tool: "echo", args }),
      decision({ type: "call_tool", tool: `echo${raw}`, args: {} }),
      decision({ type: "final_answer", answer: `Done ${raw}, done.` }),
    ],
  ],
};

describe.each(Object.entries(ways))("half a character, in %s", (_, [options, steps]) => {
  it.each(["token", "event", null] as const)(
    "is in no event, no log and no message of a request: stream %s",
    async (stream) => {
      const provider = scripted(steps, { capabilities: { tools: true, reasoning: true } });
      const store = memoryStore();
      const agent = createAgent({ provider, store, tools: [echo, broken], budget: { failures: 9 }, ...options });
      const run = agent.run(`Go ${raw} on.`, { conversation, stream });
      const events = await collect(run);
      expect(await run.result).toMatchObject({ status: "completed" });
      provider.assertDone();
      expect(illFormed(await store.load({ conversation }))).toEqual([]);
      expect(provider.requests.flatMap(({ messages, system }) => illFormed([messages, system]))).toEqual([]);
      // The arguments of a call as they are being written are shown as they come.
      expect(illFormed(events.filter(({ type }) => type !== "call_delta"))).toEqual([]);
    },
  );
});
