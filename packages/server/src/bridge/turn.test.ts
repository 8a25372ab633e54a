import { describe, expect, it } from "vitest";
import { bridged, overs, prompt, replies } from "../../test/support/bridged.ts";

describe("a turn", () => {
  it("has the events of its messages, and then that it has completed", async () => {
    const { turn } = bridged({ steps: ["Hello!<end>", "Again!<end>"] });
    const items = await turn([prompt("1")]);
    expect(replies(items)).toEqual(["Hello!"]);
    expect(items.at(-1)).toEqual({ type: "over", ending: { status: "completed" } });
    expect(overs(items)).toHaveLength(1);
  });
});
