import { describeValidator } from "./describe-validator.ts";
import { chatProblem } from "./openai-chat.ts";

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
const shows = (...content: object[]) => ({ role: "user", content });
const picture = (url: string) => ({ type: "image_url", image_url: { url } });

describeValidator("OpenAI's Chat Completions", chatProblem, {
  good: [
    chat([shows({ type: "text", text: "Look." }, picture("data:image/png;base64,aGk="))]),
    chat([shows({ type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,aGk=" } })]),
    chat([user]),
    chat([{ role: "system", content: "Be brief." }, user, words, user]),
    chat([user, asks(call("1"), call("2")), told("2"), told("1")], { tools: [chatTool], tool_choice: "auto" }),
    chat([user, { ...asks(call("1")), content: "Well." }, told("1"), words, user], {
      tools: [chatTool],
      tool_choice: { type: "function", function: { name: "look" } },
    }),
  ],
  bad: [
    ["a picture without its address", chat([shows({ type: "image_url", image_url: {} })]), "url is not a text"],
    ["a picture that is no base64", chat([shows(picture("data:image/png;base64,?"))]), "does not match"],
    [
      "a file without its bytes",
      chat([shows({ type: "file", file: { filename: "a.pdf" } })]),
      "file_data is not a text",
    ],
    ["no parts in a list", chat([shows()]), "content is empty"],
    ["a part of another wire", chat([shows({ type: "input_text", text: "a" })]), 'type is "input_text"'],
    [
      "a picture in a response",
      chat([user, asks(call("1")), { ...told("1"), content: [picture("https://example.com/a.png")] }]),
      "content is not a text",
    ],
    ["no object", "go", "the body is not an object"],
    ["no messages", chat([]), "messages is empty"],
    ["no model", { messages: [user] }, "model is not a text"],
    ["an unknown role", chat([{ role: "robot", content: "a" }]), 'role is "robot"'],
    ["a user without words", chat([{ role: "user", content: null }]), "content is not a text"],
    ["half a surrogate pair", chat([{ role: "user", content: "\ud83d" }]), "half a surrogate pair"],
    ["an empty answer", chat([user, { ...words, content: "" }, user]), "messages[1] is empty"],
    ["null beside no calls", chat([user, { ...words, content: null }, user]), "content is not a text"],
    ["an empty list of calls", chat([user, { ...words, tool_calls: [] }, user]), "tool_calls is empty"],
    ["a call without a response", chat([user, asks(call("1")), user]), "have no response: 1"],
    ["a call without a response at the end", chat([user, asks(call("1"))]), "have no response: 1"],
    ["one response of two", chat([user, asks(call("1"), call("2")), told("1"), user]), "have no response: 2"],
    ["words between call and response", chat([user, asks(call("1")), user, told("1")]), "have no response: 1"],
    ["two responses", chat([user, asks(call("1")), told("1"), told("1")]), "must be a response"],
    ["a response without a call", chat([user, told("1")]), "must be a response"],
    ["two calls of one id", chat([user, asks(call("1"), call("1")), told("1")]), '"1" is used twice'],
    ["an id used again", chat([user, asks(call("1")), told("1"), asks(call("1")), told("1")]), '"1" is used twice'],
    ["an id that is too long", chat([user, asks(call("x".repeat(41))), told("x".repeat(41))]), "does not match"],
    ["a name that is not allowed", chat([user, asks(call("1", { name: "a b" })), told("1")]), "does not match"],
    ["arguments that are no JSON", chat([user, asks(call("1", { arguments: "{" })), told("1")]), "not JSON text"],
    ["arguments that are a list", chat([user, asks(call("1", { arguments: "[]" })), told("1")]), "is not an object"],
    ["nothing to answer", chat([user, words]), "nothing to answer"],
    ["no tools in a list", chat([user], { tools: [] }), "tools is empty"],
    ["two tools of one name", chat([user], { tools: [chatTool, chatTool] }), "used twice"],
    ["a choice without tools", chat([user], { tool_choice: "auto" }), "only allowed when tools"],
    [
      "a choice of another tool",
      chat([user], { tools: [chatTool], tool_choice: { type: "function", function: { name: "walk" } } }),
      "names no tool",
    ],
    ["options of a stream without one", chat([user], { stream_options: {} }), "stream_options"],
  ],
});
