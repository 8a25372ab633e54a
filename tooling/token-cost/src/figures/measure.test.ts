import { describe, expect, it } from "vitest";
import { scriptOf, sizes } from "../conversation/script.ts";
import { tokensOf } from "../servers/asked.ts";
import { type WayName, ways } from "../ways.ts";
import { totalOf } from "./cost.ts";
import { measure } from "./measure.ts";

const replays = ["replay", "cached", "marked"] as const satisfies WayName[];

describe("a conversation that is measured", () => {
  it("has texts of the sizes that the script names", () => {
    const { prompts, steps } = scriptOf("chat", 2);
    expect(prompts.map((prompt) => prompt.length)).toEqual([4, 4].map((characters) => characters * sizes.chat.prompt));
    expect(steps.map(({ thought }) => thought.length / 4)).toEqual(Array(4).fill(sizes.chat.thought));
    expect(steps.flatMap(({ call }) => (call ? JSON.stringify(call).length / 4 : []))).toEqual(
      Array(2).fill(sizes.chat.call),
    );
  });

  it.each(replays)(
    "sends all that the model reads, over %s, each request beginning with the one before it",
    async (name) => {
      const requests = (await measure({ way: ways[name], kind: "chat", turns: 3 })).flat();
      expect(requests).toHaveLength(6);
      for (const [index, { sent, input, bytes, asked }] of requests.entries()) {
        expect(sent).toBe(input);
        expect(bytes).toBeGreaterThan(4 * sent);
        const before = requests[index - 1]?.asked.sections ?? [];
        const plain = asked.sections.map(({ kind, text }) => ({ kind, text }));
        expect(plain.slice(0, before.length)).toEqual(before.map(({ kind, text }) => ({ kind, text })));
      }
    },
  );

  it("reads from a cache with marks all that the request before it held", async () => {
    const requests = (await measure({ way: ways.marked, kind: "chat", turns: 3 })).flat();
    for (const [index, { input, cached, written }] of requests.entries()) {
      expect(cached).toBe(requests[index - 1]?.input ?? 0);
      expect(written).toBe(input - cached);
    }
  });

  it("resumes a run by sending its last results alone, while the model reads everything", async () => {
    const [first, ...later] = (await measure({ way: ways.resume, kind: "job", turns: 5 })).flat();
    expect(first?.sent).toBe(first?.input);
    for (const { sent, asked } of later) expect(sent).toBe(tokensOf(asked.sections.slice(-1)));
    const replayed = (await measure({ way: ways.replay, kind: "job", turns: 5 })).flat();
    expect([first, ...later].map((request) => request?.input)).toEqual(replayed.map(({ input }) => input));
  });

  it("sends a session the conversation again when the next run opens one", async () => {
    const turns = await measure({ way: ways.resume, kind: "chat", turns: 3 });
    for (const [opening, results] of turns) {
      expect(opening?.sent).toBe(opening?.input);
      expect(results?.sent).toBe(tokensOf(results?.asked.sections.slice(-1) ?? []));
    }
  });

  it("has the figures of a shorter one as its first turns", async () => {
    const [long, short] = [
      await measure({ way: ways.marked, kind: "job", turns: 6 }),
      await measure({ way: ways.marked, kind: "job", turns: 3 }),
    ];
    const figures = (turns: typeof long) => turns.map((turn) => totalOf(turn.map(({ asked, ...numbers }) => numbers)));
    expect(figures(long).slice(0, 3)).toEqual(figures(short));
  });

  it.each(["json", "xml", "native", "react"] as const)("goes on to its end in the form %s", async (form) => {
    expect((await measure({ way: ways.cached, kind: "chat", turns: 2, form })).flat()).toHaveLength(4);
  });
});
