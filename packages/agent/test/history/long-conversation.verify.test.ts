import { describe, expect, it } from "vitest";
import { talkLong } from "./long-conversation.ts";
import { drivers } from "./support.ts";

const window = 4000;

/** `pnpm soak` talks for 2,000 turns. */
const turns = 120;

describe("a long conversation", () => {
  it.each(Object.keys(drivers))("by the driver %s stays in its window, and every request is valid", async (driver) => {
    const { requests, summaries, mostTokens, problems } = await talkLong(driver, turns, window);
    expect(problems).toEqual([]);
    expect(mostTokens).toBeLessThanOrEqual(window);
    expect(requests - summaries).toBe(2 * turns);
    // A summary makes room for several turns.
    expect(summaries).toBeGreaterThan(turns / 20);
    expect(summaries).toBeLessThan(turns / 4);
  });
});
