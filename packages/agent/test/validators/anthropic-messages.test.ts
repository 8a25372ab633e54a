import { messagesProblem } from "./anthropic-messages.ts";
import { describeValidator } from "./describe-validator.ts";

const user = { role: "user", content: "Go." };
const words = { role: "assistant", content: "I see." };

const use = (id: string, more: object = {}) => ({ type: "tool_use", id, name: "look", input: {}, ...more });
const result = (tool_use_id: string) => ({ type: "tool_result", tool_use_id });
const text = { type: "text", text: "I see." };
const thinking = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
const says = (...content: object[]) => ({ role: "assistant", content });
const gives = (...content: object[]) => ({ role: "user", content });
const messages = (list: unknown[], more: object = {}) => ({ model: "m", max_tokens: 4096, messages: list, ...more });
const enabled = { thinking: { type: "enabled", budget_tokens: 2048 } };
const messagesTool = { name: "look", input_schema: { type: "object" } };
const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };

describeValidator("Anthropic's Messages", messagesProblem, {
  good: [
    messages([gives(text, picture)]),
    messages([user, says(use("1")), gives({ ...result("1"), content: [text, picture] })], {
      thinking: { type: "adaptive" },
    }),
    messages([user, says(thinking, text), user], { thinking: { type: "disabled" } }),
    messages([user]),
    messages([user, says(thinking, text, use("1"), use("2")), gives(result("1"), result("2"), text)], {
      ...enabled,
      tools: [messagesTool],
    }),
    messages([user, words, user], { ...enabled, system: [{ type: "text", text: "Be brief." }] }),
    messages([user, says({ type: "redacted_thinking", data: "ZGF0YQ" }, use("1")), gives(result("1"))]),
  ],
  bad: [
    ["a picture without its bytes", messages([gives({ type: "image", source: { type: "base64" } })]), "media_type"],
    [
      "a picture that is no base64",
      messages([gives({ ...picture, source: { ...picture.source, data: "?" } })]),
      "does not match",
    ],
    ["a picture at no address", messages([gives({ type: "image", source: { type: "url", url: "" } })]), "url is empty"],
    ["a picture of the assistant", messages([user, says(picture), user]), 'type is "image"'],
    ["an unknown kind of thinking", messages([user], { thinking: { type: "on" } }), 'thinking.type is "on"'],
    [
      "a budget beside thinking that is off",
      messages([user], { thinking: { ...enabled.thinking, type: "disabled" } }),
      "not permitted",
    ],
    [
      "thinking in the last message though it is off",
      messages([user, says(thinking, use("1")), gives(result("1"))], { thinking: { type: "disabled" } }),
      "cannot contain thinking",
    ],
    ["no messages", messages([]), "messages is empty"],
    ["no limit", messages([user], { max_tokens: undefined }), "max_tokens"],
    ["a blank system prompt", messages([user], { system: " " }), "non-whitespace"],
    ["the role of a tool", messages([user, { role: "tool", content: "a" }]), 'role is "tool"'],
    ["the assistant first", messages([words, user]), "first message must use the user role"],
    ["the assistant last", messages([user, words]), "the assistant's"],
    ["two of one role", messages([user, user]), "must alternate"],
    ["empty words", messages([{ ...user, content: "" }]), "non-whitespace"],
    ["blank words", messages([user, says({ ...text, text: "\n" }), user]), "non-whitespace"],
    ["no content", messages([user, says(), user]), "content is empty"],
    ["a call without a result", messages([user, says(use("1")), user]), "without tool_result blocks: 1"],
    ["one result of two", messages([user, says(use("1"), use("2")), gives(result("1"))]), "blocks: 2"],
    ["a result without a call", messages([user, words, gives(result("1"))]), "unexpected tool_use_id 1"],
    [
      "a result of an earlier call",
      messages([user, says(use("1")), gives(result("1")), words, gives(result("1"))]),
      "unexpected",
    ],
    ["two results", messages([user, says(use("1")), gives(result("1"), result("1"))]), "a single result"],
    ["words before a result", messages([user, says(use("1")), gives(text, result("1"))]), "must come first"],
    ["a call of the user", messages([gives(use("1"))]), 'type is "tool_use"'],
    ["two calls of one id", messages([user, says(use("1"), use("1")), gives(result("1"))]), "used twice"],
    ["an id with a dot", messages([user, says(use("a.b")), gives(result("a.b"))]), "does not match"],
    [
      "a name that is not allowed",
      messages([user, says(use("1", { name: "" })), gives(result("1"))]),
      "does not match",
    ],
    ["input that is text", messages([user, says(use("1", { input: "{}" })), gives(result("1"))]), "is not an object"],
    [
      "thinking without a signature",
      messages([user, says({ ...thinking, signature: undefined }, text), user]),
      "signature",
    ],
    ["thinking at the end", messages([user, says(text, thinking), user]), "cannot be thinking"],
    ["thinking of the user", messages([gives(thinking)]), 'type is "thinking"'],
    ["a budget above the limit", messages([user], { ...enabled, max_tokens: 2000 }), "less than max_tokens"],
    [
      "a forced tool beside thinking",
      messages([user], { ...enabled, tools: [messagesTool], tool_choice: { type: "any" } }),
      "forces tool use",
    ],
    [
      "a call without its thinking",
      messages([user, says(use("1")), gives(result("1"))], { ...enabled, tools: [messagesTool] }),
      "must start with a thinking block",
    ],
    ["a choice without tools", messages([user], { tool_choice: { type: "auto" } }), "while providing tools"],
    ["a schema that is no object", messages([user], { tools: [{ ...messagesTool, input_schema: {} }] }), '"object"'],
    [
      "five marks of the cache",
      messages([gives(...Array(5).fill({ ...text, cache_control: { type: "ephemeral" } }))]),
      "more than 4",
    ],
  ],
});
