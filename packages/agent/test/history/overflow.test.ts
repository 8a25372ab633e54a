import { ProviderError, type ProviderErrorCode } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { isContextTooLong } from "../../src/history/context-too-long.ts";
import { compaction } from "../../src/history.ts";
import { conversation } from "../support/fixtures.ts";
import { drivers, problemOf, summariesIn, talking, tokensOf, words } from "./support.ts";

const window = 4000;
const history = compaction({ window });
const tooLong = new ProviderError(
  "bad_request",
  "api answered 400: prompt is too long: 208310 tokens > 200000 maximum",
);
const refusing = { chunks: "", error: tooLong };

/** A conversation of 8 turns with about 400 tokens each, far from the window of this `history`. */
async function spoken(limit: number, options: Parameters<typeof talking>[1] = {}) {
  const talker = talking((request) => (tokensOf(request) > limit ? refusing : `So. ${words(200)}<end>`), {
    history: compaction({ window: 100_000 }),
    ...options,
  });
  let turn = 0;
  const ask = () => talker.ask(`Question ${turn++}. ${words(200)}`, { conversation });
  return { ...talker, next: ask };
}

describe("a request that cannot be made to fit", () => {
  it("fails with context_overflow before it is made, and says what has how many tokens", async () => {
    const talker = talking(() => "So.<end>", { history, instructions: words(1000) });
    const { status, error } = await talker.ask(words(3500), { conversation });
    expect({ status, code: error?.code }).toEqual({ status: "failed", code: "context_overflow" });
    expect(error?.message).toMatch(
      /^The next request has about \d{4} tokens: 1\d{3} of the system prompt and tools, 3500 of what the model has not read yet\. The window has 4000\. The last message is too large\. Say it in parts, or .* larger window: the next message goes on without the whole of this one\.$/,
    );
    expect(talker.provider.requests).toEqual([]);
  });

  it("pays for no summary that would not help", async () => {
    const talker = talking(() => `So. ${words(200)}<end>`, { history });
    for (let turn = 0; turn < 5; turn++) await talker.ask(words(200), { conversation });
    const { error } = await talker.ask(words(3900), { conversation });
    expect(error?.code).toBe("context_overflow");
    expect(talker.summaries()).toEqual([]);
  });

  it("counts the tokens that its answer may have", async () => {
    const request = { maxOutputTokens: 1500 };
    const talker = talking(() => "So.<end>", { history, request });
    const { error } = await talker.ask(words(2600), { conversation });
    expect(error?.message).toContain("The window has 4000, of which 1500 are for the answer.");
    const { status } = await talking(() => "So.<end>", { history }).ask(words(2600), { conversation });
    expect(status).toBe("completed");
  });

  it("stays so, and can be gone on with by an agent with a larger window", async () => {
    const talker = talking(() => "So.<end>", { history });
    await talker.ask(words(4500), { conversation });
    expect((await talker.recover({ conversation }).result).error?.code).toBe("context_overflow");
    const larger = talking(() => "Well.<end>", { history: compaction({ window: 20_000 }), store: talker.store });
    expect((await larger.recover({ conversation }).result).text).toBe("Well.");
  });

  it("is no reason for compaction after compaction: a run that is nearly full goes on as it is", async () => {
    const talker = talking((_, at) => (at < 10 ? (drivers.protocol?.call(`${at}`) as string) : "Done.<end>"), {
      history,
      instructions: words(2400),
      budget: { steps: 12 },
    });
    const { status } = await talker.ask("Look.", { conversation });
    expect(status).toBe("completed");
    expect(talker.summaries()).toEqual([]);
  });
});

