import { describe, expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";

const latin = [0xe9];
const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

describe("decodeText", () => {
  it.each([
    ["UTF-8 by default", bytes("é€"), undefined, "é€"],
    ["the header's charset", bytes(latin), "iso-8859-1", "é"],
    ["an unknown charset as UTF-8", bytes("é"), "klingon", "é"],
    ["one that is no longer read as UTF-8", bytes("é+ADw-"), "utf-7", "é+ADw-"],
    ["windows-1252 by its name", bytes([0x80]), "windows-1252", "€"],
    ["shift_jis", bytes([0x82, 0xa0]), "Shift_JIS", "あ"],
    ["gbk", bytes([0xc4, 0xe3]), "gbk", "你"],
    ["koi8-r", bytes([0xd0]), "koi8-r", "п"],
    ["the byte order mark before the header", bytes([0xef, 0xbb, 0xbf], "é"), "iso-8859-1", "é"],
    ["UTF-16 by its mark", bytes([0xff, 0xfe, 0xe9, 0x00]), undefined, "é"],
    ["big-endian UTF-16 by its mark", bytes([0xfe, 0xff, 0x00, 0xe9]), undefined, "é"],
    ["bytes that fit nothing as U+FFFD", bytes([0xff], "a"), undefined, "\ufffda"],
  ])("reads %s", (_what, body, charset, text) => {
    expect(decodeText(body, { type: "plain", charset })).toBe(text);
  });

  it.each([
    ["<meta charset=iso-8859-1>", "é"],
    ['<META http-equiv="Content-Type" content="text/html; charset=iso-8859-1">', "é"],
    ["<meta charset='ISO-8859-1'/>", "é"],
    ['<meta charset="utf-16">', "\ufffd"],
    ["<meta charset=klingon>", "\ufffd"],
    [`${" ".repeat(1100)}<meta charset=iso-8859-1>`, "\ufffd"],
  ])("uses the encoding that a page declares: %s", (head, text) => {
    expect(decodeText(bytes(head, latin), { type: "html", charset: undefined })).toBe(head + text);
  });

  it("uses the declaration of XML, and only the header for plain text", () => {
    const xml = '<?xml version="1.0" encoding="iso-8859-1"?>';
    expect(decodeText(bytes(xml, latin), { type: "xml", charset: undefined })).toBe(`${xml}é`);
    expect(decodeText(bytes(xml, latin), { type: "plain", charset: undefined })).toBe(`${xml}\ufffd`);
  });
});
