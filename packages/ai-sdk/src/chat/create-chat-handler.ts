import { Problem } from "@cogency/server";
import { type BridgeOptions, createBridge, type Visit } from "@cogency/server/bridge";
import { readRequest } from "./in/read-request.ts";
import { planAgain, planReply, planWords } from "./plan.ts";
import { streamAnswer } from "./stream-answer.ts";
import { readTalk } from "./talk.ts";

/** Answers a request of the Web platform. Never rejects. */
export type ChatHandler = (request: Request) => Promise<Response>;

/**
 * Makes a handler for `useChat` of the AI SDK, whose `api` is `prefix`:
 *
 * - `POST`: what `useChat` posts; the answer is a UI message stream
 * - `GET /ID/stream`: the same stream of the answer that is being given, from its beginning; 204 if none is
 * - `DELETE /ID/stream`: ends the run
 * - `GET /ID/messages`: the conversation as an array of `ChatMessage`, empty if there is none
 *
 * The body of a refusal is a text for people, which `useChat` has as the message of its error; its code stands in the header
 * `x-error-code`.
 *
 * @throws TypeError, RangeError for wrong options, as `createHandler` of `@cogency/server`
 */
export function createChatHandler(options: BridgeOptions): ChatHandler {
  const bridge = createBridge("createChatHandler", options);
  return (request) => bridge.handle(request, answerOf, refusal);
}

async function answerOf(visit: Visit): Promise<Response> {
  const { path, request } = visit;
  const [, id = "", rest = ""] = /^\/([^/]+)\/(stream|messages)$/.exec(path) ?? [];
  const methods = path === "" || path === "/" ? ofAll : (ofOne.get(rest) ?? none);
  const route = methods.get(request.method);
  if (route) return route(visit, decoded(id));
  if (methods.size === 0) throw new Problem("not_found", "There is nothing at this address.");
  const allow = [...methods.keys()].join(", ");
  throw new Problem("method_not_allowed", `This address has only ${allow}.`, { headers: { allow } });
}

type Route = (visit: Visit, id: string) => Promise<Response>;

const ofAll: ReadonlyMap<string, Route> = new Map([["POST", post]]);

const ofOne: ReadonlyMap<string, ReadonlyMap<string, Route>> = new Map([
  [
    "stream",
    new Map([
      ["GET", resume],
      ["DELETE", stop],
    ]),
  ],
  ["messages", new Map([["GET", history]])],
]);

const none: ReadonlyMap<string, Route> = new Map();

async function post(visit: Visit): Promise<Response> {
  const { conversation, last, isAgain } = readRequest(await visit.readJson());
  const talk = await readTalk(visit, conversation);
  const plan = last.type === "reply" ? planReply(talk, last) : isAgain ? planAgain(talk, last) : planWords(talk, last);
  // It counts as a stream before anything is posted: a request that is refused has changed nothing.
  const response = streamAnswer(visit, talk, plan);
  try {
    // A run that reads a cancel reads nothing after it: each begins one.
    for (const message of plan.post)
      await visit.post(talk.key, [message]).catch(last.type === "reply" ? passIfAnswered : rethrow);
  } catch (error) {
    await response.body?.cancel();
    throw error;
  }
  return response;
}

/** Another page has answered the question at the same time. The first answer counts, and this page reads what comes of it. */
function passIfAnswered(error: unknown): void {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "conflict") throw error;
}

function rethrow(error: unknown): never {
  throw error;
}

async function resume(visit: Visit, id: string): Promise<Response> {
  const talk = await readTalk(visit, id);
  if (talk.state !== "running") return new Response(null, { status: 204 });
  const { conversation } = talk;
  const before = conversation.current;
  // Words that wait in the inbox begin another answer.
  const answer = () => {
    const { current } = conversation;
    return current === before && current?.isOver ? undefined : current;
  };
  return streamAnswer(visit, talk, { post: [], answer });
}

async function stop(visit: Visit, id: string): Promise<Response> {
  const { key, state, last } = await readTalk(visit, id);
  if (state === "running" || state === "waiting")
    await visit.post(key, [{ id: `cancel-${last}`, content: { kind: "cancel" } }]);
  return new Response(null, { status: 204 });
}

async function history(visit: Visit, id: string): Promise<Response> {
  const { conversation } = await readTalk(visit, id);
  return new Response(JSON.stringify(conversation.messages()), {
    headers: { ...shared, "content-type": "application/json" },
  });
}

function refusal({ status, code, message }: Problem): Response {
  return new Response(message, {
    status,
    headers: { ...shared, "content-type": "text/plain; charset=utf-8", "x-error-code": code },
  });
}

const shared = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem("invalid_request", "The address is not encoded as encodeURIComponent does it.");
  }
}