describe("a request that the provider refuses as too long", () => {
  it("is made again once a summary has made it smaller", async () => {
    const talker = await spoken(2500);
    for (let turn = 0; turn < 8; turn++) expect((await talker.next()).error).toBeUndefined();
    expect(talker.summaries()).toHaveLength(1);
    expect(summariesIn(await talker.log())).toHaveLength(1);
  });

  it("is made again in the step of a run, whose earlier steps stay", async () => {
    const talker = talking(
      (request, at) =>
        tokensOf(request) > 3000
          ? refusing
          : at < 12
            ? (drivers.protocol?.call(`${at} ${words(150)}`) as string)
            : "Done.<end>",
      { history: compaction({ window: 100_000 }), budget: { steps: 30 } },
    );
    const { status, text } = await talker.ask("Look.", { conversation });
    expect({ status, text }).toEqual({ status: "completed", text: "Done." });
    expect(talker.summaries().length).toBeGreaterThan(0);
  });

  it("is made smaller as often as that is possible, and then fails with what the provider said as the cause", async () => {
    const talker = talking((_, at) => (at < 6 ? `So. ${words(200)}<end>` : refusing), { history });
    for (let turn = 0; turn < 6; turn++) await talker.ask(words(200), { conversation });
    const { error } = await talker.ask("And now?", { conversation });
    expect(error?.code).toBe("context_overflow");
    expect(error?.cause).toBe(tooLong);
    expect(error?.message).toContain("The provider refused it, and nothing more can be left out.");
    const { length } = talker.summaries();
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(4);
    expect(talker.steps()).toHaveLength(7 + length);
  });

  it("fails with context_overflow if nothing can be summed up", async () => {
    const talker = talking(() => refusing, { history });
    const { error } = await talker.ask("Hello?", { conversation });
    expect(error?.code).toBe("context_overflow");
    expect(talker.provider.requests).toHaveLength(1);
  });

  it("fails as before where the agent has no history, or the refusal is about something else", async () => {
    const without = talking(() => refusing);
    expect((await without.ask("Hello?", { conversation })).error?.code).toBe("provider");
    const other = talking(() => ({ chunks: "", error: new ProviderError("bad_request", "no such tool") }), { history });
    expect((await other.ask("Hello?", { conversation })).error?.code).toBe("provider");
  });

  it("leaves no answer twice where the refusal came in the middle of it", async () => {
    const talker = talking((_, at) => (at === 6 ? { chunks: "Half an ", error: tooLong } : `So. ${words(200)}<end>`), {
      history,
    });
    for (let turn = 0; turn < 6; turn++) await talker.ask(words(200), { conversation });
    const { status } = await talker.ask("And now?", { conversation });
    expect(status).toBe("completed");
    const said = (await talker.log()).filter(({ type }) => type === "respond").slice(-2);
    expect(said).toMatchObject([{ content: "Half an" }, { content: expect.stringMatching(/^So\./) }]);
  });
});

describe("a conversation goes on after a request that could not be made to fit", () => {
  it.each([
    ["for which a window is known", compaction({ window })],
    ["of whose model nothing is known", compaction()],
  ])("with the next message, %s", async (_, history) => {
    const answered = (request: Parameters<typeof tokensOf>[0]) => (tokensOf(request) > window ? refusing : "So.<end>");
    const talker = talking(answered, { history });
    await talker.ask("Hello.", { conversation });
    const { error } = await talker.ask(`Too much. ${words(8000)}`, { conversation });
    expect(error?.code).toBe("context_overflow");
    expect(error?.message).toContain("The last message is too large.");
    expect((await talker.ask("Again, shorter.", { conversation })).text).toBe("So.");
    // What was too large is part of what is summed up.
    expect(JSON.stringify(talker.summaries().map(({ messages }) => messages))).toContain("Too much.");
    expect((await talker.ask("And more.", { conversation })).text).toBe("So.");
    expect(JSON.stringify(talker.steps().at(-1)?.messages)).toContain("Again, shorter.");
  });

  it.each(Object.entries(drivers))(
    "in the same run, if results of calls were too large: %s",
    async (_, { options, call, answer }) => {
      const large = `start ${words(5000)}`;
      const talker = talking(
        (request, at) => (tokensOf(request) > window ? refusing : at === 0 ? call(large) : answer("Done.")),
        { ...options, history: compaction() },
      );
      const { status, text } = await talker.ask("Look.", { conversation });
      expect({ status, text }).toEqual({ status: "completed", text: "Done." });
      const last = talker.steps().at(-1);
      expect(last && problemOf(last)).toBeUndefined();
      expect(JSON.stringify(last?.messages)).toContain("Look.");
      expect((await talker.ask("And now?", { conversation })).text).toBe("Done.");
    },
  );

  it("though the first transcript for the summary is too long, too", async () => {
    // Each word of these texts has four times the tokens that are reckoned.
    const dense = (request: Parameters<typeof tokensOf>[0]) => 4 * tokensOf(request) > 40_000;
    const talker = talking(
      (request) => (dense(request) ? refusing : `So. ${words(1000)}<end>`),
      { history: compaction() },
      (request) => (dense(request) ? refusing : "They talked."),
    );
    for (let turn = 0; turn < 12; turn++)
      expect((await talker.ask(words(1000), { conversation })).error).toBeUndefined();
  });
});

