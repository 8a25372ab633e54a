import { recordedConversations } from "@tooling/conversations";
import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Change } from "./change.ts";
import { ChangeReader } from "./change-reader.ts";
import type { TurnItem } from "./turn-item.ts";

/**
 * What a client keeps that follows the changes: deltas put together, and the rest as it comes. A unit of which nothing was stored, and a call
 * whose block was refused, are gone. Throws for what no client could follow.
 */
function kept(items: readonly TurnItem[]): unknown[] {
  const changes = new ChangeReader();
  const open = new Map<string, { text: string; isReady: boolean }>();
  const things: unknown[] = [];
  const openOf = (id: string) => {
    const found = open.get(id);
    if (!found) throw new Error(`${id} is not open`);
    return found;
  };
  const begin = (id: string) => {
    if (open.has(id)) throw new Error(`${id} is begun twice`);
    open.set(id, { text: "", isReady: false });
  };
  const read = (change: Change): void => {
    switch (change.type) {
      case "unit":
      case "call":
        begin(change.id);
        return;
      case "unit_delta":
      case "call_delta":
        if (openOf(change.id).isReady) throw new Error(`${change.id} goes on after it was ready`);
        if (change.text === "") throw new Error("an empty delta");
        openOf(change.id).text += change.text;
        return;
      case "unit_end": {
        const { text } = openOf(change.id);
        open.delete(change.id);
        if (change.text === undefined) return;
        expect(text).toBe(change.text);
        things.push({ ...change, id: change.id.replace(/~\d+$/, "") });
        return;
      }
      case "call_ready": {
        const call = openOf(change.id);
        if (call.text !== "" && !change.isRestated) expect(JSON.parse(call.text)).toEqual(change.args);
        call.isReady = true;
        const { isRestated: _, ...ready } = change;
        things.push(ready);
        return;
      }
      case "call_progress":
        openOf(change.id);
        return;
      case "call_end":
        openOf(change.id);
        open.delete(change.id);
        if (change.outcome !== "refused") things.push(change);
        return;
      default:
        things.push(change);
    }
  };
  for (const item of items) for (const change of changes.read(item)) read(change);
  return things;
}

/** The items with pieces dropped, doubled and cut, as `fates` says for one after another. */
function tattered(items: readonly TurnItem[], fates: readonly number[]): TurnItem[] {
  let next = 0;
  return items.flatMap((item): TurnItem[] => {
    if (item.type !== "pieces") return [item];
    const fate = fates[next++ % fates.length] ?? 0;
    if (fate === 0) return [];
    if (fate === 1) return [item, item];
    if (fate === 2) return item.pieces.map((piece) => ({ type: "pieces", pieces: [piece] }));
    return [item];
  });
}

describe.each(recordedConversations.map((one) => [one.name, one] as const))("the changes of %s", (_, { items }) => {
  const log = items.filter(({ type }) => type === "event");

  it("are the same from its log and as it was followed", () => {
    expect(kept(items)).toEqual(kept(log));
  });

  it("are the same where pieces are lost and come twice", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { minLength: 1, maxLength: 40 }), (fates) => {
        expect(kept(tattered(items, fates))).toEqual(kept(log));
      }),
      randomRuns(200),
    );
  });
});
