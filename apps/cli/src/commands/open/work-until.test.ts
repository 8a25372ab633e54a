import { createAgent, defineTool } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { workUntil } from "./work-until.ts";

it("a conversation whose run takes long does not keep another one waiting, and none runs while another process holds it", async () => {
  const store = memoryStore();
  const { promise: first, resolve: begun } = Promise.withResolvers<void>();
  const { promise: going, resolve: go } = Promise.withResolvers<void>();
  const wait = defineTool({
    name: "wait",
    description: "Waits.",
    input: { type: "object" },
    execute: () => {
      begun();
      return going;
    },
  });
  const script = ['<execute>[{"name":"wait","args":{}}]</execute>', "Second.<end>", "Third.<end>", "First.<end>"];
  const agent = createAgent({ provider: scripted(script), tools: [wait], store, scope: "/here" });
  const ending = new AbortController();
  const working = workUntil(ending.signal, agent, store);
  const answers = async (conversation: string) =>
    (await store.load({ conversation })).flatMap((event) => (event.type === "respond" ? [event.content] : []));
  const prompt = { kind: "prompt", content: "hi" } as const;
  await agent.send({ conversation: "slow" }, prompt);
  await first;
  await agent.send({ conversation: "quick" }, prompt);
  await expect.poll(() => answers("quick")).toEqual(["Second."]);

  const lease = await store.lease({ conversation: "held" }, { owner: "another process", ttl: 60_000 });
  await agent.send({ conversation: "held" }, prompt);
  await agent.sweep();
  expect(await answers("held")).toEqual([]);
  await lease.release();
  await expect.poll(() => answers("held")).toEqual(["Third."]);

  go();
  await expect.poll(() => answers("slow")).toEqual(["First."]);
  ending.abort();
  await working;
});
