import type { RunEvent } from "@cogency/protocol";
import { type Provider, scripted } from "@cogency/provider";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { block } from "../../test/support/fixtures.ts";
import { createAgent, type RunOptions } from "../index.ts";

const drop = defineTool({
  name: "drop",
  description: "Drops.",
  input: { type: "object" },
  approval: "ask",
  execute: () => "dropped",
});

describe("a listener", () => {
  it("of one run hears nothing of the 999 others of the same agent, nor is asked about them", async () => {
    const runs = Array.from({ length: 1000 }, (_, index) => ({
      user: `user ${index % 100}`,
      conversation: `${Math.floor(index / 100)}`,
    }));
    const provider: Provider = {
      ...scripted([]),
      async *stream({ messages }) {
        yield { type: "text", text: messages.length === 1 ? block(["drop", {}]) : "Done." };
        yield { type: "finish", reason: "stop" };
      },
    };
    const agent = createAgent({ provider, tools: [drop] });
    let all = 0;
    agent.on("*", () => all++);
    const heard = await Promise.all(
      runs.map(async (place) => {
        const events: RunEvent[] = [];
        const asked: object[] = [];
        const approve: RunOptions["approve"] = async ({ conversation, user, run }) => {
          asked.push({ conversation, user, id: run });
          return true;
        };
        const { status, usage } = await agent.ask("go", { ...place, approve, on: (event) => events.push(event) });
        return { place, events, asked, status, usage };
      }),
    );
    for (const { place, events, asked, status, usage } of heard) {
      const { id } = events[0]?.run ?? {};
      expect(new Set(events.map(({ run }) => `${run.id} ${run.user} ${run.conversation}`))).toEqual(
        new Set([`${id} ${place.user} ${place.conversation}`]),
      );
      expect(asked).toEqual([{ ...place, id }]);
      expect(status).toBe("completed");
      expect(events.at(-1)).toMatchObject({ type: "run_ended", usage });
    }
    expect(all).toBe(heard.reduce((sum, { events }) => sum + events.length, 0));
  });
});
