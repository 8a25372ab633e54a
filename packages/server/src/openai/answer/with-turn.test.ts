import type { StoredEvent } from "@cogency/storage";
import { recordedConversations } from "@tooling/conversations";
import { describe, expect, it } from "vitest";
import { ChangeReader } from "../../bridge/index.ts";
import { shownEvent } from "../../view/shown-event.ts";
import { withTurn } from "./with-turn.ts";

/** What comes after the first events, once those have been read. */
function changesAfter(before: readonly StoredEvent[], after: readonly StoredEvent[]) {
  const changes = new ChangeReader();
  const read = (event: StoredEvent) => changes.read({ type: "event", event });
  for (const event of before) read(event);
  return after.flatMap(read);
}

describe("the events of a turn", () => {
  it.each(recordedConversations)("are enough to read on in $name, wherever one begins", ({ items }) => {
    const events = items.flatMap((item) => (item.type === "event" ? (shownEvent(item.event, true) ?? []) : []));
    for (const [index, { seq }] of events.entries()) {
      const before = events.slice(0, index + 1);
      const after = events.slice(index + 1);
      expect(changesAfter(withTurn(before, seq), after)).toEqual(changesAfter(before, after));
    }
  });

  it("are few in a long conversation", () => {
    const events = Array.from({ length: 1000 }, (_, turn): StoredEvent[] => [
      { type: "user", content: `${turn}`, timestamp: 0, seq: 2 * turn + 1 },
      { type: "respond", content: `${turn}`, timestamp: 0, seq: 2 * turn + 2 },
    ]).flat();
    expect(withTurn(events, Number.POSITIVE_INFINITY).map(({ seq }) => seq)).toEqual([1999, 2000]);
    expect(withTurn(events, 1000)).toHaveLength(1002);
  });
});
