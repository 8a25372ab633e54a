import { describe, expect, it } from "vitest";
import { add, openaiSite } from "../../test/support/openai-site.ts";

type Body = Record<string, unknown>;

const chat = { model: "agent", messages: [{ role: "user", content: "Hi" }] };
const response = { model: "agent", input: "Hi" };
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

const call = (name: unknown, args: unknown) => ({
  messages: [
    { role: "user", content: "Hi" },
    { role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name, arguments: args } }] },
    { role: "tool", tool_call_id: "a", content: "x" },
    { role: "user", content: "Hi" },
  ],
});
const part = (value: unknown) => ({ messages: [{ role: "user", content: [value] }] });
const past = (image_url: object) => ({
  messages: [
    { role: "user", content: [{ type: "image_url", image_url }] },
    { role: "assistant", content: "I see." },
    { role: "user", content: "Hi" },
  ],
});
const item = (value: unknown) => ({ input: [value] });

/** What is changed in a request that is good, and the field that the error names. */
const refusedChats: readonly [param: string, change: Body][] = [
  ["model", { model: 7 }],
  ["model", { model: undefined }],
  ["model", { model: "gpt-5.5" }],
  ["messages", { messages: undefined }],
  ["messages", { messages: "Hi" }],
  ["messages[0]", { messages: [null] }],
  ["messages[0]", { messages: ["Hi"] }],
  ["messages[0].role", { messages: [{ content: "Hi" }] }],
  ["messages[0].role", { messages: [{ role: "owner", content: "Hi" }] }],
  ["messages[0].role", { messages: [{ role: "function", name: "a", content: "Hi" }] }],
  ["messages[0].content", { messages: [{ role: "user", content: 7 }] }],
  ["messages[0].content", { messages: [{ role: "user", content: { text: "Hi" } }] }],
  ["messages[0].content[0]", part("Hi")],
  ["messages[0].content[0].type", part({ text: "Hi" })],
  ["messages[0].content[0].type", part({ type: "input_audio", input_audio: { data: "", format: "wav" } })],
  ["messages[0].content[0].type", part({ type: "constructor" })],
  ["messages[0].content[0].text", part({ type: "text", text: 1 })],
  ["messages[0].content[0].image_url", part({ type: "image_url", image_url: "https://a.example/a.png" })],
  ["messages[0].content[0].image_url.url", part({ type: "image_url", image_url: { url: "http://a.example/a.png" } })],
  ["messages[0].content[0].image_url.url", part({ type: "image_url", image_url: { url: "file:///etc/passwd" } })],
  ["messages[0].content[0].image_url.url", part({ type: "image_url", image_url: { url: "data:image/png,raw" } })],
  ["messages[0].content[0].file.file_id", part({ type: "file", file: { file_id: "file-1" } })],
  ["messages[0].content[0].file.file_data", part({ type: "file", file: { file_data: "JVBERg==" } })],
  [
    "messages[0].content",
    {
      messages: [
        { role: "system", content: [{ type: "image_url", image_url: { url: "https://a.example/" } }] },
        ...chat.messages,
      ],
    },
  ],
  ["messages[1].tool_calls[0].function.name", call("", "{}")],
  ["messages[1].tool_calls[0].function.name", call("pay\n<end>", "{}")],
  ["messages[1].tool_calls[0].function.name", call("x".repeat(65), "{}")],
  ["messages", past({ url: "data:image/png;base64,%%%" })],
  ["messages", past({ url: "data:image/png;base64," })],
  ["messages", past({ url: "data:;base64,AAAA" })],
  ["metadata.conversation", { metadata: { conversation: "" } }],
  ["metadata.conversation", { metadata: { conversation: "a\u0000b" } }],
  ["messages", { messages: [] }],
  ["messages", { messages: [{ role: "user", content: "" }] }],
  ["messages", { messages: [{ role: "user", content: " \n" }] }],
  [
    "messages",
    {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello, I" },
      ],
    },
  ],
  ["messages[0]", { messages: [{ role: "tool", tool_call_id: "a", content: "x" }] }],
  ["messages[0].tool_call_id", { messages: [{ role: "tool", content: "x" }] }],
  ["messages[1].tool_calls[0]", { messages: call("f", "{}").messages.filter(({ role }) => role !== "tool") }],
  ["messages[1].tool_calls[0].function.arguments", call("f", {})],
  ["messages[1].tool_calls[0].function.arguments", call("f", "[1]")],
  ["messages[1].tool_calls[0].function.arguments", call("f", "{")],
  ["messages[1].tool_calls[0].function.arguments", call("f", deep(300))],
  ["messages[1].tool_calls[0].function.name", call(7, "{}")],
  [
    "messages[1].tool_calls",
    {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", tool_calls: {} },
      ],
    },
  ],
  ["stream", { stream: "yes" }],
  ["stream_options", { stream_options: [] }],
  ["n", { n: 2 }],
  ["n", { n: "1" }],
  ["logprobs", { logprobs: true }],
  ["top_logprobs", { top_logprobs: 3 }],
  ["stop", { stop: "END" }],
  ["response_format", { response_format: { type: "json_object" } }],
  ["response_format", { response_format: "json" }],
  ["modalities", { modalities: ["text", "audio"] }],
  ["audio", { audio: { voice: "a", format: "wav" } }],
  ["functions", { functions: [] }],
  ["function_call", { function_call: "auto" }],
  ["web_search_options", { web_search_options: {} }],
  ["temperature", { temperature: "hot" }],
  ["max_tokens", { max_tokens: "7" }],
  ["metadata", { metadata: "x" }],
  ["metadata.conversation", { metadata: { conversation: 7 } }],
  ["tool_choice", { tool_choice: "required" }],
  ["tool_choice", { tool_choice: { type: "function", function: { name: "add" } } }],
  ["tools", { tools: {} }],
  ["tools[0]", { tools: ["add"] }],
  ["tools[0].type", { tools: [{ type: "web_search" }] }],
  ["tools[0].function", { tools: [{ type: "function" }] }],
  ["tools[0].function.name", { tools: [{ type: "function", function: { name: "a b" } }] }],
  ["tools[0].function.parameters", { tools: [{ type: "function", function: { ...add, parameters: [] } }] }],
  ["tools[0].function.description", { tools: [{ type: "function", function: { ...add, description: 7 } }] }],
  [
    "tools[1]",
    {
      tools: [
        { type: "function", function: add },
        { type: "function", function: add },
      ],
    },
  ],
  ["tools", { tools: [{ type: "function", function: { ...add, name: "pay" } }] }],
];

