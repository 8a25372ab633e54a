import { describe, expect, it } from "vitest";
import { attachmentOf } from "./attachment-of.ts";

const bytes = (latin1: string) => new Uint8Array(Buffer.from(latin1, "latin1"));

describe("attachmentOf", () => {
  it.each([
    ["image", "image/png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
    ["image", "image/jpeg", "\xff\xd8\xff\xe0\0\x10JFIF"],
    ["image", "image/gif", "GIF87a\x01\0"],
    ["image", "image/gif", "GIF89a\x01\0"],
    ["image", "image/webp", "RIFF\n\0\0\0WEBPVP8 "],
    ["file", "application/pdf", "%PDF-1.7\n"],
  ])("makes an attachment of the kind %s, %s, by the first bytes", (kind, mediaType, text) => {
    const data = Buffer.from(text, "latin1").toString("base64");
    expect(attachmentOf(bytes(text), "any.name")).toEqual({ kind, mediaType, data, name: "any.name" });
    expect(attachmentOf(bytes(text))).toEqual({ kind, mediaType, data });
  });

  it.each(["", "PNG", "\x89PN", "RIFF\n\0\0\0WAVE", " %PDF-1.7", "<svg>", "BM"])("makes none of %j", (text) => {
    expect(attachmentOf(bytes(text))).toBeUndefined();
  });

  it("takes the bytes that a view shows, not those around them", () => {
    const around = bytes("%PDF-1.7 and more");
    expect(attachmentOf(around.subarray(0, 8))?.data).toBe(Buffer.from("%PDF-1.7").toString("base64"));
  });
});
