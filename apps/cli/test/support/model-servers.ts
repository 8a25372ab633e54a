import { serve } from "@tooling/loopback";

/** The wires that `cogency run` speaks, by their options. `<server>` stands for the address. */
const wires = {
  "Chat Completions": ["--provider", "openai", "--api", "chat", "--base-url", "<server>/v1", "--model", "tiny"],
  Responses: ["--provider", "openai", "--api", "responses", "--base-url", "<server>/v1", "--model", "tiny"],
  Messages: ["--provider", "anthropic", "--base-url", "<server>", "--model", "tiny"],
  Gemini: ["--provider", "google", "--base-url", "<server>", "--model", "tiny"],
};

export type Wire = keyof typeof wires;

interface ModelServer {
  url: string;
  /** The bodies of the requests so far. */
  requests: Record<string, unknown>[];
  /** The paths that were asked for without a body. */
  looks: string[];
  /** The options of a wire at this server. */
  at(wire: Wire): string[];
}

/** A server of all these wires, for a test. It gives the answers in order, each as one piece of text. */
export function modelServer(...answers: string[]): Promise<ModelServer> {
  return replyingServer((_, at) => answers[at] ?? "There are no more answers.");
}

/** What a server says to a request: a text of the model, a call in Chat Completions, or a status and the words of its refusal. */
export type Reply = string | { call: { name: string; args: object } } | { status: number; message: string };

/**
 * A server of all these wires, whose model answers each request by a function.
 *
 * @param look what is at a path that is asked for without a body; nothing by default
 */
export async function replyingServer(
  reply: (body: Record<string, unknown>, at: number) => Reply,
  look: (path: string) => object | undefined = () => undefined,
): Promise<ModelServer> {
  const requests: Record<string, unknown>[] = [];
  const looks: string[] = [];
  const { url } = await serve(async (request, response) => {
    const path = request.url ?? "";
    if (request.method === "GET") {
      looks.push(path);
      const found = look(path);
      response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
      return void response.end(JSON.stringify(found ?? {}));
    }
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    const answer = reply(body, requests.length);
    requests.push(body);
    if (typeof answer !== "string" && "status" in answer) {
      response.writeHead(answer.status, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ error: { type: "invalid_request_error", message: answer.message } }));
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const events =
      typeof answer !== "string"
        ? chatCall(answer.call, requests.length)
        : path.endsWith("/chat/completions")
          ? chat(answer)
          : path.endsWith("/responses")
            ? responses(answer)
            : path.endsWith("/messages")
              ? messages(answer)
              : gemini(answer);
    for (const event of events) {
      const { type } = event as { type?: string };
      response.write(`${type === undefined ? "" : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end(path.endsWith("/chat/completions") ? "data: [DONE]\n\n" : "");
  });
  const at = (wire: Wire) => wires[wire].map((option) => option.replace("<server>", url));
  return { url, requests, looks, at };
}

function chat(content: string): object[] {
  return [{ delta: { content } }, { delta: {}, finish_reason: "stop" }].map((choice) => ({
    choices: [{ index: 0, ...choice }],
  }));
}

function chatCall({ name, args }: { name: string; args: object }, at: number): object[] {
  const call = { index: 0, id: `call_${at}`, type: "function", function: { name, arguments: JSON.stringify(args) } };
  return [{ delta: { tool_calls: [call] } }, { delta: {}, finish_reason: "tool_calls" }].map((choice) => ({
    choices: [{ index: 0, ...choice }],
  }));
}

function responses(text: string): object[] {
  const message = { id: "msg_1", type: "message", role: "assistant", status: "completed" };
  const output = [{ ...message, content: [{ type: "output_text", text, annotations: [] }] }];
  const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
  return [
    { type: "response.created", response: { id: "resp_1", output: [], status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: { ...message, content: [] } },
    { type: "response.output_text.delta", ...place, delta: text },
    { type: "response.output_item.done", output_index: 0, item: output[0] },
    { type: "response.completed", response: { id: "resp_1", output, status: "completed" } },
  ];
}

function messages(text: string): object[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return [
    { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [], usage } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" },
  ];
}

function gemini(text: string): object[] {
  return [{ candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }] }];
}
