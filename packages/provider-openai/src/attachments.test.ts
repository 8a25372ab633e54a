import type { Attachment, ModelMessage } from "@cogency/protocol";
import { ProviderError } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { toChatRequest } from "./chat/request.ts";
import { openai } from "./openai.ts";
import { toResponsesRequest } from "./responses/request.ts";

const picture: Attachment = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=", name: "a.png" };
const page: Attachment = { kind: "file", mediaType: "application/pdf", data: "JVBERg==", name: "a.pdf" };
const inWeb = { url: "https://example.com/a" };
const asked: ModelMessage = {
  role: "user",
  content: [{ kind: "text", text: "what?" }, picture, { ...picture, data: inWeb }, page],
};
const answered: ModelMessage[] = [
  { role: "user", content: "look" },
  { role: "assistant", content: "", calls: [{ id: "c1", name: "look", args: {} }] },
  { role: "tool", results: [{ id: "c1", name: "look", content: "seen", failed: false, attachments: [picture, page] }] },
];
const flavor = { limitField: "max_tokens", echoReasoning: false, thinkBlock: "none" } as const;
const chat = (...messages: ModelMessage[]) =>
  toChatRequest({ system: "", messages }, { name: "openai", model: "m", flavor }).messages;
const responses = (...messages: ModelMessage[]) =>
  toResponsesRequest({ system: "", messages }, { name: "openai", model: "m", refusals: { models: new Set() } as never })
    .input;

describe("attachments in Chat Completions", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
  const file = { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" } };

  it("are parts of the message of the user", () => {
    expect(chat(asked)).toEqual([
      {
        role: "user",
        content: [{ type: "text", text: "what?" }, image, { type: "image_url", image_url: inWeb }, file],
      },
    ]);
  });

  it("of results follow them in a message of the user, because a result of the wire is text", () => {
    expect(chat(...answered).slice(2)).toEqual([
      { role: "tool", tool_call_id: "c1", content: "seen" },
      { role: "user", content: [{ type: "text", text: expect.stringContaining("attached") }, image, file] },
    ]);
  });

  it("cannot be the address of a file", () => {
    const read = () => chat({ role: "user", content: [{ ...page, data: inWeb }] });
    expect(read).toThrow(ProviderError);
    expect(read).toThrow('a.pdf is an address. Use `api: "responses"`');
  });
});

describe("attachments in Responses", () => {
  const image = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "auto" };
  const file = { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" };

  it("are parts of the message of the user", () => {
    expect(responses(asked)).toEqual([
      {
        role: "user",
        content: [{ type: "input_text", text: "what?" }, image, { ...image, image_url: inWeb.url }, file],
      },
    ]);
    const address: ModelMessage = { role: "user", content: [{ ...page, data: inWeb }] };
    expect(responses(address)).toEqual([{ role: "user", content: [{ type: "input_file", file_url: inWeb.url }] }]);
  });

  it("of results stand in the output of their call", () => {
    expect(responses(...answered)?.slice(2)).toEqual([
      { type: "function_call_output", call_id: "c1", output: [{ type: "input_text", text: "seen" }, image, file] },
    ]);
  });
});

describe("the attachments that a provider takes", () => {
  const taken = (options: Parameters<typeof openai>[0]) =>
    openai({ apiKey: "k", model: "m", ...options }).capabilities.attachments;

  it("are images and files at OpenAI, images at other servers, none over Realtime, or those of the option", () => {
    const baseURL = "http://127.0.0.1:1/v1";
    expect(taken({ baseURL: "https://api.openai.com/v1" })).toEqual(["image", "file"]);
    expect(taken({ baseURL })).toEqual(["image"]);
    expect(taken({ preset: "ollama" })).toEqual(["image"]);
    expect(taken({ baseURL, attachments: [] })).toEqual([]);
    expect(taken({ baseURL, api: "realtime" })).toBeUndefined();
  });

  it("are refused over Realtime, which takes text alone", async () => {
    const provider = openai({ apiKey: "k", model: "m", baseURL: "http://127.0.0.1:1/v1", api: "realtime" });
    const stream = provider.stream({ system: "", messages: [asked] })[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toMatchObject({ code: "unsupported" });
  });
});
