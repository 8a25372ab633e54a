import { ProviderError, scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { answerIn, answering, askingOnce, revisions } from "../../../test/support/answering.ts";
import { askError, callOf } from "../../../test/support/calls.ts";
import { capabilitiesFor } from "../questions/answer-requests.ts";
import { createSampler } from "./sampler.ts";

const user = (text: string) => ({ role: "user", content: { type: "text", text } });
const request = (params: object = {}) => ({ messages: [user("What is 2 + 2?")], maxTokens: 100, ...params });

describe.each(revisions)("a server that asks the model, revision %s", (revision) => {
  async function asking(params: object, provider = scripted(["Four."]), limits = {}) {
    const sampler = createSampler({ provider, ...limits });
    const server = await answering(askingOnce("sampling/createMessage", params, revision), revision, { sampler });
    /** The answer of the model, or what the server or the call got instead. */
    const outcome = async (context = callOf(() => "allow").context): Promise<unknown> => {
      const answer = await server.call(context).then(answerIn, (error: Error) => error.message);
      return (answer as { error?: { message: string } }).error?.message ?? answer;
    };
    return { ...server, outcome, provider };
  }

  it("gets an answer once the person has allowed it, who reads what it is and what it costs", async () => {
    const { outcome, provider } = await asking(
      request({ systemPrompt: "Be short.", stopSequences: ["!"], temperature: 0 }),
    );
    const { context, asked } = callOf(() => "allow");
    expect(await outcome(context)).toEqual({
      role: "assistant",
      content: { type: "text", text: "Four." },
      model: "scripted-1",
      stopReason: "endTurn",
    });
    expect(asked).toEqual([
      {
        message:
          'The server "github" asks the model scripted-1 for an answer, which you pay for and the server reads: 1 message, about 6 tokens, and at most 100 tokens of answer.\n\n' +
          "It instructs the model:\n> Be short.\n\nThe last message:\n> What is 2 + 2?",
        schema: { type: "string", enum: ["allow", "deny"] },
      },
    ]);
    expect(provider.requests[0]).toEqual({
      system: "Be short.",
      messages: [{ role: "user", content: "What is 2 + 2?" }],
      stop: ["!"],
      temperature: 0,
      maxOutputTokens: 100,
    });
  });

  it.each([
    ["the person denies it", () => "deny"],
    ["the person does not want to answer", () => Promise.reject(askError("answer_failed"))],
    ["nobody is there", () => Promise.reject(askError("unanswered"))],
  ])("gets none where %s", async (_, answer) => {
    const { outcome, provider } = await asking(request());
    expect(await outcome(callOf(answer).context)).toContain("The request was refused: the person did not allow it.");
    expect(provider.requests).toEqual([]);
  });

  it.each([
    ["has no messages", request({ messages: [] }), "it has no messages"],
    [
      "has too many messages",
      request({ messages: Array.from({ length: 101 }, () => user("x")) }),
      "it has 101 messages, more than 100",
    ],
    [
      "has ten million characters",
      request({ messages: [user("x".repeat(10_000_000))] }),
      "it has more than 200000 characters",
    ],
    ["has a long instruction", request({ systemPrompt: "x".repeat(300_000) }), "it has more than 200000 characters"],
    ["needs more than there is", request({ messages: [user("x".repeat(90_000))] }), "it needs more than 20000 tokens"],
    [
      "brings sound",
      request({ messages: [{ role: "user", content: { type: "audio", data: "AAAA", mimeType: "audio/wav" } }] }),
      "it holds more than texts, and images of the user",
    ],
    [
      "brings an image for a model without eyes",
      request({ messages: [{ role: "user", content: { type: "image", data: "AAAA", mimeType: "image/png" } }] }),
      "an image of it cannot be used: The model takes no attachments, and attachment 1 is of the kind image.",
    ],
  ])("gets none, and nobody is asked, where its request %s", async (_, params, because) => {
    const { outcome, logged, provider } = await asking(params);
    const { context, asked } = callOf(() => "allow");
    expect(await outcome(context)).toContain(because);
    expect(logged).toEqual([`A request for an answer of the model was refused: ${because}.`]);
    expect([asked, provider.requests]).toEqual([[], []]);
  });

  it("gets none outside of a call", async () => {
    const { call, logged } = await asking(request());
    await call(undefined).catch(() => {});
    expect(logged).toEqual(["A request for an answer of the model was refused: no call of the server is in flight."]);
  });

  it("never gets more tokens in an answer than the host allows", async () => {
    const { outcome, provider } = await asking(request({ maxTokens: 1_000_000 }), scripted(["Four."]), {
      maxAnswerTokens: 50,
    });
    const { context, asked } = callOf(() => "allow");
    await outcome(context);
    expect(asked[0]?.message).toContain("at most 50 tokens of answer");
    expect(provider.requests[0]?.maxOutputTokens).toBe(50);
  });

  it("hears only the code of an error of the provider", async () => {
    const failing = scripted([{ error: new ProviderError("authentication", "The key sk-secret-123 is wrong.") }]);
    const { outcome, logged } = await asking(request(), failing);
    expect(await outcome()).toContain("The request was refused: the model gave no answer (authentication).");
    expect(logged.join()).not.toContain("sk-secret-123");
  });
});

describe("the tokens of servers", () => {
  const event = { type: "user", content: "Hi.", timestamp: 1 } as const;
  const turn = (count: number, conversation = "c") => ({
    conversation,
    state: { events: Array.from({ length: count }, () => event), metadata: {}, step: 1, usage: {} as never },
  });
  const params = request({ messages: [user("x".repeat(1200))], maxTokens: 100 });
  const log = () => {};

  it("are limited over all requests of a run, and full again with the next message of the person", async () => {
    const sampler = createSampler({
      provider: scripted(Array.from({ length: 9 }, () => "y".repeat(400))),
      maxTokens: 1000,
    });
    const ask = async (count: number, conversation?: string) => {
      const { context } = callOf(() => "allow", turn(count, conversation));
      const sampled = await sampler.answer(params, { server: "github", context, log });
      return "refused" in sampled ? sampled.refused : "answered";
    };
    const spent = "The request was refused: the tokens that servers may use in this run are spent.";
    expect([await ask(1), await ask(1), await ask(1)]).toEqual(["answered", "answered", spent]);
    expect(await ask(1, "another")).toBe("answered");
    expect(await ask(2)).toBe("answered");
  });

  it("cannot be spent twice by requests of one moment", async () => {
    const provider = scripted(["y", "y", "y"]);
    const sampler = createSampler({ provider, maxTokens: 1000 });
    const sampled = await Promise.all(
      [1, 2, 3].map(() =>
        sampler.answer(params, { server: "github", context: callOf(() => "allow", turn(1)).context, log }),
      ),
    );
    expect(sampled.filter((one) => "result" in one)).toHaveLength(2);
    expect(provider.requests).toHaveLength(2);
  });

  it("ends with the call that is cancelled", async () => {
    const controller = new AbortController();
    const sampler = createSampler({ provider: scripted([{ hang: true }]) });
    const { context } = callOf(() => "allow", { ...turn(1), signal: controller.signal });
    const sampling = sampler.answer(params, { server: "github", context, log });
    controller.abort(new Error("stopped"));
    await expect(sampling).rejects.toThrow("stopped");
  });
});

it("declares sampling only where the host allows it, and never tools in it", () => {
  const sampler = createSampler({ provider: scripted([]) });
  expect(capabilitiesFor({ elicitation: false, sampler })).toEqual({ sampling: {} });
});

it.each([
  [{ provider: {} }, "provider"],
  [{ provider: scripted([]), maxTokens: 0 }, "maxTokens"],
  [{ provider: scripted([]), maxTokns: 1 }, "maxTokns"],
])("refuses wrong options: %s", (options, option) => {
  expect(() => createSampler(options as never)).toThrow(option);
});