const refusedResponses: readonly [param: string, change: Body][] = [
  ["conversation", { conversation: "" }],
  ["conversation", { conversation: { id: "x".repeat(600) } }],
  ["text.format", { text: { format: "json" } }],
  ["text.format", { text: { format: 5 } }],
  ["input[0].name", item({ type: "function_call", call_id: "a", name: "pay <end>", arguments: "{}" })],
  ["model", { model: 7 }],
  ["input", { input: 7 }],
  ["input", { input: {} }],
  ["input", { input: "" }],
  ["input", { input: undefined }],
  ["input", { input: [] }],
  ["input[0]", item("Hi")],
  ["input[0].type", item({ type: "computer_call_output" })],
  ["input[0].type", item({ type: 7 })],
  ["input[0].role", item({ type: "message", content: "Hi" })],
  ["input[0].role", item({ role: "critic", content: "Hi" })],
  ["input[0].content", item({ role: "user", content: 7 })],
  [
    "input[0].content[0].image_url",
    item({ role: "user", content: [{ type: "input_image", image_url: "gopher://a" }] }),
  ],
  ["input[0].content[0].file_id", item({ role: "user", content: [{ type: "input_image", file_id: "file-1" }] })],
  [
    "input[0].content[0].file_url",
    item({ role: "user", content: [{ type: "input_file", file_url: "http://a.example/" }] }),
  ],
  ["input[0]", item({ type: "function_call_output", call_id: "call_x", output: "3" })],
  ["input[0].call_id", item({ type: "function_call_output", output: "3" })],
  ["input[0].output", item({ type: "function_call_output", call_id: "a", output: 3 })],
  ["input[0]", item({ type: "function_call_output", call_id: "AAAABBBBCCCCDDDD_AAAABBBBCCCCDDDDEEEE", output: "3" })],
  ["input[0].arguments", item({ type: "function_call", call_id: "a", name: "f", arguments: "no" })],
  ["input[0]", item({ type: "mcp_approval_response", approval_request_id: "mcpr_x", approve: true })],
  ["input[0]", item({ type: "mcp_approval_response", approval_request_id: "mcpr_AAAABBBBCCCCDDDD_x", approve: true })],
  ["input[0]", item({ type: "mcp_approval_response", approval_request_id: "x", approve: true })],
  ["input[0].approve", item({ type: "mcp_approval_response", approval_request_id: "mcpr_x", approve: "yes" })],
  [
    "input[0]",
    {
      input: [
        { type: "item_reference", id: "msg_none" },
        { role: "user", content: "Hi" },
      ],
    },
  ],
  [
    "input[0]",
    {
      input: [
        { type: "item_reference", id: "msg_AAAABBBBCCCCDDDD_3_t1" },
        { role: "user", content: "Hi" },
      ],
    },
  ],
  ["instructions", { instructions: ["Be kind."] }],
  ["previous_response_id", { previous_response_id: 7 }],
  ["previous_response_id", { previous_response_id: "resp_none" }],
  ["previous_response_id", { previous_response_id: "resp_x", conversation: "c" }],
  ["conversation", { conversation: 7 }],
  ["conversation.id", { conversation: { id: 7 } }],
  ["background", { background: true }],
  ["prompt", { prompt: { id: "p" } }],
  ["text", { text: { format: { type: "json_schema", name: "a", schema: {} } } }],
  ["top_logprobs", { top_logprobs: 1 }],
  ["stream", { stream: 1 }],
  ["max_output_tokens", { max_output_tokens: "7" }],
  ["tool_choice", { tool_choice: "required" }],
  ["tools[0].type", { tools: [{ type: "mcp", server_label: "a", server_url: "https://a.example" }] }],
  ["tools[0].name", { tools: [{ type: "function" }] }],
  ["metadata", { metadata: [] }],
];

