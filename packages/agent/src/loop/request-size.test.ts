import type { ModelMessage } from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import { expect, it } from "vitest";
import { RequestSize } from "./request-size.ts";

const said = (characters: number): ModelMessage => ({ role: "user", content: "x".repeat(characters) });

it("is estimated before the provider has counted, system prompt and tools included", () => {
  const size = new RequestSize();
  const tools = [{ name: "look", description: "Looks.", parameters: {} }];
  expect(size.of({ system: "12345678", messages: [said(400)] })).toBe(102);
  expect(size.ofFixed({ system: "12345678", tools })).toBe(Math.ceil((8 + JSON.stringify(tools).length) / 4));
});

const image = { kind: "image", mediaType: "image/png", data: "x".repeat(1_000_000) } as const;
const tools = [{ name: "look", description: "x".repeat(400), parameters: {} }];
const calls = [{ id: "call_1", name: "look", args: { at: "x".repeat(400) } }];

it.each<[string, Partial<Parameters<RequestSize["of"]>[0]>, number]>([
  ["system prompt", { system: "x".repeat(400) }, 100],
  ["tools", { tools }, Math.ceil(JSON.stringify(tools).length / 4)],
  ["the format of the answer", { format: { description: "x".repeat(400) } }, 105],
  ["messages", { messages: [said(400), said(40)] }, 110],
  ["attachments, whatever their size", { messages: [{ role: "user", content: [image, image] }] }, 3000],
  ["calls", { messages: [{ role: "assistant", content: "", calls }] }, Math.ceil(JSON.stringify(calls).length / 4)],
  [
    "results with their attachments",
    {
      messages: [
        {
          role: "tool",
          results: [{ id: "call_1", name: "look", content: "x".repeat(400), failed: false, attachments: [image] }],
        },
      ],
    },
    1600,
  ],
])("estimates the first request from its parts: %s", (_, part, tokens) => {
  expect(new RequestSize().of({ system: "", messages: [], ...part })).toBe(tokens);
});

it("goes out from what the provider counted last, cached tokens included, and estimates only what is new", () => {
  const size = new RequestSize();
  const first = { system: "", messages: [said(400)] };
  size.answered(first, { ...zeroUsage, input: 10, cacheRead: 240, cacheWrite: 50 });
  expect(size.of(first)).toBe(300);
  expect(size.of({ system: "", messages: [...first.messages, said(40)] })).toBe(310);
});

it("learns nothing from usage that was estimated", () => {
  const size = new RequestSize();
  const request = { system: "", messages: [said(400)] };
  size.answered(request, { ...zeroUsage, input: 7, estimated: true });
  expect(size.of(request)).toBe(100);
});

it("reads a message once, and forgets what was counted where a request begins otherwise than the one before", () => {
  let reads = 0;
  const watched: ModelMessage = {
    role: "user",
    get content() {
      reads++;
      return "x".repeat(400);
    },
  };
  const size = new RequestSize();
  const rest = Array.from({ length: 10 }, () => said(40));
  const messages = [watched, ...rest];
  expect(size.of({ system: "", messages })).toBe(200);
  const before = reads;
  expect(size.of({ system: "", messages: [...messages, said(40)] })).toBe(210);
  expect(reads).toBe(before);
  size.answered({ system: "", messages }, { ...zeroUsage, input: 1_000 });
  expect(size.of({ system: "", messages: [said(4), ...rest.map((message) => ({ ...message }))] })).toBe(101);
});

it("is estimated again after a refusal, which counts nothing, and where a summary stands for what was counted", () => {
  const size = new RequestSize();
  const request = { system: "", messages: [said(4000), said(400), said(400)] };
  size.answered(request, zeroUsage);
  expect(size.of(request)).toBe(1200);
  size.answered(request, { ...zeroUsage, input: 200 });
  expect(size.of({ system: "", messages: [said(400), said(400)] })).toBe(200);
});
