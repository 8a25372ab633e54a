import type { CallToolResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { resultValue } from "./result-value.ts";

const png = "iVBORw0KGgo=";
const read = (result: object, attach: string[] = []) =>
  resultValue(result as CallToolResult, { attach, hide: (text) => text.replaceAll("secret-key", "[hidden]") });

describe("resultValue", () => {
  it("joins texts by lines", () => {
    expect(
      read({
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      }).value,
    ).toBe("a\nb");
  });

  it("gives structured content once where a text only repeats it", () => {
    const structuredContent = { rows: [1, 2] };
    const content = [{ type: "text", text: '{ "rows": [1, 2] }' }];
    expect(read({ content, structuredContent }).value).toEqual({ rows: [1, 2] });
    expect(read({ content: [], structuredContent }).value).toEqual({ rows: [1, 2] });
  });

  it("gives a text once where structured content only wraps it", () => {
    const content = [{ type: "text", text: "water the plants" }];
    expect(read({ content, structuredContent: { content: "water the plants" } }).value).toBe("water the plants");
    const rows = [{ type: "text", text: "[\n  1,\n  2\n]" }];
    expect(read({ content: rows, structuredContent: { rows: [1, 2] } }).value).toEqual({ rows: [1, 2] });
  });

  it("gives structured content beside a text that says something else", () => {
    const given = { content: [{ type: "text", text: "Two rows." }], structuredContent: { rows: 2 } };
    expect(read(given).value).toEqual({ structured: { rows: 2 }, text: "Two rows." });
  });

  it("attaches pictures and documents, also those in resources", () => {
    const { value, attachments } = read({
      content: [
        { type: "image", data: png, mimeType: "image/png" },
        { type: "resource", resource: { uri: "file:///a/plan.pdf", mimeType: "application/pdf", blob: "JVBERi0=" } },
      ],
    });
    expect(attachments).toEqual([
      { kind: "image", mediaType: "image/png", data: png },
      { kind: "file", mediaType: "application/pdf", data: "JVBERi0=", name: "plan.pdf" },
    ]);
    expect(value).toBe(
      "[a picture, image/png, 8 bytes: attached]\n[file:///a/plan.pdf, application/pdf, 5 bytes: attached]",
    );
  });

  it("names a sound, and attaches it where the host says that the model takes it", () => {
    const sound = { content: [{ type: "audio", data: "UklGRg==", mimeType: "audio/wav; rate=8000" }] };
    expect(read(sound)).toEqual({
      value: "[a sound, audio/wav, 4 bytes: left out. It is of no kind that a model can be shown.]",
      attachments: [],
    });
    expect(read(sound, ["audio/*"]).attachments).toEqual([
      { kind: "file", mediaType: "audio/wav", data: "UklGRg==", name: "sound" },
    ]);
  });

  it.each([
    ["base64 text that is none", { type: "image", data: "not base64!", mimeType: "image/png" }],
    ["an empty picture", { type: "image", data: "", mimeType: "image/png" }],
    ["a media type that is none", { type: "image", data: png, mimeType: "nonsense" }],
  ])("says in the text why %s is left out", (_what, block) => {
    const { value, attachments } = read({ content: [{ type: "text", text: "kept" }, block] });
    expect(attachments).toEqual([]);
    expect(value).toMatch(/^kept\n\[a picture, .*: left out\. .+\]$/);
  });

  it("attaches at most eight files, and names the rest", () => {
    const content = Array.from({ length: 10 }, () => ({ type: "image", data: png, mimeType: "image/png" }));
    const { value, attachments } = read({ content });
    expect(attachments).toHaveLength(8);
    expect(value).toContain("there are too many");
  });

  it("shows the text of a resource under its address, and a link to one", () => {
    const { value } = read({
      content: [
        { type: "resource", resource: { uri: "file:///a.txt", text: "inside" } },
        { type: "resource_link", uri: "file:///b.txt", name: "b", description: "The second" },
      ],
    });
    expect(value).toBe("file:///a.txt:\ninside\n[b](file:///b.txt) The second");
  });

  it("leaves metadata behind, and takes secrets of the host out at every depth", () => {
    const given = {
      content: [{ type: "text", text: "the secret-key is", _meta: { hint: "do it" } }],
      structuredContent: { a: [{ b: "secret-key" }] },
      _meta: { note: "secret" },
    };
    expect(read(given).value).toEqual({ structured: { a: [{ b: "[hidden]" }] }, text: "the [hidden] is" });
  });
});
