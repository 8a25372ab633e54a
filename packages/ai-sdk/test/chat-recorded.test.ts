import type { TurnItem } from "@cogency/server/bridge";
import { recordedConversations } from "@tooling/conversations";
import { safeValidateUIMessages } from "ai";
import { describe, expect, it } from "vitest";
import { faultsOf } from "./support/check-chunks.ts";
import { goldenText } from "./support/golden-text.ts";
import { judged } from "./support/judge.ts";
import { endingOf, play } from "./support/play.ts";

describe("a recorded conversation", () => {
  it.each(recordedConversations)("$name is the same live and from the log, for the AI SDK, too", async (recorded) => {
    const items: readonly TurnItem[] = recorded.items;
    const events = items.filter(({ type }) => type === "event");
    const ending = endingOf(events);
    const [live, history] = [play(items, ending), play(events, ending)];
    await expect(goldenText(recorded.about, live, history)).toMatchFileSnapshot(`golden/${recorded.name}.txt`);
    expect(live.messages).toEqual(history.messages);
    for (const { streams, messages } of [live, history]) {
      for (const [id, chunks] of streams) {
        expect(faultsOf(chunks), id).toEqual([]);
        const shown = messages.find((message) => message.id === id);
        // After an error the reader ends: all that it needs stands before.
        const read = await judged(chunks.filter(({ type }) => type !== "error"));
        expect(shown ? read : { parts: [] }, id).toMatchObject(shown ?? { parts: [] });
        if (shown) expect(read).toEqual(shown);
      }
      expect(await safeValidateUIMessages({ messages: [...messages] })).toMatchObject({ success: true });
    }
  });
});
