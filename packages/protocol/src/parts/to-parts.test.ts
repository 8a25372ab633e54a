import { describe, expect, it } from "vitest";
import { parse } from "../parse/parse.ts";
import type { PartEvent, Parts } from "./part.ts";
import { toParts } from "./to-parts.ts";

const user: PartEvent = { type: "user", content: "go", timestamp: 0 };

describe("toParts", () => {
  it("yields the parts after each event, beginning with those that it is given", async () => {
    const lists: Parts[] = [];
    for await (const parts of toParts([user, { type: "end", timestamp: 0 }], [{ type: "text", content: "before" }])) {
      lists.push(parts);
    }
    const parts = [
      { type: "text", content: "before" },
      { type: "user", content: "go" },
    ];
    expect(lists).toStrictEqual([parts, parts]);
    expect(lists[1]).toBe(lists[0]);
  });

  it("takes what a parser gives", async () => {
    let last: Parts = [];
    for await (const parts of toParts(parse('Hi.<execute>[{"name":"a","args":{}}]</execute>'))) last = parts;
    expect(last).toMatchObject([{ type: "text" }, { type: "call", name: "a" }]);
  });

  it("closes its source when the loop is left, and passes its errors on", async () => {
    let isClosed = false;
    async function* source(): AsyncGenerator<PartEvent> {
      try {
        yield user;
        throw new Error("broken");
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of toParts(source())) break;
    expect(isClosed).toBe(true);
    const read = async () => {
      for await (const _ of toParts(source()));
    };
    await expect(read()).rejects.toThrow("broken");
  });
});
