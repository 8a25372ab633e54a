import { describe, expect, it } from "vitest";
import { streamFailure } from "./stream-failure.ts";

describe("streamFailure", () => {
  it.each<{ event: unknown }>([
    { event: null },
    { event: "text" },
    { event: {} },
    { event: { type: "ping" } },
    { event: { object: "chat.completion.chunk", message: "", detail: null } },
    { event: { choices: [], usage: { prompt_tokens: 1 }, message: "done" } },
    { event: { choices: [{ delta: { content: "a" }, error: null }] } },
    { event: { choices: [{ message: { content: "a" } }] } },
    // Ollama's own wire, which is none of OpenAI's, and no error either.
    { event: { model: "m-1", message: { role: "assistant", content: "a" }, done: false } },
  ])("sees no error in $event", ({ event }) => {
    expect(streamFailure(event)).toBeUndefined();
  });

  it.each([
    { event: { object: "error", message: "No." }, words: "No.", body: { object: "error", message: "No." } },
    { event: { choices: [{ error: { code: 502 } }] }, words: '{"code":502}', body: { code: 502 } },
    { event: { detail: "No." }, words: "No.", body: { detail: "No." } },
  ])("keeps the words of $event as the SDK does", ({ event, words, body }) => {
    expect(streamFailure(event)).toMatchObject({ error: body });
    expect(streamFailure(event)?.message).toContain(words);
  });
});
