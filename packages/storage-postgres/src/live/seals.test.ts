import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { longestText, sealsOf } from "./seals.ts";

const secret = randomBytes(32);
const seal = sealsOf(secret)("conversation a");

describe("sealsOf", () => {
  it("opens what another store with the same secret has sealed for the same channel", () => {
    const other = sealsOf(Buffer.from(secret))("conversation a");
    expect(other.channel).toBe(seal.channel);
    expect(other.open(seal.seal("é 👩‍👧 \ud83d"))).toBe("é 👩‍👧 \ufffd");
    expect(seal.seal("the same")).not.toBe(seal.seal("the same"));
  });

  it("shows nothing of the text, the name or the secret", () => {
    const shown = seal.seal("private words") + seal.channel;
    expect(Buffer.from(shown, "base64").toString("latin1")).not.toContain("private");
    expect(seal.channel).toMatch(/^cogency_[\w-]{22}$/);
    expect(sealsOf(randomBytes(32))("conversation a").channel).not.toBe(seal.channel);
  });

  it.each<[string, (payload: string) => string]>([
    ["was sealed with another secret", () => sealsOf(randomBytes(32))("conversation a").seal("x")],
    ["was sealed for another channel", () => sealsOf(secret)("conversation b").seal("x")],
    ["was cut", (payload) => payload.slice(0, -4)],
    ["was changed", (payload) => (payload.startsWith("A") ? "B" : "A") + payload.slice(1)],
    ["is empty", () => ""],
    ["is too short", () => "AAAA"],
    ["is no base64", () => "\0{}".repeat(100)],
  ])("opens no payload that %s", (_, change) => {
    expect(seal.open(change(seal.seal("some text")))).toBeUndefined();
  });

  it("makes a payload that PostgreSQL accepts of the longest text", () => {
    expect(seal.seal("x".repeat(longestText)).length).toBeLessThanOrEqual(7_900);
  });
});
