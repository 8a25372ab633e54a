import type { RunEvent } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { BackgroundAgents } from "./background-agents.ts";

const key = { conversation: "c" };
const begun = { call: "1", agent: "explore", conversation: "child", background: true } as const;
const content = { agent: "explore", conversation: "child", status: "running" };
const started = { type: "tool_ended", name: "agent", outcome: "success", result: { content } } as unknown as RunEvent;
const record = (data: object) => ({ type: "record", kind: "child", data, timestamp: 1 }) as never;
const used = { steps: 1, tokens: 1, toolCalls: 0 };

async function watched() {
  const store = memoryStore();
  await store.append(key, [record(begun)]);
  const told: string[] = [];
  const agents = new BackgroundAgents({
    store: async () => store,
    onEnd: (text) => void told.push(text),
    onChange() {},
    pause: 1,
  });
  agents.event(started, "c");
  return { store, agents, told };
}

it.each([
  ["its message waits", { inbox: true }],
  ["a run has read its message", { inbox: false }],
])("says once that an agent in the background is done, when %s", async (_, { inbox }) => {
  const { store, agents, told } = await watched();
  expect(agents.count).toBe(1);
  const notice = { kind: "notice", content: "It has ended.", child: { ...begun, used } } as const;
  if (inbox) await store.post(key, notice, { id: "m" });
  else await store.append(key, [record({ ...begun, used })]);
  await expect.poll(() => agents.count).toBe(0);
  expect(told).toEqual(["The agent explore in the background is done. The model learns of it with your next prompt."]);
});

it.each([
  ["whose conversation was left", (agents: BackgroundAgents) => agents.clear()],
  [
    "whose answer the model has waited for",
    (agents: BackgroundAgents) => {
      const result = { content: { ...content, status: "completed" } };
      agents.event({ ...started, name: "agent_result", result } as unknown as RunEvent, "c");
    },
  ],
])("says nothing of an agent %s", async (_, happens) => {
  const { store, agents, told } = await watched();
  happens(agents);
  await store.append(key, [record({ ...begun, used })]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([agents.count, told]).toEqual([0, []]);
});
