import { describe, expect, it } from "vitest";
import type { InboxMessage } from "../inbox.ts";
import { messageText } from "./message-text.ts";

const answer = (content: unknown) => ({ kind: "answer", question: "q", content }) as InboxMessage;

describe("messageText", () => {
  it("is the same for two messages that differ in the order of keys and in undefined properties", () => {
    const one = answer({ b: 1, a: [{ d: 2, c: 3 }] });
    const other = { content: { a: [{ c: 3, d: 2 }], b: 1 }, from: undefined, question: "q", kind: "answer" };
    expect(messageText(other as unknown as InboxMessage)).toBe(messageText(one));
    expect(messageText(one)).toBe('{"content":{"a":[{"c":3,"d":2}],"b":1},"kind":"answer","question":"q"}');
  });

  it.each<[string, unknown, unknown]>([
    ["the order of a list", [1, 2], [2, 1]],
    ["a number and its text", 1, "1"],
    ["null and an empty list", null, []],
    ["an empty list and an empty object", [], {}],
  ])("tells %s apart", (_, one, other) => {
    expect(messageText(answer(one))).not.toBe(messageText(answer(other)));
  });

  it("makes strings and keys well-formed, and keeps the key __proto__", () => {
    // Not the key "\ud83d" alone: V8 reads it as a backslash if any object before had that key (nodejs/node#63785).
    const content = JSON.parse('{"__proto__":"\\ud83d","key \\ud83d":1}') as unknown;
    expect(JSON.parse(messageText(answer(content)))).toEqual(
      JSON.parse('{"kind":"answer","question":"q","content":{"__proto__":"\ufffd","key \ufffd":1}}'),
    );
  });

  it("refuses what JSON cannot hold, with the path to it", () => {
    expect(() => messageText(answer([{ at: Number.NaN }]))).toThrow(
      expect.objectContaining({
        code: "invalid_message",
        message: "The message cannot be stored: content[0].at is NaN, which JSON cannot hold.",
      }),
    );
  });
});
