import { isObject, type Schema } from "./json-schema.ts";

/** What the model says: a text, or one call. */
type Said = { text: string } | { call: { name: string; args: unknown } };

/** How a server of one API reads a request and writes an answer. */
export interface StrictWire {
  path: RegExp;
  /** The schema that the answer is held to, and whether it is. */
  format(body: Schema): { schema: Schema; isStrict: boolean } | undefined;
  /** The tools that the request offers: their name, their schema, and whether calls are held to it. */
  tools(body: Schema): { name: string; schema: unknown; isStrict: boolean }[];
  /** Whether the results of a call are in the conversation. */
  hasResults(body: Schema): boolean;
  /** The events of the answer. */
  answer(said: Said): string;
  /** The body of a refusal. */
  refusal(message: string, param?: string): object;
}

function listOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function objectOf(value: unknown): Schema {
  return isObject(value) ? value : {};
}

function event(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** A text in pieces of a few characters, as a model writes it. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,5}/g) ?? [""];
}

export const chat: StrictWire = {
  path: /\/chat\/completions$/,
  format({ response_format: format }) {
    const { json_schema: named } = objectOf(format);
    const { schema, strict } = objectOf(named);
    return isObject(schema) ? { schema, isStrict: strict === true } : undefined;
  },
  tools: ({ tools }) =>
    listOf(tools).map((tool) => {
      const { name, parameters, strict } = objectOf(tool.function);
      return { name: String(name), schema: parameters, isStrict: strict === true };
    }),
  hasResults: ({ messages }) => listOf(messages).some(({ role }) => role === "tool"),
  answer(said) {
    const delta = (fields: object, finish: string | null = null) =>
      event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
    const usage = event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } });
    if ("text" in said) {
      return [
        ...pieces(said.text).map((content) => delta({ content })),
        delta({}, "stop"),
        usage,
        "data: [DONE]\n\n",
      ].join("");
    }
    const { name, args } = said.call;
    const call = { index: 0, id: "call_1", type: "function", function: { name, arguments: JSON.stringify(args) } };
    return [delta({ tool_calls: [call] }), delta({}, "tool_calls"), usage, "data: [DONE]\n\n"].join("");
  },
  refusal: (message, param) => ({
    error: { message, type: "invalid_request_error", param: param ?? null, code: null },
  }),
};

export const responses: StrictWire = {
  path: /\/responses$/,
  format({ text }) {
    const { schema, strict } = objectOf(objectOf(text).format);
    return isObject(schema) ? { schema, isStrict: strict === true } : undefined;
  },
  tools: ({ tools }) =>
    listOf(tools).map(({ name, parameters, strict }) => ({
      name: String(name),
      schema: parameters,
      // The API's own default.
      isStrict: strict !== false,
    })),
  hasResults: ({ input }) => listOf(input).some(({ type }) => type === "function_call_output"),
  answer(said) {
    const usage = { input_tokens: 9, output_tokens: 3, total_tokens: 12 };
    const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" };
    const item =
      "text" in said
        ? { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: said.text }] }
        : {
            ...{ type: "function_call", id: "fc_1", call_id: "call_1", status: "completed" },
            ...{ name: said.call.name, arguments: JSON.stringify(said.call.args) },
          };
    const texts = "text" in said ? pieces(said.text) : [];
    return [
      event({ type: "response.output_item.added", output_index: 0, item: reasoning }),
      event({ type: "response.output_item.done", output_index: 0, item: reasoning }),
      event({ type: "response.output_item.added", output_index: 1, item: { ...item, content: [], arguments: "" } }),
      ...texts.map((delta) =>
        event({ type: "response.output_text.delta", output_index: 1, item_id: "msg_1", content_index: 0, delta }),
      ),
      event({ type: "response.output_item.done", output_index: 1, item }),
      event({
        type: "response.completed",
        response: { object: "response", status: "completed", output: [reasoning, item], usage },
      }),
    ].join("");
  },
  refusal: (message, param) => ({
    error: { message, type: "invalid_request_error", param: param ?? null, code: "invalid_json_schema" },
  }),
};

export const messages: StrictWire = {
  path: /\/v1\/messages$/,
  format({ output_config: config }) {
    const { schema } = objectOf(objectOf(config).format);
    return isObject(schema) ? { schema, isStrict: true } : undefined;
  },
  tools: ({ tools }) =>
    listOf(tools).map(({ name, input_schema: schema, strict }) => ({
      name: String(name),
      schema,
      isStrict: strict === true,
    })),
  hasResults: ({ messages: said }) =>
    listOf(said).some(({ content }) => listOf(content).some(({ type }) => type === "tool_result")),
  answer(said) {
    const usage = { input_tokens: 9, output_tokens: 1 };
    const start = { type: "message", role: "assistant", content: [], usage };
    const named = (data: { type: string }) => event(data, data.type);
    const block =
      "text" in said
        ? { type: "text", text: "" }
        : { type: "tool_use", id: "toolu_1", name: said.call.name, input: {} };
    const deltas =
      "text" in said
        ? pieces(said.text).map((text) => ({ type: "text_delta", text }))
        : pieces(JSON.stringify(said.call.args)).map((partial_json) => ({ type: "input_json_delta", partial_json }));
    return [
      named({ type: "message_start", message: start } as { type: string }),
      named({ type: "content_block_start", index: 0, content_block: block } as { type: string }),
      ...deltas.map((delta) => named({ type: "content_block_delta", index: 0, delta } as { type: string })),
      named({ type: "content_block_stop", index: 0 } as { type: string }),
      named({
        type: "message_delta",
        delta: { stop_reason: "text" in said ? "end_turn" : "tool_use" },
        usage: { output_tokens: 3 },
      } as { type: string }),
      named({ type: "message_stop" }),
    ].join("");
  },
  refusal: (message) => ({ type: "error", error: { type: "invalid_request_error", message }, request_id: "req_1" }),
};