describe("a window that nobody has named", () => {
  const limited = (limit: number, error: Error) =>
    talking((request) => (tokensOf(request) > limit ? { chunks: "", error } : `So. ${words(200)}<end>`), {
      history: compaction(),
    });
  const refusals = ({ steps }: ReturnType<typeof talking>, limit: number) =>
    steps().filter((request) => tokensOf(request) > limit).length;

  it.each([
    ["says the limit", new ProviderError("bad_request", "This model's maximum context length is 3000 tokens.")],
    ["does not say it", new ProviderError("bad_request", "Your input exceeds the context window of this model.")],
  ])("is learned from a refusal that %s, and remembered by the conversation", async (_, error) => {
    const talker = limited(3000, error);
    for (let turn = 0; turn < 30; turn++)
      expect((await talker.ask(`${turn} ${words(200)}`, { conversation })).error).toBeUndefined();
    expect(talker.summaries().length).toBeGreaterThan(2);
    // After the first one, a summary comes before the provider has to refuse.
    expect(refusals(talker, 3000)).toBe(1);
    const of = expect.objectContaining({ window: { tokens: expect.any(Number), model: talker.provider.model } });
    expect(summariesIn(await talker.log())).toContainEqual(of);
  });

  it("is that of another model no more", async () => {
    const talker = limited(3000, tooLong);
    for (let turn = 0; turn < 12; turn++) await talker.ask(words(200), { conversation });
    const { length } = talker.summaries();
    expect(length).toBeGreaterThan(0);
    const other = talking(() => `So. ${words(200)}<end>`, {
      history: compaction(),
      store: talker.store,
      request: { model: "larger" },
    });
    for (let turn = 0; turn < 12; turn++) await other.ask(words(200), { conversation });
    expect(other.summaries()).toEqual([]);
  });

  it("is not learned from a fork's positions, but with them", async () => {
    const talker = limited(3000, new ProviderError("bad_request", "maximum context length is 3000 tokens"));
    for (let turn = 0; turn < 12; turn++) await talker.ask(words(200), { conversation });
    const fork = await talker.fork(conversation);
    const windows = summariesIn(await talker.store.load({ conversation: fork })).map(({ window: learned }) => learned);
    expect(windows.filter(Boolean)).toContainEqual({ tokens: 3000, model: talker.provider.model });
  });
});

describe("a refusal is about the length of the request", () => {
  // What each server says, as it is documented or reported in public.
  it.each([
    ["OpenAI", "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."],
    [
      "OpenAI Responses",
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
    ],
    ["the code of OpenAI's wires", "context_length_exceeded"],
    ["Anthropic", "prompt is too long: 208310 tokens > 200000 maximum"],
    ["Anthropic, with the answer", "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"],
    ["Bedrock", "Input is too long for requested model."],
    ["Gemini", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."],
    [
      "Mistral",
      "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    ],
    ["llama.cpp", "the request exceeds the available context size, try increasing it"],
    ["llama.cpp, later", "request (10210 tokens) exceeds the available context size (8192 tokens), try increasing it"],
    ["xAI", "This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
    ["Groq", "Please reduce the length of the messages or completion."],
    ["Ollama", "prompt too long; exceeded max context length by 4 tokens"],
    ["Ollama, of an embedding", "the input length exceeds the context length"],
    // lmstudio-ai/lmstudio-bug-tracker#546
    [
      "LM Studio",
      "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    ],
    [
      "LM Studio, later",
      "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input",
    ],
    // vllm-project/vllm#33418, vllm-project/vllm#10440
    [
      "vLLM",
      "You passed 4097 input tokens and requested 1 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 4095 tokens.",
    ],
    ["vLLM, in the engine", "Input prompt (35247 tokens) is too long and exceeds limit of 1000"],
    ["SGLang", "The input (9000 tokens) is longer than the model's context length (8192 tokens)."],
    [
      "TGI",
      "Input validation error: `inputs` must have less than 4096 tokens. Given: 5000, which is more than the limit",
    ],
    ["Moonshot", "Invalid request: Your request exceeded model token limit: 131072"],
    ["MiniMax", "invalid params, context window exceeds limit (2013)"],
    ["Cohere", "too many tokens: total number of tokens in the prompt exceeds the limit of 128000."],
    ["a server that nobody has heard of", "Sorry, 90,000 tokens are over what I take (65,536)."],
    ["another one", "Token count 9001 is larger than 8192."],
  ])("if %s says: %s", (_server, message) => {
    expect(isContextTooLong(new ProviderError("bad_request", message, { status: 400 }))).toBe(true);
    expect(isContextTooLong(new ProviderError("server", `127.0.0.1 broke its answer off: ${message}`))).toBe(true);
  });

  it.each<[ProviderErrorCode, string]>([
    ["bad_request", "Invalid schema for function 'read': context is not of type 'object'."],
    ["bad_request", "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens"],
    ["bad_request", "max_tokens is too large: 5000. This model supports at most 4096 completion tokens."],
    ["bad_request", "`max_tokens` must be greater than `thinking.budget_tokens`"],
    ["bad_request", "messages.1.content: image exceeds 5 MB maximum"],
    ["bad_request", "The tokenizer of the model could not be loaded."],
    ["rate_limit", "Rate limit reached: 30000 tokens per minute."],
    ["rate_limit", "You have used 1000000 tokens, which is more than your plan has."],
    ["authentication", "The token 1234567 is longer than a key may be."],
  ])("but not if a %s says: %s", (code, message) => {
    expect(isContextTooLong(new ProviderError(code, message))).toBe(false);
  });
});
