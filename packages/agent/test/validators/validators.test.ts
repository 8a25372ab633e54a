import { describe, expect, it } from "vitest";
import { validators, type Wire } from "./index.ts";

const user = { role: "user", content: "Go." };
const words = { role: "assistant", content: "I see." };

const call = (id: string, fields: object = {}) => ({
  id,
  type: "function",
  function: { name: "look", arguments: "{}", ...fields },
});
const asks = (...calls: object[]) => ({ role: "assistant", content: null, tool_calls: calls });
const told = (tool_call_id: string) => ({ role: "tool", tool_call_id, content: "" });
const chat = (messages: unknown[], more: object = {}) => ({ model: "m", messages, ...more });
const chatTool = { type: "function", function: { name: "look", parameters: { type: "object" } } };

const item = (call_id: string, more: object = {}) => ({
  type: "function_call",
  call_id,
  name: "look",
  arguments: "{}",
  ...more,
});
const output = (call_id: string) => ({ type: "function_call_output", call_id, output: "" });
const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" };
const spoken = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "I see." }] };
const responses = (input: unknown[], more: object = {}) => ({ model: "m", input, store: false, ...more });

const use = (id: string, more: object = {}) => ({ type: "tool_use", id, name: "look", input: {}, ...more });
const result = (tool_use_id: string) => ({ type: "tool_result", tool_use_id });
const text = { type: "text", text: "I see." };
const thinking = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
const says = (...content: object[]) => ({ role: "assistant", content });
const gives = (...content: object[]) => ({ role: "user", content });
const messages = (list: unknown[], more: object = {}) => ({ model: "m", max_tokens: 4096, messages: list, ...more });
const enabled = { thinking: { type: "enabled", budget_tokens: 2048 } };
const messagesTool = { name: "look", input_schema: { type: "object" } };

const good: Record<Wire, unknown[]> = {
  chat: [
    chat([user]),
    chat([{ role: "system", content: "Be brief." }, user, words, user]),
    chat([user, asks(call("1"), call("2")), told("2"), told("1")], { tools: [chatTool], tool_choice: "auto" }),
    chat([user, { ...asks(call("1")), content: "Well." }, told("1"), words, user], {
      tools: [chatTool],
      tool_choice: { type: "function", function: { name: "look" } },
    }),
  ],
  responses: [
    responses([user], { instructions: "Be brief." }),
    responses([user, thought, item("1", { id: "fc_1" }), item("2"), output("1"), output("2")]),
    responses([user, thought, spoken, user]),
    responses([user, { role: "assistant", content: "I see." }, item("1"), output("1"), user]),
  ],
  messages: [
    messages([user]),
    messages([user, says(thinking, text, use("1"), use("2")), gives(result("1"), result("2"), text)], {
      ...enabled,
      tools: [messagesTool],
    }),
    messages([user, words, user], { ...enabled, system: [{ type: "text", text: "Be brief." }] }),
    messages([user, says({ type: "redacted_thinking", data: "ZGF0YQ" }, use("1")), gives(result("1"))]),
  ],
};

