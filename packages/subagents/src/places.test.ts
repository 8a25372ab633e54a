import type { ModelRequest } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { agentOf, block, conversation, give, tool } from "../test/support/play.ts";
import { Places } from "./places.ts";

/** Work that ends when it is told. */
function works(places: Places, count: number, signal = new AbortController().signal) {
  const ends: (() => void)[] = [];
  const done: number[] = [];
  const all = Array.from({ length: count }, (_, index) =>
    places.within("a", signal, () => new Promise<void>((end) => ends.push(end))).then(() => void done.push(index)),
  );
  return { ends, done, all: Promise.all(all) };
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("places", () => {
  it("lets so many work at once, and the others one after another, in order", async () => {
    const places = new Places(2);
    const { ends, done, all } = works(places, 5);
    for (let ended = 0; ended < 5; ended++) {
      await soon();
      expect(ends).toHaveLength(Math.min(5, ended + 2));
      ends[ended]?.();
    }
    await all;
    expect(done).toEqual([0, 1, 2, 3, 4]);
  });

  it("of another group are others", async () => {
    const places = new Places(1);
    const first = works(places, 1);
    expect(await places.within("b", new AbortController().signal, async () => "ran")).toBe("ran");
    first.ends[0]?.();
    await first.all;
  });

  it("let all begin whose signal aborts, and are as many as before afterwards", async () => {
    const places = new Places(1);
    const stop = new AbortController();
    const { ends, all } = works(places, 4, stop.signal);
    await soon();
    expect(ends).toHaveLength(1);
    stop.abort();
    await soon();
    expect(ends).toHaveLength(4);
    for (const end of ends) end();
    await all;
    const again = works(places, 3);
    await soon();
    expect(again.ends).toHaveLength(1);
  });

  it("are given back by work that fails", async () => {
    const places = new Places(1);
    const { signal } = new AbortController();
    await expect(places.within("a", signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await places.within("a", signal, async () => "yes")).toBe("yes");
  });
});

describe("agents that a block starts", () => {
  it("work so many at a time, and all of them answer", async () => {
    let [now, most] = [0, 0];
    const busy = tool("busy", {
      async execute() {
        most = Math.max(most, ++now);
        await soon();
        now--;
        return "ok";
      },
    } as never);
    const all = block(...Array.from({ length: 6 }, () => give("a")));
    const { agent, provider } = agentOf(
      Array.from({ length: 14 }, () => (request: ModelRequest) => answerTo(request, all)),
      [{ name: "a", description: "Is a.", instructions: "You are a." }],
      { tools: [busy], subagents: { maxAtOnce: 2 } },
    );
    const { status } = await agent.ask("Go.", { conversation });
    expect(status).toBe("completed");
    expect(most).toBeLessThanOrEqual(2);
    expect(provider.requests).toHaveLength(14);
  });
});

/** The first agent gives work to six others, and each of these uses a tool. */
function answerTo({ messages, system = "" }: ModelRequest, all: string): string {
  if (JSON.stringify(messages).includes("<results>")) return "Done.<end>";
  return system.includes("You are a.") ? block(["busy"]) : all;
}
