import { address, checkTools, toolName } from "./openai-tools.ts";
import {
  addNew,
  argumentsIn,
  demand,
  fieldsIn,
  listIn,
  matching,
  problemOf,
  textIn,
  type Validate,
} from "./problem.ts";

/**
 * OpenAI's Chat Completions. An assistant message with `tool_calls` must be followed by one tool message for each of them, and a
 * tool message must answer such a call. An id has 40 characters at most, a name matches `[a-zA-Z0-9_-]{1,64}`. Content is null only
 * beside calls.
 */
export const chatProblem: Validate = (body) =>
  problemOf(() => {
    const fields = fieldsIn(body, "the body");
    const { model, messages, stream, stream_options } = fields;
    demand(textIn(model, "model") !== "", "model is empty.");
    checkTools(fields, { inner: "function", needsParameters: false });
    demand(stream_options === undefined || stream === true, "stream_options is only allowed when stream is true.");
    checkMessages(listIn(messages, "messages"));
  });

function checkMessages(messages: readonly unknown[]): void {
  const used = new Set<string>();
  /** The calls of the last assistant message that have no answer yet. */
  let open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const place = `messages[${at}]`;
    const { role, content, tool_calls, tool_call_id } = fieldsIn(message, place);
    if (role === "tool") {
      const id = textIn(tool_call_id, `${place}.tool_call_id`);
      demand(
        open.delete(id),
        `${place}: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.`,
      );
      textIn(content, `${place}.content`);
      continue;
    }
    demand(open.size === 0, `${place}: the tool_calls before it have no response: ${[...open].join(", ")}.`);
    if (role === "assistant") open = checkAssistant(content, tool_calls, place, used);
    else {
      demand(role === "user" || role === "system" || role === "developer", `${place}.role is ${JSON.stringify(role)}.`);
      if (role === "user" && Array.isArray(content)) checkParts(content, `${place}.content`);
      else textIn(content, `${place}.content`);
    }
  }
  demand(open.size === 0, `The last tool_calls have no response: ${[...open].join(", ")}.`);
  const last = fieldsIn(messages.at(-1), "the last message");
  demand(last.role === "user" || last.role === "tool", "The last message leaves nothing to answer.");
}

function checkParts(content: unknown, place: string): void {
  for (const [nth, part] of listIn(content, place).entries()) {
    const there = `${place}[${nth}]`;
    const { type, text, image_url, file } = fieldsIn(part, there);
    switch (type) {
      case "text":
        textIn(text, `${there}.text`);
        break;
      case "image_url":
        matching(fieldsIn(image_url, `${there}.image_url`).url, address, `${there}.image_url.url`);
        break;
      case "file":
        matching(fieldsIn(file, `${there}.file`).file_data, address, `${there}.file.file_data`);
        break;
      default:
        demand(false, `${there}.type is ${JSON.stringify(type)}.`);
    }
  }
}

function checkAssistant(content: unknown, calls: unknown, place: string, used: Set<string>): Set<string> {
  if (calls === undefined) {
    demand(textIn(content, `${place}.content`) !== "", `${place} is empty.`);
    return new Set();
  }
  if (content !== null && content !== undefined) textIn(content, `${place}.content`);
  const ids = new Set<string>();
  for (const [nth, call] of listIn(calls, `${place}.tool_calls`).entries()) {
    const there = `${place}.tool_calls[${nth}]`;
    const { id, type, function: called } = fieldsIn(call, there);
    demand(type === "function", `${there}.type is not "function".`);
    const own = matching(id, /^.{1,40}$/, `${there}.id`);
    addNew(used, own, there);
    ids.add(own);
    const { name, arguments: args } = fieldsIn(called, `${there}.function`);
    matching(name, toolName, `${there}.function.name`);
    argumentsIn(args, `${there}.function.arguments`);
  }
  return ids;
}
