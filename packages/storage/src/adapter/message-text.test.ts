import { describe, expect, it, onTestFinished } from "vitest";
import type { Message } from "../inbox.ts";
import { messageText } from "./message-text.ts";

const answer = (content: unknown) => ({ kind: "answer", question: "q", content }) as Message;

describe("messageText", () => {
  it("is the same for two messages that differ in the order of keys and in undefined properties", () => {
    const one = answer({ b: 1, a: [{ d: 2, c: 3 }] });
    const other = { content: { a: [{ c: 3, d: 2 }], b: 1 }, from: undefined, question: "q", kind: "answer" };
    expect(messageText(other as unknown as Message)).toBe(messageText(one));
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
    const content = JSON.parse('{"__proto__":"\\ud83d","\\ud83d":1}') as unknown;
    expect(JSON.parse(messageText(answer(content)))).toEqual(
      JSON.parse('{"kind":"answer","question":"q","content":{"__proto__":"\ufffd","\ufffd":1}}'),
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

  it.each([
    ["of one byte", "x", 99_999_955, 99_999_956],
    ["of three bytes", "€", 33_333_318, 33_333_319],
    ["that JSON writes as six", "\u0001", 16_666_659, 16_666_660],
  ])(
    "keeps a message of 100,000,000 bytes as JSON and refuses more, of characters %s",
    {
      timeout: 120_000,
    },
    (_, character, fits, more) => {
      expect(Buffer.byteLength(messageText(answer(character.repeat(fits))))).toBeGreaterThan(99_999_990);
      expect(() => messageText(answer(character.repeat(more)))).toThrow(
        expect.objectContaining({
          code: "invalid_message",
          message: expect.stringContaining("100000000 (maxStoredBytes)"),
        }),
      );
    },
  );

  it("refuses what would not fit before it writes any JSON of it", () => {
    const once = "x".repeat(30_000_000);
    const { stringify } = JSON;
    onTestFinished(() => {
      JSON.stringify = stringify;
    });
    JSON.stringify = () => expect.fail("JSON was written");
    for (const content of [once.repeat(4), [once, once, once, once], Array.from({ length: 40 }, () => once)]) {
      expect(() => messageText(answer(content))).toThrow(expect.objectContaining({ code: "invalid_message" }));
    }
  });
});
