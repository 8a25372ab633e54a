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
 * OpenAI's Responses. Each `function_call` has one `function_call_output`, which comes after it; servers that copy the wire demand
 * that no message stands between. A `call_id` has 64 characters at most. An item that is sent back keeps the prefix of its id, and no
 * id twice. Reasoning needs its `encrypted_content` where nothing is stored, and the item that it led to directly after it.
 */
export const responsesProblem: Validate = (body) =>
  problemOf(() => {
    const fields = fieldsIn(body, "the body");
    const { model, instructions, input, store } = fields;
    demand(textIn(model, "model") !== "", "model is empty.");
    if (instructions !== undefined) demand(textIn(instructions, "instructions") !== "", "instructions is empty.");
    checkTools(fields, { inner: undefined, needsParameters: true });
    checkInput(listIn(input, "input"), store === false);
  });

function checkInput(input: readonly unknown[], isStateless: boolean): void {
  const calls = new Set<string>();
  const itemIds = new Set<string>();
  /** The calls that have no output yet. */
  const open = new Set<string>();
  let hasOpenReasoning = false;
  for (const [at, item] of input.entries()) {
    const place = `input[${at}]`;
    const fields = fieldsIn(item, place);
    const { type = "message", id } = fields;
    if (id !== undefined) {
      demand(typeof type === "string" && Object.hasOwn(prefixes, type), `${place}: an item ${type} has no id.`);
      const prefix = prefixes[type];
      demand(textIn(id, `${place}.id`).startsWith(`${prefix}_`), `${place}.id must begin with ${prefix}_.`);
      matching(id, /^[\w-]{1,64}$/, `${place}.id`);
      addNew(itemIds, String(id), place);
    }
    switch (type) {
      case "message":
        checkMessage(fields, place, open);
        hasOpenReasoning = isClosed(hasOpenReasoning, fields.role === "assistant", place);
        break;
      case "function_call": {
        const callId = matching(fields.call_id, /^.{1,64}$/, `${place}.call_id`);
        addNew(calls, callId, place);
        open.add(callId);
        matching(fields.name, toolName, `${place}.name`);
        argumentsIn(fields.arguments, `${place}.arguments`);
        hasOpenReasoning = false;
        break;
      }
      case "function_call_output": {
        const callId = textIn(fields.call_id, `${place}.call_id`);
        demand(open.delete(callId), `${place}: no tool call found for function call output ${callId}.`);
        if (Array.isArray(fields.output)) checkParts(fields.output, `${place}.output`);
        else textIn(fields.output, `${place}.output`);
        hasOpenReasoning = isClosed(hasOpenReasoning, false, place);
        break;
      }
      case "reasoning":
        demand(id !== undefined, `${place}: reasoning needs its id.`);
        demand(Array.isArray(fields.summary), `${place}.summary is not a list.`);
        demand(
          !isStateless || (typeof fields.encrypted_content === "string" && fields.encrypted_content !== ""),
          `${place}: item ${id} was not stored, and has no encrypted_content.`,
        );
        hasOpenReasoning = true;
        break;
      default:
        demand(false, `${place}.type is ${JSON.stringify(type)}.`);
    }
  }
  demand(!hasOpenReasoning, "The last reasoning was provided without its required following item.");
  demand(open.size === 0, `No tool output found for function call ${[...open].join(", ")}.`);
  const { type, role } = fieldsIn(input.at(-1), "the last item");
  demand(role === "user" || type === "function_call_output", "The last item leaves nothing to answer.");
}

function isClosed(hasOpenReasoning: boolean, isOfAnswer: boolean, place: string): boolean {
  demand(!hasOpenReasoning || isOfAnswer, `${place}: reasoning was provided without its required following item.`);
  return false;
}

function checkMessage({ role, content }: Readonly<Record<string, unknown>>, place: string, open: Set<string>): void {
  const roles = ["user", "assistant", "system", "developer"];
  demand(typeof role === "string" && roles.includes(role), `${place}.role is ${JSON.stringify(role)}.`);
  demand(
    role === "assistant" || open.size === 0,
    `${place}: no tool output found for function call ${[...open].join(", ")}.`,
  );
  if (typeof content === "string") {
    demand(role !== "assistant" || textIn(content, `${place}.content`) !== "", `${place} is empty.`);
    textIn(content, `${place}.content`);
    return;
  }
  if (role !== "assistant") {
    checkParts(content, `${place}.content`);
    return;
  }
  for (const [nth, part] of listIn(content, `${place}.content`).entries()) {
    const { type, text } = fieldsIn(part, `${place}.content[${nth}]`);
    demand(type === "output_text", `${place}.content[${nth}].type is not "output_text".`);
    textIn(text, `${place}.content[${nth}].text`);
  }
}

/** What the server reads: parts of a message, or of what a call has given. */
function checkParts(content: unknown, place: string): void {
  for (const [nth, part] of listIn(content, place).entries()) {
    const there = `${place}[${nth}]`;
    const { type, text, image_url, file_data, file_url } = fieldsIn(part, there);
    switch (type) {
      case "input_text":
        textIn(text, `${there}.text`);
        break;
      case "input_image":
        matching(image_url, address, `${there}.image_url`);
        break;
      case "input_file":
        matching(file_url ?? file_data, address, `${there}.file_data`);
        break;
      default:
        demand(
          false,
          `${there}.type is ${JSON.stringify(type)}, which is not an input_text, input_image or input_file.`,
        );
    }
  }
}

const prefixes: Readonly<Record<string, string>> = { message: "msg", function_call: "fc", reasoning: "rs" };
