import { defineTool } from "@cogency/agent";
import type { UIMessageChunk } from "ai";
import { beforeAll, describe, expect, it } from "vitest";
import type { ChatMessage } from "../src/chat/index.ts";
import { chatSite, said } from "./support/chat-site.ts";
import { faultsOf } from "./support/check-chunks.ts";
import { judged } from "./support/judge.ts";
import { chunksOf } from "./support/read-stream.ts";

type Chunks = UIMessageChunk[];
type Fields = Record<string, unknown>;

const tools = [
  defineTool({ name: "look", description: "Looks.", input: { type: "object" }, execute: () => "seen" }),
  defineTool({ name: "refund", description: "Refunds.", input: { type: "object" }, approval: "ask", execute: () => 1 }),
];
const steps = [
  '<think>Hm.</think>Hello.<execute>[{"name":"look","args":{"at":1}}]</execute>',
  ["So ", "be it."],
  '<execute>[{"name":"refund","args":{}}]</execute>',
];

let good: Chunks;
let waiting: Chunks;
beforeAll(async () => {
  const site = chatSite({
    steps: [steps[0] ?? "", `${steps[1]?.[0]}${steps[1]?.[1]}<end>`, steps[2] ?? ""] as string[],
    tools,
  });
  good = await site.post(said("Hi."));
  waiting = await site.post(said("Refund.", { message: "m2" }));
});

const at = (chunks: Chunks, type: string) => {
  const index = chunks.findIndex((chunk) => chunk.type === type);
  if (index < 0) throw new Error(`The good stream has no ${type}.`);
  return index;
};
const without = (type: string) => (chunks: Chunks) => chunks.toSpliced(at(chunks, type), 1);
const twice = (type: string) => (chunks: Chunks) =>
  chunks.toSpliced(at(chunks, type), 0, chunks[at(chunks, type)] as UIMessageChunk);
const after =
  (type: string, ...more: object[]) =>
  (chunks: Chunks) =>
    chunks.toSpliced(at(chunks, type) + 1, 0, ...(more as Chunks));
const changed = (type: string, fields: Fields) => (chunks: Chunks) =>
  chunks.with(at(chunks, type), { ...chunks[at(chunks, type)], ...fields } as UIMessageChunk);
const moved = (type: string, before: string) => (chunks: Chunks) => {
  const chunk = chunks[at(chunks, type)] as UIMessageChunk;
  const rest = without(type)(chunks);
  return rest.toSpliced(at(rest, before), 0, chunk);
};

/** Whether the judge of the AI SDK, or our own check, or both find it. */
const variants: [string, (chunks: Chunks) => Chunks, { judge?: true; own?: true }][] = [
  ["no start", without("start"), { own: true }],
  ["two starts", twice("start"), { own: true }],
  ["a start without an id", changed("start", { messageId: undefined }), { own: true }],
  ["no finish", without("finish"), { own: true }],
  ["two finishes", twice("finish"), { own: true }],
  ["a chunk after the finish", after("finish", { type: "start-step" }), { own: true }],
  ["an unknown finish reason", changed("finish", { finishReason: "done" }), { judge: true }],
  ["an unknown field", changed("text-start", { secret: 1 }), { own: true }],
  ["an unknown chunk", after("start", { type: "hello" }), { judge: true }],
  ["a delta of a wrong type", changed("text-delta", { delta: 1 }), { judge: true }],
  ["an empty delta", changed("text-delta", { delta: "" }), { own: true }],
  ["a delta after its end", moved("text-end", "text-delta"), { judge: true, own: true }],
  ["a delta without a start", without("text-start"), { judge: true, own: true }],
  ["a text without an end", without("text-end"), { own: true }],
  ["a text that begins twice", twice("text-start"), { own: true }],
  ["reasoning that ends as text", changed("reasoning-end", { type: "text-end" }), { judge: true, own: true }],
  ["a text outside of a step", without("start-step"), { own: true }],
  ["a step in a step", twice("start-step"), { own: true }],
  ["a step without an end", without("finish-step"), { own: true }],
  ["a call without a name", changed("tool-input-available", { toolName: undefined }), { judge: true }],
  ["a call that begins twice", twice("tool-input-start"), { own: true }],
  [
    "arguments of an unknown call",
    after("tool-input-start", { type: "tool-input-delta", toolCallId: "x", inputTextDelta: "{" }),
    { judge: true, own: true },
  ],
  [
    "arguments after the call is ready",
    after("tool-input-available", { type: "tool-input-delta", toolCallId: "x", inputTextDelta: "{" }),
    { judge: true, own: true },
  ],
  ["an output before its call", moved("tool-output-available", "tool-input-start"), { judge: true, own: true }],
  ["an output that comes twice", twice("tool-output-available"), { own: true }],
  ["a call without an output", without("tool-output-available"), { own: true }],
  ["an output of an unknown call", changed("tool-output-available", { toolCallId: "x" }), { judge: true, own: true }],
  ["a data part of no name", after("start", { type: "data" }), { judge: true }],
];

const variantsOfWaiting: typeof variants = [
  [
    "a question about an unknown call",
    changed("tool-approval-request", { toolCallId: "x" }),
    { judge: true, own: true },
  ],
  ["a question without an id", changed("tool-approval-request", { approvalId: undefined }), { judge: true }],
  [
    "a response to an unknown question",
    after("tool-approval-request", { type: "tool-approval-response", approvalId: "x", approved: true }),
    { judge: true, own: true },
  ],
  [
    "a denial without a decision",
    (chunks) =>
      after("tool-approval-request", {
        type: "tool-output-denied",
        toolCallId: (chunks[at(chunks, "tool-approval-request")] as unknown as Fields).toolCallId as string,
      })(chunks),
    { own: true },
  ],
  ["the end of an answer that waits", changed("finish", { finishReason: "stop" }), { own: true }],
];

async function verdicts(chunks: Chunks) {
  const message = await judged<ChatMessage>(chunks).catch(() => undefined);
  return { ...(!message && { judge: true as const }), ...(faultsOf(chunks).length > 0 && { own: true as const }) };
}

describe("a stream", () => {
  it("that is good has no fault", async () => {
    expect(await verdicts(good)).toEqual({});
    expect(await verdicts(waiting)).toEqual({});
  });

  it.each(variants)("with %s is found", async (_, broken, found) => {
    expect(await verdicts(broken(good))).toEqual(found);
  });

  it.each(variantsOfWaiting)("with %s is found while it waits", async (_, broken, found) => {
    expect(await verdicts(broken(waiting))).toEqual(found);
  });

  it.each<[string, Record<string, string>, string, string]>([
    ["no header", { "x-vercel-ai-ui-message-stream": "" }, 'data: {"type":"start"}\n\ndata: [DONE]\n\n', "header"],
    ["another type", { "content-type": "application/json" }, 'data: {"type":"start"}\n\ndata: [DONE]\n\n', "type"],
    ["no [DONE]", {}, 'data: {"type":"start"}\n\n', "[DONE]"],
    ["an event that is cut off", {}, 'data: {"type":"start"}\n\ndata: [DONE]\n', "cut off"],
    ["a line that is no event", {}, "hello\n\ndata: [DONE]\n\n", "No event"],
  ])("with %s is found", (_, wrong, text, says) => {
    const headers = new Headers({
      "x-vercel-ai-ui-message-stream": "v1",
      "content-type": "text/event-stream",
      ...wrong,
    });
    expect(() => chunksOf(headers, text)).toThrow(says);
  });
});
