import { describe, expect, it, onTestFinished } from "vitest";
import type { InboxMessage } from "../inbox.ts";
import { messageText } from "./message-text.ts";

const answer = (content: unknown) => ({ kind: "answer", question: "q", content }) as InboxMessage;

describe("messageText", () => {
  it.each([
    ["of one byte", "x", 99_999_955, 99_999_956],
    ["of three bytes", "€", 33_333_318, 33_333_319],
    ["that JSON writes as six", "\u0001", 16_666_659, 16_666_660],
  ])("keeps a message of 100,000,000 bytes as JSON and refuses more, of characters %s", (_, character, fits, more) => {
    expect(Buffer.byteLength(messageText(answer(character.repeat(fits))))).toBeGreaterThan(99_999_990);
    expect(() => messageText(answer(character.repeat(more)))).toThrow(
      expect.objectContaining({
        code: "invalid_message",
        message: expect.stringContaining("100000000 (maxStoredBytes)"),
      }),
    );
  });

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
