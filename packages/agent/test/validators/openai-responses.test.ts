import { describeValidator } from "./describe-validator.ts";
import { responsesProblem } from "./openai-responses.ts";

const user = { role: "user", content: "Go." };
const words = { role: "assistant", content: "I see." };

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
const shows = (...content: object[]) => ({ role: "user", content });
const picture = { type: "input_image", image_url: "data:image/png;base64,aGk=" };

describeValidator("OpenAI's Responses", responsesProblem, {
  good: [
    responses([shows({ type: "input_text", text: "Look." }, picture)]),
    responses([user, item("1"), { ...output("1"), output: [{ type: "input_text", text: "" }, picture] }]),
    responses([shows({ type: "input_file", file_url: "https://example.com/a.pdf" })]),
    responses([user], { instructions: "Be brief." }),
    responses([user, thought, item("1", { id: "fc_1" }), item("2"), output("1"), output("2")]),
    responses([user, thought, spoken, user]),
    responses([user, { role: "assistant", content: "I see." }, item("1"), output("1"), user]),
  ],
  bad: [
    ["a picture without its address", responses([shows({ type: "input_image" })]), "image_url is not a text"],
    ["a file without its bytes", responses([shows({ type: "input_file" })]), "file_data is not a text"],
    [
      "a part of another wire in an output",
      responses([user, item("1"), { ...output("1"), output: [{ type: "text", text: "a" }] }]),
      'type is "text"',
    ],
    ["a picture of the assistant", responses([user, { ...shows(picture), role: "assistant" }, user]), "output_text"],
    ["no input", responses([]), "input is empty"],
    ["empty instructions", responses([user], { instructions: "" }), "instructions is empty"],
    ["an unknown role", responses([{ role: "tool", content: "a" }]), 'role is "tool"'],
    ["an unknown item", responses([{ type: "item_reference", call_id: "1" }]), "type is"],
    ["an empty answer", responses([user, { ...words, content: "" }, user]), "input[1] is empty"],
    ["a call without output", responses([user, item("1"), user]), "no tool output found"],
    ["a call without output at the end", responses([user, item("1")]), "No tool output found"],
    ["words between call and output", responses([user, item("1"), user, output("1")]), "no tool output found"],
    ["an output without a call", responses([user, output("1")]), "no tool call found"],
    ["an output before its call", responses([output("1"), item("1"), user]), "no tool call found"],
    ["two outputs", responses([user, item("1"), output("1"), output("1")]), "no tool call found"],
    ["a call id used again", responses([item("1"), output("1"), item("1"), output("1")]), "used twice"],
    ["an empty call id", responses([item(""), output("")]), "does not match"],
    ["a call id that is too long", responses([item("x".repeat(65)), output("x".repeat(65))]), "does not match"],
    ["a name that is not allowed", responses([item("1", { name: "a.b" }), output("1")]), "does not match"],
    ["arguments that are no text", responses([item("1", { arguments: {} }), output("1")]), "is not a text"],
    ["the id of another kind", responses([item("1", { id: "call_1" }), output("1")]), "must begin with fc_"],
    ["an item twice", responses([user, thought, spoken, thought, spoken, user]), "used twice"],
    ["reasoning that is not stored", responses([{ ...thought, encrypted_content: null }, spoken, user]), "not stored"],
    ["reasoning without its summary", responses([{ ...thought, summary: undefined }, spoken, user]), "summary"],
    ["reasoning that led to nothing", responses([user, thought, user]), "required following item"],
    ["reasoning at the end", responses([user, thought]), "required following item"],
    ["words of the user as output", responses([{ role: "user", content: spoken.content }]), "input_text"],
    ["nothing to answer", responses([user, spoken]), "nothing to answer"],
    ["a choice without tools", responses([user], { tool_choice: "required" }), "only allowed when tools"],
  ],
});
