import { describe, expect, it } from "vitest";
import { type DueKey, inTurn } from "./in-turn.ts";

const all = { limit: 100, perUser: Number.POSITIVE_INFINITY };
const nobody = new Map<string, number>();
/** Due in the order of their ids. */
const dueOf = (...users: string[]): DueKey[] => users.map((user, index) => ({ id: index + 1, user, at: index + 1 }));

describe("inTurn", () => {
  it("takes one of each user in turn, the longest due first", () => {
    expect(inTurn(dueOf("a", "a", "a", "b", "c", "b"), nobody, all)).toEqual([1, 4, 5, 2, 6, 3]);
    expect(inTurn(dueOf("a", "a", "b").reverse(), nobody, all)).toEqual([1, 3, 2]);
  });

  it("begins with the users that have the fewest claims", () => {
    expect(
      inTurn(
        dueOf("a", "a", "b", "c"),
        new Map([
          ["a", 1],
          ["b", 2],
        ]),
        all,
      ),
    ).toEqual([4, 1, 2, 3]);
  });

  it("takes no more than `limit`, and gives no user more claims than `perUser`", () => {
    const due = dueOf("a", "a", "a", "b");
    expect(inTurn(due, nobody, { ...all, limit: 2 })).toEqual([1, 4]);
    expect(inTurn(due, nobody, { ...all, perUser: 2 })).toEqual([1, 4, 2]);
    expect(inTurn(due, new Map([["a", 2]]), { ...all, perUser: 2 })).toEqual([4]);
  });

  it("orders those that came due at one time by their ids", () => {
    expect(
      inTurn(
        dueOf("a", "a", "a")
          .map((key) => ({ ...key, at: 0 }))
          .reverse(),
        nobody,
        all,
      ),
    ).toEqual([1, 2, 3]);
  });
});
