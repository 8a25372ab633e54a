import { type ModelEvent, scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/index.ts";

const ignored: ModelEvent = {
  type: "ignored",
  setting: "thinking",
  message: 'The model takes no thinking "max": it was asked for "high".',
};

describe("a setting that the server does not take", () => {
  it.each(["token", "event", null] as const)(
    "is on the timeline, and changes nothing of the answer: stream %s",
    async (stream) => {
      const answer: ModelEvent[] = [ignored, { type: "text", text: "Yes.<end>" }, { type: "finish", reason: "stop" }];
      const provider = scripted([{ events: answer }]);
      const agent = createAgent({ provider, request: { thinking: "max" } });
      const told: object[] = [];
      const run = agent.run("go", { stream, events: "all" });
      for await (const event of run) if (event.type === "setting_ignored") told.push(event);
      const { status, text } = await run.result;
      expect({ status, text }).toEqual({ status: "completed", text: "Yes." });
      expect(told).toEqual([expect.objectContaining({ setting: "thinking", message: ignored.message })]);
      expect(provider.requests[0]?.thinking).toBe("max");
    },
  );

  it("is chosen by a hook for one step", async () => {
    const provider = scripted(["<execute>[]</execute>", "Yes.<end>"]);
    const hook = {
      name: "careful",
      beforeStep: ({ state }: { state: { step: number } }) =>
        state.step === 1 ? { request: { thinking: "high" as const } } : undefined,
    };
    const agent = createAgent({ provider, hooks: [hook], request: { thinking: "low" } });
    await agent.ask("go").catch(() => {});
    expect(provider.requests.map(({ thinking }) => thinking).slice(0, 2)).toEqual(["high", "low"]);
  });

  it("must be one that there is", () => {
    const request = { thinking: "much" as "max" };
    expect(() => createAgent({ provider: scripted([]), request })).toThrow(/thinking/);
  });
});
