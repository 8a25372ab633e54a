import type { Asked, Said } from "../said.ts";
import { unsupported, wrong } from "../wire-problem.ts";
import { clientTools } from "./client-tools.ts";
import { contentAt, textAt } from "./content.ts";
import {
  argumentsAt,
  checkFields,
  type FieldRule,
  type Fields,
  fieldOf,
  listAt,
  nameIn,
  objectAt,
  textIn,
} from "./fields.ts";

/** A request for a chat completion. */
export interface AskedCompletion extends Asked {
  /** The stream tells the usage in a chunk of its own. */
  readonly wantsUsage: boolean;
}

/** @throws WireProblem that names the field */
export function readChatBody(body: Fields): AskedCompletion {
  checkFields(body, chatRules);
  const { conversation } = objectAt(fieldOf(body, "metadata") ?? {}, "metadata");
  if (conversation !== undefined && typeof conversation !== "string")
    throw wrong("metadata.conversation", "give a string", "invalid_type");
  const messages = listAt(fieldOf(body, "messages"), "messages");
  return {
    model: textIn(body, "model", ""),
    isStreamed: fieldOf(body, "stream") === true,
    wantsUsage: objectAt(fieldOf(body, "stream_options") ?? {}, "stream_options").include_usage === true,
    tools: clientTools(body, "nested"),
    param: "messages",
    said: messages.flatMap((message, index) => messageAt(message, `messages[${index}]`)),
    ...(conversation !== undefined && { conversation }),
  };
}

const number: FieldRule = { type: "number" };
const absent = (advice: string): FieldRule => ({ type: "any", refuses: () => advice });

const chatRules: Readonly<Record<string, FieldRule>> = {
  stream: { type: "boolean" },
  stream_options: { type: "object" },
  metadata: { type: "object" },
  n: { type: "number", refuses: (n) => (n === 1 ? undefined : "an agent gives one answer; leave it out") },
  logprobs: { type: "boolean", refuses: (is) => (is === true ? noLogprobs : undefined) },
  top_logprobs: { type: "number", refuses: (count) => (count === 0 ? undefined : noLogprobs) },
  stop: { type: "any", refuses: (stop) => (Array.isArray(stop) && stop.length === 0 ? undefined : noStop) },
  response_format: {
    type: "object",
    refuses: (format) => ((format as Fields).type === "text" ? undefined : "the agent answers in text"),
  },
  modalities: {
    type: "array",
    refuses: (list) => ((list as unknown[]).every((one) => one === "text") ? undefined : "the agent answers in text"),
  },
  audio: absent("the agent answers in text"),
  functions: absent("give `tools`"),
  function_call: absent("give `tool_choice`"),
  web_search_options: absent("the agent has its own tools"),
  // Ignored: the settings of the agent decide. Checked, so that a mistake shows.
  max_tokens: number,
  max_completion_tokens: number,
  temperature: number,
  top_p: number,
  presence_penalty: number,
  frequency_penalty: number,
  seed: number,
  logit_bias: { type: "object" },
  parallel_tool_calls: { type: "boolean" },
  reasoning_effort: { type: "string" },
  service_tier: { type: "string" },
  store: { type: "boolean" },
  user: { type: "string" },
};

const noLogprobs = "an agent has no probabilities of tokens";
const noStop = "an answer of an agent ends where the model ends it";

function messageAt(value: unknown, param: string): Said[] {
  const message = objectAt(value, param);
  const role = textIn(message, "role", `${param}.`);
  const content = fieldOf(message, "content");
  switch (role) {
    case "system":
    case "developer":
      return [{ type: "instructions", text: textAt(content, `${param}.content`) }];
    case "user":
      return [{ type: "words", ...contentAt(content, `${param}.content`) }];
    case "assistant":
      return assistantAt(message, param);
    case "tool": {
      const call = textIn(message, "tool_call_id", `${param}.`);
      return [{ type: "output", call, output: textAt(content, `${param}.content`), param }];
    }
    default:
      throw unsupported(`${param}.role`, "give system, developer, user, assistant or tool");
  }
}

function assistantAt(message: Fields, param: string): Said[] {
  const text = textAt(fieldOf(message, "content"), `${param}.content`);
  const calls = listAt(fieldOf(message, "tool_calls") ?? [], `${param}.tool_calls`);
  const reply: Said[] = text === "" ? [] : [{ type: "reply", text }];
  return [...reply, ...calls.map((call, index) => callAt(call, `${param}.tool_calls[${index}]`))];
}

function callAt(value: unknown, param: string): Said {
  const call = objectAt(value, param);
  const called = objectAt(call.function, `${param}.function`);
  return {
    type: "call",
    id: textIn(call, "id", `${param}.`),
    name: nameIn(called, `${param}.function.`),
    args: argumentsAt(textIn(called, "arguments", `${param}.function.`), `${param}.function.arguments`),
    param,
  };
}