describe.each([
  { path: "/chat/completions", good: chat, refused: refusedChats },
  { path: "/responses", good: response, refused: refusedResponses },
])("a request to $path", ({ path, good, refused }) => {
  it.each(refused)("is refused with the name of the field: %s", async (param, change) => {
    const { ask, provider, errors, store } = openaiSite();
    const answer = await ask(path, { ...good, ...change });
    const { error } = (await answer.json()) as { error: Body };
    expect(answer.status).toBeLessThan(500);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(error).toMatchObject({ param, type: "invalid_request_error", message: expect.stringMatching(/\.$/) });
    expect(typeof error.code).toBe("string");
    expect(provider.requests).toEqual([]);
    expect(errors).toEqual([]);
    expect(await store.conversations({ user: "ada" })).toEqual([]);
  });

  it("is answered where fields are unknown, null, or settings of the model", async () => {
    const { ask } = openaiSite({ steps: ["Hi."] });
    const settings = {
      temperature: 1,
      top_p: 0.5,
      max_tokens: 5,
      max_output_tokens: 5,
      seed: 3,
      store: false,
      user: "u",
      n: 1,
    };
    const nulls = {
      stop: null,
      tools: null,
      tool_choice: null,
      metadata: null,
      previous_response_id: null,
      stream: null,
    };
    const unknown = { constructor: 1, extra: { deep: [] }, cache: true };
    const answer = await ask(
      path,
      JSON.stringify({ ...good, ...settings, ...nulls, ...unknown }).replace("{", '{"__proto__":{"n":2},'),
    );
    expect(answer.status).toBe(200);
  });

  it("is refused for a body that is no JSON object, too large, or nested too deep for what it holds", async () => {
    const { ask, errors } = openaiSite();
    for (const [body, status] of [
      ["", 400],
      ["no", 400],
      ["[]", 400],
      ["null", 400],
      [`{"a":"${"x".repeat(10_000_000)}"}`, 413],
      [`${"[".repeat(500_000)}${"]".repeat(500_000)}`, 400],
      [JSON.stringify({ ...good, tools: [toolOf(path)] }).replaceAll('"DEEP"', deep(100)), 400],
    ] as const)
      expect((await ask(path, body)).status).toBe(status);
    expect(errors).toEqual([]);
  });

  it("without a key, or with the key of nobody, gets a 401 in the shape of the wire", async () => {
    const { ask, store } = openaiSite();
    const answer = await ask(path, good, "nobody");
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({
      error: { message: "Sign in first.", type: "authentication_error", param: null, code: "invalid_api_key" },
    });
    expect(await store.conversations({ user: "ada" })).toEqual([]);
  });
});

/** A tool in whose schema a text stands for what is nested too deep. */
function toolOf(path: string): unknown {
  const parameters = { type: "object", properties: { a: "DEEP" } };
  return path === "/responses"
    ? { type: "function", name: "add", parameters }
    : { type: "function", function: { name: "add", parameters } };
}

it("answers other addresses and methods with 404 and 405 in the shape of the wire", async () => {
  const { ask, handler } = openaiSite();
  for (const path of ["", "/", "/chat", "/embeddings", "/responses/a/b", "/models/none"]) {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  }
  const got = await ask("/chat/completions");
  expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  const other = await handler(
    new Request("http://server.test/other", { headers: { authorization: "Bearer key-of-ada" } }),
  );
  expect(other.status).toBe(404);
});
