import type { Agent } from "@cogency/agent";
import type { Store } from "@cogency/storage";
import { checkedName } from "./body/checked-name.ts";
import { jsonResponse } from "./json-response.ts";
import { Problem, problemOf } from "./problem.ts";
import type { Asked, Methods, Route } from "./route.ts";
import { followEvents } from "./routes/follow-events.ts";
import { forkConversation } from "./routes/fork-conversation.ts";
import { listConversations } from "./routes/list-conversations.ts";
import { listWaiting } from "./routes/list-waiting.ts";
import { postMessage } from "./routes/post-message.ts";

/** Answers a request of the Web platform. Never rejects. */
export type Handler = (request: Request) => Promise<Response>;

/** Who sends a request. */
export interface Sender {
  /** Whose conversations the request reads and writes. Defaults to the anonymous user of the store. */
  user?: string | undefined;
  /** The name under which messages are posted, as the model and the log will have it. Defaults to none. */
  name?: string | undefined;
}

export interface HandlerOptions {
  /** Signs and posts the messages, and makes forks. */
  agent: Pick<Agent, "send" | "fork">;
  /** The store of the agent. */
  store: Pick<Store, "conversations" | "load" | "follow" | "inbox">;
  /**
   * Says who sends a request, from a session for instance. The handler signs what the sender posts, and a run trusts that signature:
   * so this function alone decides who may read, and whose "Yes" counts. What it throws refuses the request: a {@link Problem} with
   * its status, anything else with 500. Defaults to the anonymous user without a name, for everybody.
   */
  sender?: ((request: Request) => Sender | Promise<Sender>) | undefined;
  /** What stands before the addresses, such as `/api`. Defaults to nothing. */
  prefix?: string | undefined;
  /** Bytes that the body of a request may have. Defaults to 1 MiB. */
  maxBodyBytes?: number | undefined;
  /** Milliseconds in which the whole body must come. Defaults to 10,000. */
  bodyTimeout?: number | undefined;
  /** Milliseconds without an event after which a stream of events gets a comment, so that no proxy closes it. Defaults to 15,000. */
  keepAlive?: number | undefined;
  /** Hears what made a response a 500 or 503, or broke a stream of events. Defaults to `console.error`. */
  onError?: ((error: unknown, request: Request) => void) | undefined;
}

/**
 * Makes a handler for the conversations of a store:
 *
 * - `GET /conversations?limit=20&before=ID`: their summaries, the latest first
 * - `GET /conversations/ID/events`: every stored event, and then those that come, as server-sent events without an end
 * - `GET /conversations/ID/messages`: the messages that no run has read yet
 * - `POST /conversations/ID/messages`: posts a message, signed by the agent
 * - `POST /conversations/ID/fork`: begins another conversation with the first events of this one
 *
 * It runs nothing: a conversation with a new message is due, and `agent.sweep()` goes on with it, here or in another process.
 */
export function createHandler(options: HandlerOptions): Handler {
  const { sender = () => ({}), prefix = "", onError = console.error } = options;
  const { agent, store, maxBodyBytes = 2 ** 20, bodyTimeout = 10_000, keepAlive = 15_000 } = options;

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const from: Sender = await sender(request);
    const asked = { agent, store, maxBodyBytes, bodyTimeout, keepAlive, onError, request, url, sender: from };
    const { pathname } = url;
    if (pathname === `${prefix}/conversations`) return routed(collection, asked);
    const [, id = "", name = ""] =
      conversationPath.exec(pathname.startsWith(prefix) ? pathname.slice(prefix.length) : "") ?? [];
    const methods = ofConversation.get(name);
    if (!methods) throw new Problem("not_found", "There is nothing at this address.");
    return routed(methods, { ...asked, key: { conversation: checkedName(id), user: from.user } });
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      const { status, code, message, headers } = problemOf(error);
      if (status >= 500) onError(error, request);
      return jsonResponse(status, { code, message }, headers);
    }
  };
}

const collection: Methods<Asked> = new Map([["GET", listConversations]]);

const conversationPath = /^\/conversations\/([^/]+)\/([a-z]+)$/;

const ofConversation: ReadonlyMap<string, Methods> = new Map([
  ["events", new Map([["GET", followEvents]])],
  [
    "messages",
    new Map([
      ["GET", listWaiting],
      ["POST", postMessage],
    ]),
  ],
  ["fork", new Map([["POST", forkConversation]])],
]);

function routed<A extends Asked>(methods: Methods<A>, asked: A): Promise<Response> {
  const route: Route<A> | undefined = methods.get(asked.request.method);
  if (route) return route(asked);
  const allow = [...methods.keys()].join(", ");
  throw new Problem("method_not_allowed", `This address has only ${allow}.`, { headers: { allow } });
}
