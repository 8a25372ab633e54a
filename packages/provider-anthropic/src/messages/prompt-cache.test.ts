import type Anthropic from "@anthropic-ai/sdk";
import type { ModelMessage, ToolSpec } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { eventStream } from "@tooling/loopback";
import { collect } from "@tooling/wires/collect";
import { wire } from "@tooling/wires/messages";
import { describe, expect, it } from "vitest";
import { wireServer } from "../../test/support/wire-server.ts";
import { withoutCacheMarks } from "../../test/support/without-cache-marks.ts";
import { anthropic } from "../anthropic.ts";
import type { AnthropicOptions } from "../options.ts";

type Body = Anthropic.MessageCreateParamsStreaming;

const tools: ToolSpec[] = [
  { name: "weather", description: "The weather.", parameters: { type: "object" } },
  { name: "time", description: "The time.", parameters: { type: "object" } },
];

/** Ten requests of one conversation. In some steps the model makes 30 calls at once, more than the server looks back. */
const conversation: ModelRequest[] = Array.from({ length: 10 }, (_, steps) => ({
  system: "You know the weather.",
  tools,
  messages: [
    { role: "user", content: "What is the weather?" },
    ...Array.from({ length: steps }, (_, n) => step(n)).flat(),
  ],
}));

function step(nth: number): ModelMessage[] {
  const said = { role: "assistant", content: `Step ${nth}.` } as const;
  if (nth % 3 === 2) return [said, { role: "user", content: `And of day ${nth}?` }];
  const calls = Array.from({ length: nth % 3 === 1 ? 30 : 1 }, (_, n) => ({
    id: `call_${nth}_${n}`,
    name: "weather",
    args: { day: n },
  }));
  const thinking = { type: "thinking", thinking: `Day ${nth}.`, signature: "c2ln" };
  const uses = calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args }));
  return [
    { ...said, calls, native: { provider: "anthropic", model: "claude-sonnet-5-5", data: [thinking, ...uses] } },
    { role: "tool", results: calls.map(({ id, name }) => ({ id, name, content: "Rain.", failed: false })) },
  ];
}

async function sentBy(options: AnthropicOptions, requests = conversation): Promise<{ text: string; body: Body }[]> {
  const answer = wire.answer({
    parts: [{ type: "text", text: "ok" }],
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    finish: "stop",
  });
  const server = await wireServer((response) => eventStream(response).end(answer.join("")));
  const model = anthropic({ baseURL: server.baseURL, apiKey: "key-of-the-test", ...options });
  for (const request of requests) await collect(model.stream(request));
  return server.requests;
}

const ephemeral = { type: "ephemeral" };

/** What the server sees as one prompt, block by block: tools, then the system text, then the messages. */
function promptBlocks({ tools = [], system = [], messages }: Body): { text: string; isMarked: boolean }[] {
  const blocks: object[] = [...tools, ...(typeof system === "string" ? [] : system)];
  for (const { role, content } of messages) {
    if (typeof content !== "string") blocks.push(...content.map((block) => ({ role, ...block })));
  }
  return blocks.map((block) => ({
    text: withoutCacheMarks(JSON.stringify(block)),
    isMarked: "cache_control" in block,
  }));
}

describe("the cache marks of a request", () => {
  it("let every request read from the cache everything that the previous one sent", async () => {
    const kept = new Set<string>();
    let before = 0;
    for (const [index, { body }] of (await sentBy({})).entries()) {
      const blocks = promptBlocks(body);
      const prefix = (length: number) =>
        blocks
          .slice(0, length)
          .map(({ text }) => text)
          .join("\n");
      const marks = blocks.flatMap(({ isMarked }, index) => (isMarked ? [index + 1] : []));
      expect(marks.length).toBeLessThanOrEqual(4);
      // The server looks for something kept at each mark and at no more than 20 blocks before it.
      const hits = marks.flatMap((mark) => Array.from({ length: 20 }, (_, back) => mark - back));
      const read = Math.max(0, ...hits.filter((length) => length > 0 && kept.has(prefix(length))));
      expect(read, `blocks that request ${index} reads from the cache`).toBe(before);
      for (const mark of marks) kept.add(prefix(mark));
      before = blocks.length;
    }
  });

  it("are the only difference between the body of a request and the beginning of the next", async () => {
    const texts = (await sentBy({})).map(({ text }) => withoutCacheMarks(text));
    for (const [index, text] of texts.entries()) {
      const upToMessagesEnd = text.slice(0, text.lastIndexOf("]"));
      expect(texts[index + 1] ?? text, `request ${index}`).toSatisfy((next: string) =>
        next.startsWith(upToMessagesEnd),
      );
    }
  });

  it("are at the end of the part that all requests share, and on the user's last two messages", async () => {
    const [request] = await sentBy({}, conversation.slice(2, 3));
    const marked = promptBlocks(request?.body ?? expect.unreachable("no request")).flatMap(({ isMarked }, index) =>
      isMarked ? [index] : [],
    );
    // 2 tools, the system text; the question; thinking, call and result; thinking, 30 calls and 30 results.
    expect(marked).toEqual([2, 6, 67]);
    expect(request?.body.system).toEqual([{ type: "text", text: "You know the weather.", cache_control: ephemeral }]);
  });

  it("include one on the last tool if there is no system text", async () => {
    const [request] = await sentBy({}, [{ system: "", tools, messages: [{ role: "user", content: "Hi." }] }]);
    expect(request?.body.tools?.map((tool) => "cache_control" in tool)).toEqual([false, true]);
  });

  it.each([
    ["1h", { type: "ephemeral", ttl: "1h" }],
    ["5m", { type: "ephemeral", ttl: "5m" }],
    [true, ephemeral],
    [undefined, ephemeral],
  ] as const)("ask for the time that `cache: %s` says", async (cache, mark) => {
    const [request] = await sentBy({ cache }, conversation.slice(0, 1));
    expect(request?.body.system).toEqual([{ type: "text", text: "You know the weather.", cache_control: mark }]);
  });

  it("are absent with `cache: false`", async () => {
    for (const { text } of await sentBy({ cache: false })) expect(text).not.toContain("cache_control");
  });
});
