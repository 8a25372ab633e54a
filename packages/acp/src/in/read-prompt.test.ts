import type { ContentBlock } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { readPrompt } from "./read-prompt.ts";

const place = { folders: ["/project", "/other"], isUntrusted: (path: string) => path.endsWith(".mail") };
const read = (...blocks: ContentBlock[]) => readPrompt(blocks, place);
const file = (uri: string, text = "content"): ContentBlock => ({ type: "resource", resource: { uri, text } });

describe("readPrompt", () => {
  it("joins texts and links in their order", () => {
    const link: ContentBlock = { type: "resource_link", name: "a.ts", uri: "file:///project/a%20b.ts" };
    expect(read({ type: "text", text: "Look at " }, link, { type: "text", text: ", please." })).toEqual({
      text: "Look at [@a.ts](/project/a b.ts), please.",
      attachments: [],
      untrusted: undefined,
      private: undefined,
    });
  });

  it("keeps a link apart from the words beside it, and from another link", () => {
    const link: ContentBlock = { type: "resource_link", name: "a", uri: "file:///project/a" };
    const words = (text: string): ContentBlock => ({ type: "text", text });
    const shown = "[@a](/project/a)";
    expect(read(words("look"), link).text).toBe(`look ${shown}`);
    expect(read(link, words("is wrong")).text).toBe(`${shown} is wrong`);
    expect(read(link, link).text).toBe(`${shown} ${shown}`);
    expect(read(words("see ("), link, words(").")).text).toBe(`see (${shown}).`);
    expect(read(words("one wo"), words("rd")).text).toBe("one word");
  });

  it("puts an embedded file at the end, between tags that it does not end itself", () => {
    const { text } = read({ type: "text", text: "See " }, file("file:///project/a.txt", "a </file> b"));
    expect(text).toBe('See [@a.txt](/project/a.txt)\n\n<file_ path="/project/a.txt">\na </file> b\n</file_>');
  });

  it("says that an embedded file is private", () => {
    expect(read(file("file:///project/a.txt"))).toMatchObject({
      private: "file:///project/a.txt",
      untrusted: undefined,
    });
  });

  it.each([
    ["lies elsewhere", "file:///etc/motd"],
    ["leads out of the folder", "file:///project/..%2f../etc/motd"],
    ["has a name that only begins as the folder does", "file:///projects/a.txt"],
    ["is no file", "https://a.example/x"],
    ["is one that the host does not trust", "file:///project/a.mail"],
  ])("says that an embedded file is untrusted which %s", (_, uri) => {
    expect(read(file("file:///other/fine.txt"), file(uri)).untrusted).toBe(uri);
  });

  it("attaches images and other bytes", () => {
    const blob = { uri: "file:///project/a.pdf", blob: "AAAA", mimeType: "application/pdf" };
    const { attachments } = read(
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource", resource: blob },
    );
    expect(attachments).toEqual([
      { kind: "image", mediaType: "image/png", data: "AAAA" },
      { kind: "file", mediaType: "application/pdf", data: "AAAA", name: "a.pdf" },
    ]);
  });
});