const bad: [wire: Wire, why: string, body: unknown, problem: string][] = [
  ["chat", "no object", "go", "the body is not an object"],
  ["chat", "no messages", chat([]), "messages is empty"],
  ["chat", "no model", { messages: [user] }, "model is not a text"],
  ["chat", "an unknown role", chat([{ role: "robot", content: "a" }]), 'role is "robot"'],
  ["chat", "a user without words", chat([{ role: "user", content: null }]), "content is not a text"],
  ["chat", "half a surrogate pair", chat([{ role: "user", content: "\ud83d" }]), "half a surrogate pair"],
  ["chat", "an empty answer", chat([user, { ...words, content: "" }, user]), "messages[1] is empty"],
  ["chat", "null beside no calls", chat([user, { ...words, content: null }, user]), "content is not a text"],
  ["chat", "an empty list of calls", chat([user, { ...words, tool_calls: [] }, user]), "tool_calls is empty"],
  ["chat", "a call without a response", chat([user, asks(call("1")), user]), "have no response: 1"],
  ["chat", "a call without a response at the end", chat([user, asks(call("1"))]), "have no response: 1"],
  ["chat", "one response of two", chat([user, asks(call("1"), call("2")), told("1"), user]), "have no response: 2"],
  ["chat", "words between call and response", chat([user, asks(call("1")), user, told("1")]), "have no response: 1"],
  ["chat", "two responses", chat([user, asks(call("1")), told("1"), told("1")]), "must be a response"],
  ["chat", "a response without a call", chat([user, told("1")]), "must be a response"],
  ["chat", "two calls of one id", chat([user, asks(call("1"), call("1")), told("1")]), '"1" is used twice'],
  [
    "chat",
    "an id used again",
    chat([user, asks(call("1")), told("1"), asks(call("1")), told("1")]),
    '"1" is used twice',
  ],
  ["chat", "an id that is too long", chat([user, asks(call("x".repeat(41))), told("x".repeat(41))]), "does not match"],
  ["chat", "a name that is not allowed", chat([user, asks(call("1", { name: "a b" })), told("1")]), "does not match"],
  ["chat", "arguments that are no JSON", chat([user, asks(call("1", { arguments: "{" })), told("1")]), "not JSON text"],
  [
    "chat",
    "arguments that are a list",
    chat([user, asks(call("1", { arguments: "[]" })), told("1")]),
    "is not an object",
  ],
  ["chat", "nothing to answer", chat([user, words]), "nothing to answer"],
  ["chat", "no tools in a list", chat([user], { tools: [] }), "tools is empty"],
  ["chat", "two tools of one name", chat([user], { tools: [chatTool, chatTool] }), "used twice"],
  ["chat", "a choice without tools", chat([user], { tool_choice: "auto" }), "only allowed when tools"],
  [
    "chat",
    "a choice of another tool",
    chat([user], { tools: [chatTool], tool_choice: { type: "function", function: { name: "walk" } } }),
    "names no tool",
  ],
  ["chat", "options of a stream without one", chat([user], { stream_options: {} }), "stream_options"],

  ["responses", "no input", responses([]), "input is empty"],
  ["responses", "empty instructions", responses([user], { instructions: "" }), "instructions is empty"],
  ["responses", "an unknown role", responses([{ role: "tool", content: "a" }]), 'role is "tool"'],
  ["responses", "an unknown item", responses([{ type: "item_reference", call_id: "1" }]), "type is"],
  ["responses", "an empty answer", responses([user, { ...words, content: "" }, user]), "input[1] is empty"],
  ["responses", "a call without output", responses([user, item("1"), user]), "no tool output found"],
  ["responses", "a call without output at the end", responses([user, item("1")]), "No tool output found"],
  [
    "responses",
    "words between call and output",
    responses([user, item("1"), user, output("1")]),
    "no tool output found",
  ],
  ["responses", "an output without a call", responses([user, output("1")]), "no tool call found"],
  ["responses", "an output before its call", responses([output("1"), item("1"), user]), "no tool call found"],
  ["responses", "two outputs", responses([user, item("1"), output("1"), output("1")]), "no tool call found"],
  ["responses", "a call id used again", responses([item("1"), output("1"), item("1"), output("1")]), "used twice"],
  ["responses", "an empty call id", responses([item(""), output("")]), "does not match"],
  [
    "responses",
    "a call id that is too long",
    responses([item("x".repeat(65)), output("x".repeat(65))]),
    "does not match",
  ],
  ["responses", "a name that is not allowed", responses([item("1", { name: "a.b" }), output("1")]), "does not match"],
  ["responses", "arguments that are no text", responses([item("1", { arguments: {} }), output("1")]), "is not a text"],
  ["responses", "the id of another kind", responses([item("1", { id: "call_1" }), output("1")]), "must begin with fc_"],
  ["responses", "an item twice", responses([user, thought, spoken, thought, spoken, user]), "used twice"],
  [
    "responses",
    "reasoning that is not stored",
    responses([{ ...thought, encrypted_content: null }, spoken, user]),
    "not stored",
  ],
  [
    "responses",
    "reasoning without its summary",
    responses([{ ...thought, summary: undefined }, spoken, user]),
    "summary",
  ],
  ["responses", "reasoning that led to nothing", responses([user, thought, user]), "required following item"],
  ["responses", "reasoning at the end", responses([user, thought]), "required following item"],
  ["responses", "words of the user as output", responses([{ role: "user", content: spoken.content }]), "input_text"],
  ["responses", "nothing to answer", responses([user, spoken]), "nothing to answer"],
  ["responses", "a choice without tools", responses([user], { tool_choice: "required" }), "only allowed when tools"],

  ["messages", "no messages", messages([]), "messages is empty"],
  ["messages", "no limit", messages([user], { max_tokens: undefined }), "max_tokens"],
  ["messages", "a blank system prompt", messages([user], { system: " " }), "non-whitespace"],
  ["messages", "the role of a tool", messages([user, { role: "tool", content: "a" }]), 'role is "tool"'],
  ["messages", "the assistant first", messages([words, user]), "first message must use the user role"],
  ["messages", "the assistant last", messages([user, words]), "the assistant's"],
  ["messages", "two of one role", messages([user, user]), "must alternate"],
  ["messages", "empty words", messages([{ ...user, content: "" }]), "non-whitespace"],
  ["messages", "blank words", messages([user, says({ ...text, text: "\n" }), user]), "non-whitespace"],
  ["messages", "no content", messages([user, says(), user]), "content is empty"],
  ["messages", "a call without a result", messages([user, says(use("1")), user]), "without tool_result blocks: 1"],
  ["messages", "one result of two", messages([user, says(use("1"), use("2")), gives(result("1"))]), "blocks: 2"],
  ["messages", "a result without a call", messages([user, words, gives(result("1"))]), "unexpected tool_use_id 1"],
  [
    "messages",
    "a result of an earlier call",
    messages([user, says(use("1")), gives(result("1")), words, gives(result("1"))]),
    "unexpected",
  ],
  ["messages", "two results", messages([user, says(use("1")), gives(result("1"), result("1"))]), "a single result"],
  ["messages", "words before a result", messages([user, says(use("1")), gives(text, result("1"))]), "must come first"],
  ["messages", "a call of the user", messages([gives(use("1"))]), 'type is "tool_use"'],
  ["messages", "two calls of one id", messages([user, says(use("1"), use("1")), gives(result("1"))]), "used twice"],
  ["messages", "an id with a dot", messages([user, says(use("a.b")), gives(result("a.b"))]), "does not match"],
  [
    "messages",
    "a name that is not allowed",
    messages([user, says(use("1", { name: "" })), gives(result("1"))]),
    "does not match",
  ],
  [
    "messages",
    "input that is text",
    messages([user, says(use("1", { input: "{}" })), gives(result("1"))]),
    "is not an object",
  ],
  [
    "messages",
    "thinking without a signature",
    messages([user, says({ ...thinking, signature: undefined }, text), user]),
    "signature",
  ],
  ["messages", "thinking at the end", messages([user, says(text, thinking), user]), "cannot be thinking"],
  ["messages", "thinking of the user", messages([gives(thinking)]), 'type is "thinking"'],
  ["messages", "a budget above the limit", messages([user], { ...enabled, max_tokens: 2000 }), "less than max_tokens"],
  [
    "messages",
    "a forced tool beside thinking",
    messages([user], { ...enabled, tools: [messagesTool], tool_choice: { type: "any" } }),
    "forces tool use",
  ],
  [
    "messages",
    "a call without its thinking",
    messages([user, says(use("1")), gives(result("1"))], { ...enabled, tools: [messagesTool] }),
    "must start with a thinking block",
  ],
  ["messages", "a choice without tools", messages([user], { tool_choice: { type: "auto" } }), "while providing tools"],
  [
    "messages",
    "a schema that is no object",
    messages([user], { tools: [{ ...messagesTool, input_schema: {} }] }),
    '"object"',
  ],
  [
    "messages",
    "five marks of the cache",
    messages([gives(...Array(5).fill({ ...text, cache_control: { type: "ephemeral" } }))]),
    "more than 4",
  ],
];

describe("the validators of requests", () => {
  it.each(Object.entries(good))("accept good requests of %s", (wire, bodies) => {
    for (const body of bodies) expect(validators[wire as Wire](body), JSON.stringify(body)).toBeUndefined();
  });

  it.each(bad)("refuse on the wire %s a request with %s", (wire, _, body, problem) => {
    expect(validators[wire](body)).toContain(problem);
  });
});
