import type { RunEvent } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { createAgent, type RunOptions } from "../src/index.ts";
import { block, conversation } from "./support/fixtures.ts";

const cause = new Error("stdin is closed");

const pay = defineTool({
  name: "pay",
  description: "Pay.",
  input: { type: "object" },
  approval: "ask",
  execute: () => "paid",
});
const book = defineTool({
  name: "book",
  description: "Book.",
  input: { type: "object" },
  asks: true,
  approval: undefined,
  execute: async (_, { ask }) => `booked for ${await ask({ message: "Name?" })}`,
});

describe("where the host's own function throws instead of asking a person", () => {
  const approve: RunOptions["approve"] = ({ call }) => {
    if (call.name === "pay") throw cause;
    return true;
  };
  const answer: RunOptions["answer"] = () => Promise.reject(cause);

  it.each([
    ["approve", "pay", "approval_settled"],
    ["answer", "book", "question_failed"],
  ] as const)(
    "the cause is on the timeline and in the result, and the model does not read it: %s",
    async (_, name, type) => {
      const provider = scripted([block([name, {}]), "I could not."]);
      const store = memoryStore();
      const heard: RunEvent[] = [];
      const agent = createAgent({ provider, store, tools: [pay, book] });
      const result = await agent.ask("go", { conversation, approve, answer, on: (event) => heard.push(event) });
      expect(result.questionErrors).toEqual([
        { question: expect.any(String), id: expect.any(String), name, error: cause },
      ]);
      expect(result).toMatchObject({ status: "completed", toolErrors: 1 });
      const told = heard.filter((event) => event.type === type);
      expect(JSON.stringify(told)).toContain(cause.message);
      const read = JSON.stringify(provider.requests) + JSON.stringify(await store.load({ conversation }));
      expect(read).not.toContain(cause.message);
    },
  );

  it("is not there where a person has answered", async () => {
    const provider = scripted([block(["pay", {}]), "Done."]);
    const result = await createAgent({ provider, tools: [pay] }).ask("go", { approve: () => true });
    expect(result).not.toHaveProperty("questionErrors");
  });
});
