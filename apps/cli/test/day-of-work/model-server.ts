import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { serve } from "@tooling/loopback";
import type { Turn } from "./day.ts";
import { answerOf, heard, toolCall } from "./words.ts";

interface Message {
  role: string;
  content: string;
}

/** A request as it came. */
export interface Received {
  readonly model: string;
  readonly messages: readonly Message[];
}

/**
 * A model that does what the day plans. It speaks Chat Completions over HTTP, and decides by what a request holds: the next call of the
 * turn that the model has not written yet, else what the answer lacks. So a request that comes again gets the same answer, and one
 * that goes on after a break gets the rest.
 */
export async function modelServer(day: readonly Turn[], received: (request: Received) => void) {
  const holds = new Set<string>();
  const held = new Set<string>();
  const troubles = new Set<string>();

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as Received;
    received(body);
    const { turn, text } = nextText(day, body.messages);
    if (troubles.delete(turn)) {
      response.writeHead(503, { "content-type": "application/json", "retry-after": "0" });
      return response.end('{"error":{"message":"Busy for a moment."}}');
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const [first = "", ...rest] = text.split(/(?<=\n\n)/);
    write(response, first);
    if (!text.includes("<execute>") && holds.delete(turn)) {
      held.add(turn);
      // The rest is never said: the app leaves.
      return once(response, "close");
    }
    for (const piece of rest) write(response, piece);
    write(response, "", "stop");
    response.end("data: [DONE]\n\n");
  };
  const { url } = await serve((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  return {
    url: `${url}/v1`,
    /** Of the next answer in this turn, only the first paragraph is said. */
    hold(turn: string): void {
      holds.add(turn);
    },
    /** Whether that paragraph was said. */
    isHeld: (turn: string) => held.has(turn),
    /** The next request of this turn fails. */
    fail(turn: string): void {
      troubles.add(turn);
    },
  };
}

function write(response: ServerResponse, content: string, finish: string | null = null): void {
  const choice = { index: 0, delta: content === "" ? {} : { content }, finish_reason: finish };
  response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
}

/** What the model says next in the turn of the last prompt. */
function nextText(day: readonly Turn[], messages: readonly Message[]): { turn: string; text: string } {
  const said = messages.flatMap(({ role, content }) =>
    role === "user" ? (content.match(/^[TQF]\d\d(?= )/gm) ?? []).map((name) => name) : [],
  );
  const name = said.at(-1) ?? "";
  const at = messages.findLastIndex(({ role, content }) => role === "user" && content.includes(`${name} `));
  const since = messages.slice(at);
  const written = since.flatMap(({ role, content }) => (role === "assistant" ? [content] : [])).join("\n");
  const turn = day.find((planned) => planned.name === name);
  const calls = turn ? turn.calls.map((call, index) => JSON.stringify(toolCall(turn, call, index))) : [];
  const next = calls.find((call) => !written.includes(call));
  if (next !== undefined) return { turn: name, text: `<execute>[${next}]</execute>` };
  const steers = since.flatMap(({ role, content }) => (role === "user" ? (content.match(/^S\d\d(?= )/gm) ?? []) : []));
  const missing = [...answerOf(name), ...steers.map(heard)].filter((text) => !written.includes(text));
  return { turn: name, text: missing.length > 0 ? missing.join("\n\n") : `${name} is done.` };
}
