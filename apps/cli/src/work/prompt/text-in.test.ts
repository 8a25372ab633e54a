import { describe, expect, it } from "vitest";
import { textIn } from "./text-in.ts";

describe("textIn", () => {
  const utf16 = (text: string, mark: number[]) => Uint8Array.from([...mark, ...Buffer.from(text, "utf16le")]);
  it.each<[what: string, bytes: Uint8Array, text: string | undefined]>([
    ["UTF-8", Buffer.from("Grüße 漢"), "Grüße 漢"],
    ["UTF-8 with a byte order mark", Buffer.from("\ufeffa"), "a"],
    ["UTF-16, little-endian", utf16("Grüße", [0xff, 0xfe]), "Grüße"],
    ["UTF-16, big-endian", Buffer.from(utf16("Grüße", [0xff, 0xfe])).swap16(), "Grüße"],
    ["nothing", new Uint8Array(), ""],
    ["UTF-16 without a byte order mark", utf16("Grüße", []), undefined],
    ["half of UTF-16", Uint8Array.from([0xff, 0xfe, 0x61]), undefined],
    ["half a character", Uint8Array.from([0x61, 0xc3]), undefined],
    ["bytes of a program", Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]), undefined],
  ])("reads %s", (_what, bytes, text) => {
    expect(textIn(bytes)).toBe(text);
  });
});
