import type { Attachment, ModelMessage } from "@cogency/protocol";
import { ProviderError } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { toMessagesRequest } from "./request.ts";

const picture: Attachment = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=", name: "a.png" };
const page: Attachment = { kind: "file", mediaType: "application/pdf", data: "JVBERg==", name: "a.pdf" };
const notes: Attachment = { kind: "file", mediaType: "text/markdown", data: "R3LDvMOfZQ==" };
const inWeb = { url: "https://example.com/a" };
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
const pdf = {
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data: "JVBERg==" },
  title: "a.pdf",
};
const messagesOf = (...messages: ModelMessage[]) =>
  toMessagesRequest({ system: "", messages }, { model: "m", takesTemperature: false }).messages;

describe("attachments in Messages", () => {
  it("are blocks of the user", () => {
    const content = [{ kind: "text" as const, text: "what?" }, picture, page, notes];
    const text = { type: "text", media_type: "text/plain", data: "Grüße" };
    expect(messagesOf({ role: "user", content })).toEqual([
      { role: "user", content: [{ type: "text", text: "what?" }, image, pdf, { type: "document", source: text }] },
    ]);
  });

  it("may be addresses", () => {
    const content = [picture, page].map((attachment) => ({ ...attachment, data: inWeb }));
    const source = { type: "url", url: inWeb.url };
    expect(messagesOf({ role: "user", content })).toEqual([
      {
        role: "user",
        content: [
          { type: "image", source },
          { type: "document", source, title: "a.pdf" },
        ],
      },
    ]);
  });

  it("of results stand in the result of their call", () => {
    const results = [
      { id: "c1", name: "look", content: "seen", failed: false, attachments: [picture, page] },
      { id: "c2", name: "look", content: "", failed: false, attachments: [picture] },
    ];
    const calls = results.map(({ id, name }) => ({ id, name, args: {} }));
    const messages = messagesOf(
      { role: "user", content: "look" },
      { role: "assistant", content: "", calls },
      { role: "tool", results },
    );
    expect(messages[2]).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "seen" }, image, pdf] },
        { type: "tool_result", tool_use_id: "c2", content: [image] },
      ],
    });
  });

  it.each([
    [{ ...page, mediaType: "application/zip" }, "a.pdf is application/zip"],
    [{ ...notes, data: inWeb }, "The attachment is the address of text/markdown"],
  ])("that the wire cannot hold are refused: %j", (attachment, why) => {
    const read = () => messagesOf({ role: "user", content: [attachment] });
    expect(read).toThrow(ProviderError);
    expect(read).toThrow(why);
  });
});
