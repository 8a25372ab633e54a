import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ProviderError } from "@cogency/provider";
import { serve } from "@tooling/loopback";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { add, calling, openaiSite } from "../../test/support/openai-site.ts";
import { nodeListener } from "../node/index.ts";

const hi = { model: "agent", messages: [{ role: "user" as const, content: "Hi" }] };
const chunks = { chunks: ["Good ", "mor", "ning."], delay: 1 };
const thinking = {
  events: [
    { type: "reasoning" as const, text: "Is it morning?" },
    { type: "text" as const, text: "Good morning." },
  ],
};

describe("the client of OpenAI", () => {
  it("gets a completion, whole and streamed, with its usage", async () => {
    const usage = { input: 5, output: 7, cacheRead: 3, cacheWrite: 0, reasoning: 2 };
    const { ada } = openaiSite({
      steps: [
        { ...chunks, usage },
        { ...chunks, usage },
      ],
    });
    const whole = await ada.chat.completions.create(hi);
    const wanted = {
      prompt_tokens: 8,
      completion_tokens: 7,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    expect(whole).toMatchObject({
      object: "chat.completion",
      model: "agent",
      choices: [{ message: { role: "assistant", content: "Good morning." }, finish_reason: "stop" }],
      usage: wanted,
    });
    const stream = ada.chat.completions.stream({ ...hi, stream_options: { include_usage: true } });
    const deltas: string[] = [];
    stream.on("content", (delta) => deltas.push(delta));
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe("Good morning.");
    expect(final.usage).toEqual(wanted);
    expect(deltas.join("")).toBe("Good morning.");
  });

  it("gets a response, whole and streamed, whose snapshot is that of the server", async () => {
    const { ada } = openaiSite({ steps: [chunks, chunks] });
    const whole = await ada.responses.create({ model: "agent", input: "Hi" });
    expect(whole).toMatchObject({ object: "response", status: "completed", output_text: "Good morning." });
    const stream = ada.responses.stream({ model: "agent", input: "Hi" });
    const deltas: string[] = [];
    stream.on("response.output_text.delta", ({ delta }) => deltas.push(delta));
    const final = await stream.finalResponse();
    expect(final.output_text).toBe("Good morning.");
    expect(deltas.join("")).toBe("Good morning.");
    expect((await ada.responses.retrieve(final.id)).output).toEqual(
      final.output.map(({ ...item }) => withoutParsed(item)),
    );
  });

  it("runs its own tools, and the agent goes on with their results in the same conversation", async () => {
    const steps = [calling("add", { a: 1, b: 2 }, "I add."), "It is 3."];
    const { ada, provider, store } = openaiSite({ steps });
    const asked: unknown[] = [];
    const runner = ada.chat.completions.runTools({
      ...hi,
      tools: [
        {
          type: "function",
          function: {
            ...add,
            parse: JSON.parse,
            function: (args: { a: number; b: number }) => {
              asked.push(args);
              return `${args.a + args.b}`;
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe("It is 3.");
    expect(asked).toEqual([{ a: 1, b: 2 }]);
    provider.assertDone();
    expect(provider.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: "tool", results: [{ name: "add" }] });
    expect(await store.conversations({ user: "ada" })).toHaveLength(1);
  });

  it("runs its own tools while it streams", async () => {
    const { ada } = openaiSite({ steps: [calling("add", { a: 1, b: 2 }), "It is 3."] });
    const parameters = add.parameters;
    const called = {
      ...add,
      parameters,
      parse: JSON.parse,
      function: ({ a, b }: { a: number; b: number }) => `${a + b}`,
    };
    const runner = ada.chat.completions.runTools({
      ...hi,
      stream: true,
      tools: [{ type: "function", function: called }],
    });
    expect(await runner.finalContent()).toBe("It is 3.");
  });

  it("sends the results of its tools in the next request of Responses, with the id of the response or without", async () => {
    for (const isNamed of [true, false]) {
      const { ada, provider } = openaiSite({ steps: [calling("add", { a: 1, b: 2 }), "It is 3."] });
      const tools = [{ type: "function" as const, strict: false, ...add }];
      const first = await ada.responses.create({ model: "agent", input: "Add.", tools });
      const [call] = first.output.filter((item) => item.type === "function_call");
      expect(call).toMatchObject({ name: "add", arguments: '{"a":1,"b":2}', status: "completed" });
      const output = { type: "function_call_output" as const, call_id: call?.call_id ?? "", output: "3" };
      const second = isNamed
        ? await ada.responses.create({ model: "agent", input: [output], previous_response_id: first.id })
        : await ada.responses.create({
            model: "agent",
            input: [{ role: "user", content: "Add." }, ...(call ? [call] : []), output],
            tools,
          });
      expect(second.output_text).toBe("It is 3.");
      provider.assertDone();
    }
  });

  it("sees reasoning with the scope `thinking` alone", async () => {
    const { ada, bob } = openaiSite({ steps: [thinking, thinking, thinking, thinking] });
    const message = async (client: OpenAI) => (await client.chat.completions.create(hi)).choices[0]?.message;
    expect(await message(ada)).toMatchObject({ content: "Good morning.", reasoning_content: "Is it morning?" });
    expect(await message(bob)).not.toHaveProperty("reasoning_content");
    const types = async (client: OpenAI) =>
      (await client.responses.create({ model: "agent", input: "Hi" })).output.map(({ type }) => type);
    expect(await types(ada)).toEqual(["reasoning", "message"]);
    expect(await types(bob)).toEqual(["message"]);
  });

  it.each([
    { tools: "hidden", content: "Owls.", reasoning: undefined },
    { tools: "text", content: 'lookup {"topic":"owls"}\n\nOwls.', reasoning: undefined },
    { tools: "reasoning", content: "Owls.", reasoning: 'lookup {"topic":"owls"}' },
  ] as const)("sees calls of the agent's tools as the option says: $tools", async ({ tools, content, reasoning }) => {
    const steps = [calling("lookup", { topic: "owls" }), "Owls.", calling("lookup", { topic: "owls" }), "Owls."];
    const { bob } = openaiSite({ steps, options: { tools } });
    const { choices } = await bob.chat.completions.create(hi);
    expect(choices[0]?.message.content).toBe(content);
    expect({ reasoning_content: undefined, ...choices[0]?.message }.reasoning_content).toBe(reasoning);
    const { output, output_text } = await bob.responses.create({ model: "agent", input: "Hi" });
    expect(output_text).toBe(content.replace("\n\n", ""));
    expect(output.filter(({ type }) => type === "reasoning")).toHaveLength(reasoning === undefined ? 0 : 1);
  });

  it("gets errors of its classes, with code, param and the id of the request", async () => {
    const { ada, clientOf } = openaiSite({ steps: [] });
    const refused = (request: Promise<unknown>) =>
      request.then(
        () => undefined,
        (error: unknown) => error,
      );
    const wrongKey = await refused(clientOf("no-key").models.list());
    expect(wrongKey).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(wrongKey).toMatchObject({ status: 401, code: "invalid_api_key", requestID: expect.stringMatching(/^req_/) });
    const noModel = await refused(ada.chat.completions.create({ ...hi, model: "gpt" }));
    expect(noModel).toBeInstanceOf(OpenAI.NotFoundError);
    expect(noModel).toMatchObject({ code: "model_not_found", param: "model" });
    const twice = await refused(ada.chat.completions.create({ ...hi, n: 2 }));
    expect(twice).toBeInstanceOf(OpenAI.BadRequestError);
    expect(twice).toMatchObject({ code: "unsupported_parameter", param: "n", type: "invalid_request_error" });
    expect(await refused(ada.responses.retrieve("resp_none"))).toBeInstanceOf(OpenAI.NotFoundError);
  });

  it("asks again when a limit says when", async () => {
    const { clientOf, handler } = openaiSite({ options: { limits: { requests: 60 } } });
    const limited: (string | null)[] = [];
    const client = clientOf("key-of-ada").withOptions({
      fetch: async (input, init) => {
        const response = await handler(new Request(input as string, init as RequestInit));
        if (response.status === 429) limited.push(response.headers.get("retry-after"));
        return response;
      },
    });
    for (let count = 0; count <= 60; count++) await client.models.list();
    expect(limited).toContain("1");
    for (let count = 0; count <= 60; count++)
      await client.models.list({ maxRetries: 0 }).catch((error) => expect(error).toBeInstanceOf(OpenAI.RateLimitError));
  });

  it("does not ask again when a run has failed, and reads no words of the provider", async () => {
    const error = new ProviderError("bad_request", "secret words of the provider", { retryable: false });
    const { ada, provider } = openaiSite({ steps: [{ error }, { error }] });
    const failed = await ada.chat.completions.create(hi).catch((failure: unknown) => failure);
    expect(failed).toBeInstanceOf(OpenAI.InternalServerError);
    expect(String(failed)).not.toContain("secret");
    expect(provider.requests).toHaveLength(1);
  });

  it("gets the failure of a run within a stream, without the words of the provider", async () => {
    const error = new ProviderError("bad_request", "secret words of the provider", { retryable: false });
    const { ada, ask } = openaiSite({ steps: [{ error }, { error }, { error }] });
    await expect(ada.chat.completions.stream(hi).done()).rejects.toBeInstanceOf(OpenAI.APIError);
    const final = await ada.responses.create({ model: "agent", input: "Hi", stream: true });
    const types: string[] = [];
    for await (const event of final) types.push(event.type);
    expect(types.at(-1)).toBe("response.failed");
    expect(await (await ask("/responses", { input: "Hi", stream: true })).text()).not.toContain("secret");
  });

  it("lists models and gets one", async () => {
    const { ada } = openaiSite({ options: { models: ["helper", "team/clerk"] } });
    const { data } = await ada.models.list();
    expect(data.map(({ id }) => id)).toEqual(["helper", "team/clerk"]);
    expect((await ada.models.retrieve("team/clerk")).id).toBe("team/clerk");
    await expect(ada.models.retrieve("none")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it("works over a socket", async () => {
    const { handler } = openaiSite({ steps: [chunks] });
    const server = await serve(nodeListener(handler));
    const client = new OpenAI({ apiKey: "key-of-ada", baseURL: `${server.url}/v1` });
    expect((await client.chat.completions.stream(hi).finalChatCompletion()).choices[0]?.message.content).toBe(
      "Good morning.",
    );
  });
});

describe("the AI SDK", () => {
  const fetchOf =
    (handler: (request: Request) => Promise<Response>): typeof fetch =>
    (input, init) =>
      handler(new Request(input as string, init));

  it.each(["chat", "responses", "compatible"] as const)("runs its own tools over %s", async (wire) => {
    const { handler } = openaiSite({ steps: [calling("add", { a: 1, b: 2 }, "I add."), "It is 3."] });
    const options = { apiKey: "key-of-ada", baseURL: "http://server.test/v1", fetch: fetchOf(handler) };
    const openai = createOpenAI(options);
    const model =
      wire === "compatible" ? createOpenAICompatible({ ...options, name: "cogency" })("agent") : openai[wire]("agent");
    const added = tool({
      description: add.description,
      inputSchema: jsonSchema<{ a: number; b: number }>(add.parameters as Parameters<typeof jsonSchema>[0]),
      execute: async ({ a, b }) => `${a + b}`,
    });
    const errors: unknown[] = [];
    const result = streamText({
      model,
      prompt: "Add.",
      tools: { add: added },
      stopWhen: stepCountIs(3),
      onError: ({ error }) => void errors.push(error),
    });
    await result.consumeStream();
    expect(errors).toEqual([]);
    expect((await result.steps).map(({ text }) => text)).toEqual(["I add.", "It is 3."]);
  });

  it("sends back what an answer held as references to its items", async () => {
    const { handler, provider } = openaiSite({
      steps: [calling("lookup", { topic: "owls" }, "I look."), "Owls.", "Elks."],
    });
    const model = createOpenAI({
      apiKey: "key-of-ada",
      baseURL: "http://server.test/v1",
      fetch: fetchOf(handler),
    }).responses("agent");
    const first = await generateText({ model, prompt: "Owls?" });
    const messages = [
      { role: "user" as const, content: "Owls?" },
      ...first.responseMessages,
      { role: "user" as const, content: "Elks?" },
    ];
    expect((await generateText({ model, messages })).text).toBe("Elks.");
    expect(provider.requests.at(-1)?.messages.map((message) => ("content" in message ? message.content : ""))).toEqual([
      "Owls?",
      "I look.\n\nOwls.",
      "Elks?",
    ]);
  });
});

function withoutParsed<Item extends object>(item: Item): Item {
  return JSON.parse(JSON.stringify(item, (name, value) => (name === "parsed" ? undefined : value)));
}
