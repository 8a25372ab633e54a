import { shownItem, type TurnItem } from "@cogency/server/bridge";
import { recordedConversations } from "@tooling/conversations";
import { safeValidateUIMessages } from "ai";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../src/chat/index.ts";
import { faultsOf } from "./support/check-chunks.ts";
import { goldenText } from "./support/golden-text.ts";
import { judged } from "./support/judge.ts";
import { endingOf, type Played, play } from "./support/play.ts";

const seen = (items: readonly TurnItem[], ...scopes: string[]) =>
  items.flatMap((item) => shownItem(item, new Set(scopes)) ?? []);

/** The messages of a conversation that were read live, and from the log, if both are the same and no judge finds a fault. */
async function judgedPlays(items: readonly TurnItem[]): Promise<{ live: Played; history: Played }> {
  const events = items.filter(({ type }) => type === "event");
  const ending = endingOf(events);
  const [live, history] = [play(items, ending), play(events, ending)];
  expect(live.messages).toEqual(history.messages);
  for (const { streams, messages } of [live, history]) {
    for (const [id, chunks] of streams) {
      expect(faultsOf(chunks), id).toEqual([]);
      // After an error the reader ends: all that it needs stands before.
      const read = await judged<ChatMessage>(chunks.filter(({ type }) => type !== "error"));
      const shown = messages.find((message) => message.id === id);
      // An answer of which nothing is stored is no message.
      if (shown) expect(read).toEqual(shown);
      else expect(read?.parts.filter(({ type }) => type !== "step-start")).toEqual([]);
    }
    expect(await safeValidateUIMessages({ messages: [...messages] })).toMatchObject({ success: true });
  }
  return { live, history };
}

describe("a recorded conversation", () => {
  it.each(recordedConversations)("$name is the same live and from the log, for the AI SDK, too", async (recorded) => {
    const { live, history } = await judgedPlays(seen(recorded.items, "thinking"));
    await expect(goldenText(recorded.about, live, history)).toMatchFileSnapshot(`golden/${recorded.name}.txt`);
  });

  it.each(recordedConversations)("$name is the same for users who see no reasoning", async ({ items }) => {
    const { live } = await judgedPlays(seen(items));
    expect(JSON.stringify(live.messages)).not.toContain('"reasoning",');
  });
});
