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
  textOrNothing,
} from "./fields.ts";

/** A request for a response. */
export interface AskedResponse extends Asked {
  /** What the response repeats of the request. */
  readonly metadata: Fields;
  readonly instructions: string | null;
}

/**
 * @param model the model of a request that names none
 * @throws WireProblem that names the field
 */
export function readResponsesBody(body: Fields, model: string): AskedResponse {
  checkFields(body, responsesRules);
  const conversation = conversationOf(fieldOf(body, "conversation"));
  const previous = textOrNothing(body, "previous_response_id", "");
  if (conversation !== undefined && previous !== undefined)
    throw wrong("previous_response_id", "it cannot be given together with `conversation`");
  const instructions = textOrNothing(body, "instructions", "");
  return {
    model: textOrNothing(body, "model", "") ?? model,
    isStreamed: fieldOf(body, "stream") === true,
    tools: clientTools(body, "flat"),
    param: "input",
    said: [
      ...(instructions ? [{ type: "instructions", text: instructions } as const] : []),
      ...inputOf(fieldOf(body, "input")),
    ],
    metadata: (fieldOf(body, "metadata") ?? {}) as Fields,
    instructions: instructions ?? null,
    ...(conversation !== undefined && { conversation }),
    ...(previous !== undefined && { previous }),
  };
}

const number: FieldRule = { type: "number" };
const object: FieldRule = { type: "object" };

const responsesRules: Readonly<Record<string, FieldRule>> = {
  stream: { type: "boolean" },
  metadata: object,
  background: { type: "boolean", refuses: (is) => (is === true ? "leave the request open, or stream" : undefined) },
  prompt: { type: "any", refuses: () => "no prompts are kept here; send the words" },
  text: {
    type: "object",
    refuses: (text) => {
      const format = fieldOf(text as Fields, "format");
      return format === undefined || objectAt(format, "text.format").type === "text"
        ? undefined
        : "the agent answers in text; leave `text.format` out";
    },
  },
  top_logprobs: {
    type: "number",
    refuses: (count) => (count === 0 ? undefined : "an agent has no probabilities of tokens"),
  },
  // Ignored: the settings of the agent decide. Checked, so that a mistake shows.
  max_output_tokens: number,
  max_tool_calls: number,
  temperature: number,
  top_p: number,
  include: { type: "array" },
  parallel_tool_calls: { type: "boolean" },
  reasoning: object,
  service_tier: { type: "string" },
  store: { type: "boolean" },
  stream_options: object,
  truncation: { type: "string" },
  user: { type: "string" },
};

function conversationOf(given: unknown): string | undefined {
  if (given === undefined || typeof given === "string") return given;
  if (typeof given !== "object")
    throw wrong("conversation", "give the name of a conversation, or an object with its `id`", "invalid_type");
  return textIn(objectAt(given, "conversation"), "id", "conversation.");
}

function inputOf(input: unknown): Said[] {
  if (input === undefined) return [];
  if (typeof input === "string") return [{ type: "words", text: input, attachments: [] }];
  return listAt(input, "input").flatMap((item, index) => itemAt(item, `input[${index}]`));
}

function itemAt(value: unknown, param: string): Said[] {
  const item = objectAt(value, param);
  const type = textOrNothing(item, "type", `${param}.`) ?? "message";
  const read = readers.get(type);
  if (!read) throw unsupported(`${param}.type`, `give one of ${[...readers.keys()].join(", ")}`);
  return read(item, param);
}

/** What an earlier answer showed beside its text, sent back: the log has it. */
const ofTheAnswer = () => [];

const readers: ReadonlyMap<string, (item: Fields, param: string) => Said[]> = new Map([
  ["message", messageAt],
  ["function_call", callAt],
  ["function_call_output", outputAt],
  ["mcp_approval_response", decisionAt],
  ["item_reference", referenceAt],
  ["mcp_approval_request", ofTheAnswer],
  ["reasoning", ofTheAnswer],
]);

function referenceAt(item: Fields, param: string): Said[] {
  return [{ type: "reference", id: textIn(item, "id", `${param}.`), param }];
}

function messageAt(message: Fields, param: string): Said[] {
  const content = fieldOf(message, "content");
  switch (textIn(message, "role", `${param}.`)) {
    case "system":
    case "developer":
      return [{ type: "instructions", text: textAt(content, `${param}.content`) }];
    case "user":
      return [{ type: "words", ...contentAt(content, `${param}.content`) }];
    case "assistant":
      return [{ type: "reply", text: textAt(content, `${param}.content`) }];
    default:
      throw unsupported(`${param}.role`, "give system, developer, user or assistant");
  }
}

function callAt(item: Fields, param: string): Said[] {
  return [
    {
      type: "call",
      id: textIn(item, "call_id", `${param}.`),
      name: nameIn(item, `${param}.`),
      args: argumentsAt(textIn(item, "arguments", `${param}.`), `${param}.arguments`),
      param,
    },
  ];
}

function outputAt(item: Fields, param: string): Said[] {
  const output = textAt(fieldOf(item, "output"), `${param}.output`);
  return [{ type: "output", call: textIn(item, "call_id", `${param}.`), output, param }];
}

function decisionAt(item: Fields, param: string): Said[] {
  const { approve } = item;
  if (typeof approve !== "boolean") throw wrong(`${param}.approve`, "give true or false", "invalid_type");
  const reason = textOrNothing(item, "reason", `${param}.`);
  const request = textIn(item, "approval_request_id", `${param}.`);
  return [{ type: "decision", request, isApproved: approve, ...(reason !== undefined && { reason }), param }];
}
