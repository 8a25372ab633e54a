import { createServer } from "node:http";
import type { ReplyPart } from "@cogency/provider/testkit";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { type Section, tokensOf } from "./asked.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { type ModelServer, startServer } from "./start-server.ts";

interface ClientEvent {
  readonly type: string;
  readonly session?: { readonly instructions?: string };
  readonly item?: { readonly role: "user" | "assistant"; readonly content: readonly { readonly text: string }[] };
}

/**
 * Serves a model over OpenAI's Realtime wire, text only. A connection keeps its conversation, and the model reads all of it for
 * each answer, as OpenAI's server has it: https://developers.openai.com/api/docs/guides/realtime-costs
 */
export function realtimeServer(model: ScriptedModel): Promise<ModelServer> {
  const http = createServer((_, response) => response.writeHead(426).end());
  const wire = new WebSocketServer({ server: http });
  wire.on("connection", (socket) => {
    const conversation = new Conversation(socket, model);
    socket.on("message", (data) => conversation.take(data));
    say(socket, { type: "session.created", session: { type: "realtime" } });
  });
  return startServer(http);
}

/** What one connection holds. */
class Conversation {
  readonly #socket: WebSocket;
  readonly #model: ScriptedModel;
  readonly #sections: Section[] = [];
  /** What has come since the last answer. */
  #bytes = 0;
  #sent: Section[] = [];
  #answers = 0;

  constructor(socket: WebSocket, model: ScriptedModel) {
    this.#socket = socket;
    this.#model = model;
  }

  take(data: RawData): void {
    const text = data.toString();
    this.#bytes += Buffer.byteLength(text);
    const { type, session, item } = JSON.parse(text) as ClientEvent;
    switch (type) {
      case "session.update":
        this.#hold({ kind: "system", text: session?.instructions ?? "" });
        say(this.#socket, { type: "session.updated", session });
        break;
      case "conversation.item.create":
        this.#hold({ kind: item?.role ?? "user", text: item?.content.map((part) => part.text).join("") ?? "" });
        break;
      case "response.create":
        this.#answer();
        break;
    }
  }

  #hold(section: Section): void {
    this.#sections.push(section);
    this.#sent.push(section);
  }

  #answer(): void {
    const asked = { sections: [...this.#sections], bytes: this.#bytes, sent: tokensOf(this.#sent) };
    [this.#bytes, this.#sent] = [0, []];
    const { parts, usage } = this.#model.answer(asked);
    const delta = parts.map(textOf).join("");
    this.#sections.push({ kind: "assistant", text: delta });
    const response = { id: `response_${++this.#answers}` };
    const of = { response_id: response.id, item_id: `item_${this.#answers}`, output_index: 0, content_index: 0 };
    say(this.#socket, { type: "response.created", response });
    say(this.#socket, { type: "response.output_text.delta", ...of, delta });
    const input = usage.input + usage.cacheRead;
    const told = {
      input_tokens: input,
      output_tokens: 0,
      total_tokens: input,
      input_token_details: { cached_tokens: usage.cacheRead },
    };
    say(this.#socket, { type: "response.done", response: { ...response, status: "completed", usage: told } });
  }
}

function textOf(part: ReplyPart): string {
  if (part.type !== "text") throw new Error("A Realtime session of text has no native calls.");
  return part.text;
}

function say(socket: WebSocket, event: object): void {
  socket.send(JSON.stringify(event));
}
