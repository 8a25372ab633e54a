import { inputProblem, outputProblem } from "./anthropic-rules.ts";
import { grammarProblem, parametersProblem, typeListProblem, xgrammarProblem } from "./grammar-rules.ts";
import { isObject, type Schema } from "./json-schema.ts";
import { functionProblem, strictProblem } from "./openai-rules.ts";
import { callProblem, gemmaProblem, mistralProblem } from "./role-rules.ts";
import { chat, messages, responses, type StrictWire } from "./wires.ts";

/** A refusal of a request. */
export interface Refusal {
  status: number;
  body: object;
}

/** A server that enforces the published rules of its original, and refuses in its words. */
export interface ServerRules {
  wire: StrictWire;
  /** What is wrong with a request; undefined if it is accepted. */
  problem(body: Schema): Refusal | undefined;
  /** Whether the server holds the model to the schema that it got, also to one that is not strict. */
  holdsLoosely: boolean;
}

/** Names that OpenAI and Anthropic accept. */
const toolName = /^[a-zA-Z0-9_-]{1,64}$/;

function messagesOf(body: Schema): Schema[] {
  return Array.isArray(body.messages) ? body.messages.filter(isObject) : [];
}

/** The names of tools, and of calls in the conversation. */
function namesIn(wire: StrictWire, body: Schema): string[] {
  const calls = messagesOf(body).flatMap(({ tool_calls: list }) => (Array.isArray(list) ? list.filter(isObject) : []));
  const items = Array.isArray(body.input)
    ? body.input.filter(isObject).filter(({ type }) => type === "function_call")
    : [];
  const called = [
    ...calls.map(({ function: inner }) => (isObject(inner) ? inner.name : undefined)),
    ...items.map(({ name }) => name),
  ];
  return [...wire.tools(body).map(({ name }) => name), ...called.map(String)];
}

function openAIProblem(wire: StrictWire, param: string): ServerRules["problem"] {
  return (body) => {
    const refused = (message: string, about: string): Refusal => ({ status: 400, body: wire.refusal(message, about) });
    const format = wire.format(body);
    const problem = format && (format.isStrict ? strictProblem(format.schema) : rootProblem(format.schema));
    if (problem) return refused(`Invalid schema for response_format 'answer': ${problem}`, param);
    for (const [index, { name, schema, isStrict }] of wire.tools(body).entries()) {
      const wrong = isObject(schema)
        ? isStrict
          ? strictProblem(schema)
          : functionProblem(schema)
        : "None is not of type 'object'.";
      if (wrong)
        return refused(`Invalid schema for function '${name}': ${wrong}`, `tools[${index}].function.parameters`);
    }
    const name = namesIn(wire, body).find((each) => !toolName.test(each));
    if (name !== undefined) {
      return refused(`Invalid name '${name}': string does not match pattern. Expected '^[a-zA-Z0-9_-]+$'.`, "messages");
    }
    const order = callProblem(messagesOf(body));
    return order === undefined ? undefined : refused(order, "messages");
  };
}

function rootProblem({ type }: Schema): string | undefined {
  return type === "object" ? undefined : `schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`;
}

/** The schemas of a request, as servers that make grammars of all of them read them. */
function schemasOf(body: Schema): Schema[] {
  return [chat.format(body)?.schema, ...chat.tools(body).map(({ schema }) => schema)].filter(isObject);
}

export const strictServers = {
  "openai-chat": { wire: chat, problem: openAIProblem(chat, "response_format"), holdsLoosely: false },
  "openai-responses": { wire: responses, problem: openAIProblem(responses, "text.format.schema"), holdsLoosely: false },
  anthropic: {
    wire: messages,
    holdsLoosely: true,
    problem(body) {
      const refused = (message: string): Refusal => ({ status: 400, body: messages.refusal(message) });
      const format = messages.format(body);
      const problem = format && outputProblem(format.schema);
      if (problem) return refused(`output_config.format.schema: ${problem}`);
      for (const [index, { name, schema }] of messages.tools(body).entries()) {
        const wrong = isObject(schema) ? inputProblem(schema) : "Field required";
        if (wrong) return refused(`tools.${index}.custom.input_schema: ${wrong}`);
        if (!toolName.test(name)) return refused(`tools.${index}.custom.name: String should match pattern`);
      }
      const said = messagesOf(body);
      if (said.at(-1)?.role === "assistant") {
        return refused(
          "This model does not support assistant message prefill. The conversation must end with a user message.",
        );
      }
      const isEmpty = said.some(({ content }) => content === "" || (Array.isArray(content) && content.some(isBlank)));
      return isEmpty ? refused("messages: text content blocks must be non-empty") : undefined;
    },
  },
  /** vLLM with the template of Mistral. */
  "vllm-mistral": {
    wire: chat,
    holdsLoosely: true,
    problem(body) {
      const refused = (message: string): Refusal => ({
        status: 400,
        body: { object: "error", message, type: "BadRequestError", param: null, code: 400 },
      });
      const order = mistralProblem(messagesOf(body));
      if (order) return refused(order);
      const problem = schemasOf(body).map(xgrammarProblem).find(Boolean);
      return problem ? refused(problem) : undefined;
    },
  },
  /** llama.cpp with the template of Gemma, whose exceptions are failures of the server. */
  "llama.cpp-gemma": {
    wire: chat,
    holdsLoosely: true,
    problem(body) {
      const refused = (code: number, message: string, type: string): Refusal => ({
        status: code,
        body: { error: { code, message, type } },
      });
      const order = gemmaProblem(messagesOf(body));
      if (order) return refused(500, `Jinja Exception: ${order}`, "server_error");
      const problem = schemasOf(body).map(grammarProblem).find(Boolean);
      return problem ? refused(400, `JSON schema conversion failed:\n${problem}`, "invalid_request_error") : undefined;
    },
  },
  lmstudio: {
    wire: chat,
    holdsLoosely: true,
    problem(body) {
      const refused = (error: string): Refusal => ({ status: 400, body: { error } });
      if (isObject(body.tool_choice)) {
        return refused("Invalid tool_choice type: 'object'. Supported string values: none, auto, required");
      }
      const parameters = chat
        .tools(body)
        .map(({ schema }) => parametersProblem(schema))
        .find(Boolean);
      if (parameters) return refused(parameters);
      if (isObject(body.response_format) && body.response_format.type !== "json_schema") {
        return refused("'response_format.type' must be 'json_schema'");
      }
      const problem = schemasOf(body)
        .map((schema) => typeListProblem(schema) ?? grammarProblem(schema))
        .find(Boolean);
      return problem ? refused(problem) : undefined;
    },
  },
  ollama: {
    wire: chat,
    holdsLoosely: true,
    problem(body) {
      const format = chat.format(body);
      const problem = format && grammarProblem(format.schema);
      if (!problem) return undefined;
      return {
        status: 500,
        body: { error: { message: "invalid JSON schema in format", type: "api_error", param: null } },
      };
    },
  },
} as const satisfies Record<string, ServerRules>;

export type StrictServerName = keyof typeof strictServers;

function isBlank(block: unknown): boolean {
  return isObject(block) && block.type === "text" && String(block.text).trim() === "";
}
