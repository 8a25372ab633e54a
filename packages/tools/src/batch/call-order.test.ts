import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Claim, callOrder } from "./call-order.ts";

const read = (...keys: string[]): Claim => ({ keys, shared: true });
const write = (...keys: string[]): Claim => ({ keys, shared: false });

describe("callOrder", () => {
  it.each<[string, Claim[], number[][]]>([
    ["lets calls without a key run at once", [write(), read(), write()], [[], [], []]],
    ["lets calls with different keys run at once", [write("a"), write("b")], [[], []]],
    ["puts writes of one key in a row", [write("a"), write("a"), write("a")], [[], [0], [1]]],
    ["lets reads share", [read("a"), read("a"), read("a")], [[], [], []]],
    ["makes a read wait for the write before it", [write("a"), read("a")], [[], [0]]],
    ["makes a write wait for every read before it", [read("a"), read("a"), write("a")], [[], [], [0, 1]]],
    ["lets no read overtake a waiting write", [read("a"), write("a"), read("a")], [[], [0], [1]]],
    ["waits for several keys", [write("a"), write("b"), write("b", "a")], [[], [], [1, 0]]],
    ["counts a key given twice once", [write("a", "a"), write("a", "a")], [[], [0]]],
    ["keeps prototypes out", [write("__proto__"), write("constructor"), write("__proto__")], [[], [], [0]]],
  ])("%s", (_, claims, expected) => {
    expect(callOrder(claims)).toEqual(expected);
  });

  it("orders every two calls that may not run together, and never makes a call wait for a later one", () => {
    const claim = fc.record({
      keys: fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 3 }),
      shared: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(claim, { maxLength: 30 }), (claims) => {
        const order = callOrder(claims);
        const before: Set<number>[] = [];
        for (const direct of order) before.push(new Set(direct.flatMap((call) => [call, ...(before[call] ?? [])])));
        for (const [later, claim] of claims.entries()) {
          for (const earlier of before[later] ?? []) expect(earlier).toBeLessThan(later);
          for (const [earlier, other] of claims.slice(0, later).entries()) {
            const conflict = !(claim.shared && other.shared) && claim.keys.some((key) => other.keys.includes(key));
            if (conflict) expect(before[later]?.has(earlier)).toBe(true);
          }
        }
      }),
    );
  });

  it("stays linear in the number of calls", () => {
    const claims = Array.from({ length: 100_000 }, (_, index) => (index % 1000 === 0 ? write("a") : read("a")));
    const waits = callOrder(claims).reduce((sum, earlier) => sum + earlier.length, 0);
    expect(waits).toBeLessThan(2 * claims.length);
  });
});
