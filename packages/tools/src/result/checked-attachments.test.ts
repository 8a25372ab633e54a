import { describe, expect, it } from "vitest";
import { attachmentBytes, checkedAttachments } from "./checked-attachments.ts";

const picture = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=", name: "a.png" } as const;
const at = { ...picture, data: { url: "https://example.com/a.png" } };

describe("checkedAttachments", () => {
  it("copies what it knows of an attachment", () => {
    const given = { ...picture, name: "a\ud800", extra: 1 };
    expect(checkedAttachments([given, at])).toEqual([{ ...picture, name: "a\ufffd" }, at]);
  });

  it.each([
    ["x", TypeError, "The attachments are"],
    [[null], TypeError, "The attachment 1 is null"],
    [[picture, { ...picture, kind: "video" }], TypeError, 'The kind of attachment 2, "a.png", is "video"'],
    [[{ ...picture, name: 5 }], TypeError, "The name of attachment 1 is 5"],
    [[{ ...picture, mediaType: "png" }], TypeError, 'give one such as "image/png"'],
    [[{ ...picture, mediaType: "application/pdf" }], TypeError, 'give one such as "image/png"'],
    [[{ ...picture, kind: "file", mediaType: "pdf" }], TypeError, 'give one such as "application/pdf"'],
    [[{ ...picture, data: undefined }], TypeError, "give base64 text, or { url }"],
    [[{ ...picture, data: "" }], RangeError, "is empty"],
    [[{ ...picture, data: "data:image/png;base64,iVBORw0KGgo=" }], TypeError, "only the base64 text after its comma"],
    [[{ ...picture, data: "iVBORw0KGgo" }], TypeError, "not base64 text with its padding"],
    [[{ ...picture, data: "iVBO\nRw0KGgo=AAA" }], TypeError, "Character 5 cannot stand in it"],
    [[{ ...picture, data: "=AAA" }], TypeError, "Character 1"],
    [[{ ...picture, data: { url: "/a.png" } }], TypeError, "give an http address"],
    [[{ ...picture, data: { url: "file:///a.png" } }], TypeError, "give an http address"],
    [[{ ...picture, data: { url: "https://me:word@example.com/" } }], TypeError, "user name or a password"],
  ])("refuses %j and says why", (given, kind, why) => {
    const read = () => checkedAttachments(given);
    expect(read).toThrow(kind);
    expect(read).toThrow(why);
  });

  it("counts the bytes, not the characters", () => {
    expect([picture, { ...picture, data: "AAA=" }, { ...picture, data: "AA==" }, at].map(attachmentBytes)).toEqual([
      8, 2, 1, 0,
    ]);
    expect(checkedAttachments([picture], { maxBytes: 8 })).toHaveLength(1);
    expect(() => checkedAttachments([picture], { maxBytes: 7 })).toThrow("has 8 bytes, and at most 7 are allowed");
  });

  it("allows 20 MiB, and reads them without a limit of the engine's patterns", () => {
    const data = "A".repeat((20 * 1024 * 1024 * 4) / 3 + 4 - (((20 * 1024 * 1024 * 4) / 3) % 4));
    expect(() => checkedAttachments([{ ...picture, data }])).toThrow("at most 20971520 are allowed");
    expect(checkedAttachments([{ ...picture, data: data.slice(4) }])).toHaveLength(1);
  });

  it("refuses kinds that the model does not take", () => {
    expect(checkedAttachments([picture], { kinds: ["image"] })).toHaveLength(1);
    expect(() => checkedAttachments([picture], { kinds: [] })).toThrow("The model takes no attachments");
    expect(() => checkedAttachments([picture], { kinds: ["file"] })).toThrow("only attachments of the kind file");
  });
});
