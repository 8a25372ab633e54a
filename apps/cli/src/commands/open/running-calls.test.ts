import { createAgent, defineTool } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { runningCalls } from "./running-calls.ts";

/** What a call prints, and the line that is shown then. */
const printed: [text: string, line: string][] = [
  ["one\ntw", "tw"],
  ["o\r50 %", "50 %"],
  ["\r\u001b[2K\u001b[32m100 %\u001b[0m\n\n", "100 %"],
  [`${"x".repeat(600)}\n`, "x".repeat(500)],
];

it("a call is there while it runs, with the last line that it printed, in its own conversation", async () => {
  const build = defineTool({
    name: "build",
    description: "",
    input: { type: "object" },
    async execute(_, { progress }) {
      await expect.poll(() => running(key)).toEqual([{ id: expect.any(String), line: "" }]);
      for (const [text, line] of printed) {
        progress({ stream: "stdout", text });
        await expect.poll(() => running(key)[0]?.line, { timeout: 60_000 }).toBe(line);
      }
      return [running({ conversation: "other" }), running({ ...key, user: "ada" })];
    },
  });
  const key = { conversation: "c" };
  const provider = scripted(['<execute>[{"name":"build","args":{}}]</execute>', "Done.<end>"]);
  const store = memoryStore();
  const agent = createAgent({ provider, tools: [build], store });
  const running = runningCalls(agent);
  await agent.ask("go", key);
  expect(JSON.stringify(await store.load(key))).toContain('\\"content\\":[[],[]]');
  expect(running(key)).toEqual([]);
});
