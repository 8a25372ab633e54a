import { scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { compaction } from "../../src/history.ts";
import { createAgent } from "../../src/index.ts";

const provider = scripted([]);

describe("the option history", () => {
  it.each([["last 10"], [[{ role: "user", content: "Hi" }]], [compaction], [{}], [[undefined]]])(
    "is refused if it holds none: %o",
    (history) => {
      expect(() => createAgent({ provider, history: history as never })).toThrow(
        "`compaction()`, `slidingWindow()` or `transform()` of @cogency/agent/history",
      );
    },
  );

  it("may be several", () => {
    expect(() =>
      createAgent({ provider, history: [compaction({ window: 8000 }), { firstShown: () => 0 }] }),
    ).not.toThrow();
  });

  it("belongs to the agent", () => {
    expect(() => createAgent({ provider }).run("Hi", { history: [] } as never)).toThrow(
      "Write `createAgent({ history: … })`.",
    );
  });
});
