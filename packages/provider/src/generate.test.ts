import { describe, expect, it } from "vitest";
import { ProviderError } from "./errors.ts";
import { generate } from "./generate.ts";
import type { ModelEvent, Provider } from "./provider.ts";
import { scripted } from "./scripted.ts";

const request = { system: "", messages: [{ role: "user" as const, content: "hello" }] };

describe("generate", () => {
  it("joins adjacent pieces of text and of reasoning, and keeps everything else", async () => {
    const events: ModelEvent[] = [
      { type: "reasoning", text: "Let " },
      { type: "reasoning", text: "me see." },
      { type: "text", text: "He" },
      { type: "text", text: "llo" },
      { type: "tool_call", id: "1", name: "read", arguments: "{}" },
      { type: "text", text: "!" },
    ];
    const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 1 };
    expect(await generate(scripted([{ events, usage }]), request)).toEqual([
      { type: "reasoning", text: "Let me see." },
      { type: "text", text: "Hello" },
      { type: "tool_call", id: "1", name: "read", arguments: "{}" },
      { type: "text", text: "!" },
      { type: "usage", usage },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  it("joins the pieces of a call's arguments, and drops empty pieces", async () => {
    const events: ModelEvent[] = [
      { type: "text", text: "" },
      { type: "tool_call_delta", index: 0, id: "a", name: "read", arguments: "" },
      ...Array.from({ length: 100 }, (): ModelEvent => ({ type: "tool_call_delta", index: 0, arguments: "" })),
      { type: "tool_call_delta", index: 0, arguments: "{}" },
      { type: "tool_call_delta", index: 1, id: "b", name: "list", arguments: "{" },
      { type: "tool_call_delta", index: 1, arguments: "}" },
      { type: "reasoning", text: "" },
    ];
    expect((await generate(scripted([{ events }]), request)).slice(0, -2)).toEqual([
      { type: "tool_call_delta", index: 0, id: "a", name: "read", arguments: "{}" },
      { type: "tool_call_delta", index: 1, id: "b", name: "list", arguments: "{}" },
    ]);
    // What was scripted is as it was.
    expect(events[1]).toEqual({ type: "tool_call_delta", index: 0, id: "a", name: "read", arguments: "" });
  });

  it("prefers the provider's own non-streaming request", async () => {
    const own: ModelEvent[] = [{ type: "finish", reason: "stop" }];
    const provider: Provider = { ...scripted([]), generate: async () => own };
    expect(await generate(provider, request)).toBe(own);
  });

  it("passes the signal on", async () => {
    const events = await generate(scripted(["never read"]), request, { signal: AbortSignal.abort() });
    expect(events).toEqual([{ type: "finish", reason: "aborted" }]);
  });

  it("throws what the stream throws", async () => {
    const error = new ProviderError("overloaded", "Busy.");
    await expect(generate(scripted([{ error }]), request)).rejects.toBe(error);
  });
});
