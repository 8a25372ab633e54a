import type { TurnItem } from "@cogency/server/bridge";
import { logOf, recordedConversations } from "@tooling/conversations";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRun } from "./support/check-run.ts";
import { clientAfter, faultsOfJudges } from "./support/judge.ts";
import { endingOf, historyOf, runOf, shownItems } from "./support/recorded.ts";

/** The items with some of the pieces lost, and some that come twice. */
function shaken(items: readonly TurnItem[], fates: readonly number[]): TurnItem[] {
  return items.flatMap((item, index): readonly TurnItem[] => {
    if (item.type !== "pieces") return [item];
    const fate = fates[index % fates.length] ?? 0;
    return fate === 0 ? [] : fate === 1 ? [item, item] : [item];
  });
}

describe("a run of which pieces are lost or come twice", () => {
  it("passes all judges, and leaves a client with the messages of the log", async () => {
    const fates = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...recordedConversations), fates, async (conversation, given) => {
        const ending = endingOf(logOf(conversation));
        const items = shownItems(conversation.items);
        const events = runOf(shaken(items, given), ending);
        expect([...(await faultsOfJudges(events)), ...checkRun(events)]).toEqual([]);
        const history = historyOf(items, ending);
        expect(await clientAfter(events)).toEqual(await clientAfter(history));
      }),
      { numRuns: 60 },
    );
  });

  it("may be taken up at each stored event, with what a client has until there", async () => {
    for (const conversation of recordedConversations) {
      const ending = endingOf(logOf(conversation));
      const items = shownItems(conversation.items);
      const whole = await clientAfter(historyOf(items, ending));
      for (const [index, item] of items.entries()) {
        if (item.type !== "event" || index % 3 > 0) continue;
        const events = runOf(items.slice(index + 1), ending, items.slice(0, index + 1));
        expect([...(await faultsOfJudges(events)), ...checkRun(events)], conversation.name).toEqual([]);
        expect(await clientAfter(events), conversation.name).toEqual(whole);
      }
    }
  });
});
