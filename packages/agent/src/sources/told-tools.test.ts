import type { LogEvent } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceFrom, differenceNotice, isSame, toldAfter, toldIn } from "./told-tools.ts";

const record = (data: unknown) => ({ type: "record", kind: "source_tools", data, timestamp: 0 }) as unknown as LogEvent;
const names = fc.constantFrom<string>("github__star", "docs__find", "__proto__", "constructor");
const tools = fc.uniqueArray(fc.record({ name: names, hash: fc.constantFrom("1", "2") }), {
  selector: ({ name }) => name,
});

describe("what a log says of the tools that the model knows", () => {
  it("is what the last step had, however they have changed", () => {
    fc.assert(
      fc.property(fc.array(tools), (steps) => {
        const log: LogEvent[] = [];
        let told = toldIn(log);
        for (const step of steps) {
          const now = new Map(step.map(({ name, hash }) => [name, hash]));
          const { added, changed, gone } = differenceFrom(told, now);
          const data = {
            tools: [...added, ...changed].map((name) => ({ name, hash: now.get(name) ?? "" })),
            gone,
            notes: [],
          };
          log.push(record(data));
          told = toldAfter(told, data);
          expect(told).toEqual(toldIn(log));
          expect(told.hashes).toEqual(now);
          expect(isSame(differenceFrom(told, now))).toBe(true);
        }
      }),
    );
  });

  it("is nothing where no record says it, and bears records that hold anything", () => {
    expect(toldIn([{ type: "user", content: "Hello.", timestamp: 0 }])).toBeUndefined();
    const wild = [
      undefined,
      null,
      7,
      "x",
      [],
      {},
      { tools: 7, gone: "x", notes: {} },
      { tools: [null, 7, {}, { name: "a" }], gone: [7] },
    ];
    const told = toldIn([
      record({ tools: [{ name: "a", hash: "1" }], gone: ["b"], notes: ["n"] }),
      ...wild.map(record),
    ]);
    expect([told?.hashes, told?.gone]).toEqual([new Map([["a", "1"]]), new Set(["b"])]);
  });
});

describe("the words about a difference", () => {
  it.each([
    [{ added: ["a", "b"], changed: [], gone: [] }, [], false, "Your tools have changed. New: a, b."],
    [
      { added: [], changed: ["a"], gone: ["b"] },
      ["The server is down."],
      false,
      "Your tools have changed. Changed, so read them again: a. No longer there: b.\nThe server is down.",
    ],
    [
      { added: ["a"], changed: ["b"], gone: [] },
      [],
      true,
      "Your tools have changed. New, to be found with find_tools: a. Changed, so find them again before you call them: b.",
    ],
    [{ added: [], changed: [], gone: [] }, ["One.", "Two."], false, "About your tools:\nOne.\nTwo."],
  ])("name what is new, what has changed and what is gone: %o", (difference, notes, isSearched, text) => {
    expect(differenceNotice(difference, notes, isSearched)).toBe(text);
  });
});
