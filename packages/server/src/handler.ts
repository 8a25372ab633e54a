import {
  above,
  callback,
  checkOptions,
  group,
  having,
  listOf,
  type OptionTable,
  required,
  text,
  whole,
  wrongOption,
} from "@cogency/protocol/options";
import { senderOf } from "./access/sender.ts";
import { Sites } from "./access/sites.ts";
import { checkedName } from "./body/checked-name.ts";
import type { HandlerOptions } from "./handler-options.ts";
import { jsonResponse } from "./json-response.ts";
import type { LimitOptions } from "./limit-options.ts";
import { Limits } from "./limits/limits.ts";
import { Problem, problemOf } from "./problem.ts";
import type { Questions } from "./questions.ts";
import type { Asked, Methods, Route } from "./route.ts";
import { describeQuestion } from "./routes/describe-question.ts";
import { followEvents } from "./routes/follow-events.ts";
import { forkConversation } from "./routes/fork-conversation.ts";
import { listConversations } from "./routes/list-conversations.ts";
import { listRunning } from "./routes/list-running.ts";
import { listWaiting } from "./routes/list-waiting.ts";
import { postMessage } from "./routes/post-message.ts";

/** Answers a request of the Web platform. Never rejects. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * Makes a handler for the conversations of a store:
 *
 * - `GET /conversations?limit=20&before=ID`: their summaries, the latest first
 * - `GET /conversations/ID/events`: every stored event, and then those that come, as server-sent events
 * - `GET /conversations/ID/messages`: the messages that no run has read yet
 * - `POST /conversations/ID/messages`: posts a message, signed by the agent
 * - `GET /conversations/ID/questions?id=QUESTION`: what the host adds to an open question
 * - `GET /conversations/ID/running`: the calls that run now, as far as the host knows
 * - `POST /conversations/ID/fork`: begins another conversation with the first events of this one
 *
 * It runs nothing: a conversation with a new message is due, and a worker or `agent.sweep()` goes on with it, here or in another
 * process.
 *
 * @throws TypeError for an unknown option, one of a wrong type, one that is missing, such as `authenticate`, and what is no origin;
 * RangeError for a limit that is no whole number ≥ 1, an amount of bytes or milliseconds that is not above 0, and a prefix that no
 * address can have
 */
export function createHandler(options: HandlerOptions): Handler {
  // Said before all else: without it, everybody reads everything.
  if (options?.authenticate === undefined) throw wrongOption(TypeError, "authenticate", needsAuthenticate);
  checkOptions("createHandler", options, table);
  const { authenticate, prefix = "" } = options;
  const { agent, store, maxBodyBytes = 2 ** 20, bodyTimeout = 10_000 } = options;
  const { streamTime = 3_600_000, keepAlive = 15_000 } = options;
  const sites = new Sites(options.origins ?? []);
  const limits = new Limits(options.limits ?? {});
  const onError = telling(options.onError ?? printError);
  const { questions = noDetails, running = () => [] } = options;
  const settings = {
    agent,
    store,
    questions,
    running,
    limits,
    maxBodyBytes,
    bodyTimeout,
    streamTime,
    keepAlive,
    onError,
  };

  async function answer(request: Request): Promise<Response> {
    sites.check(request);
    const preflight = sites.preflight(request);
    if (preflight) return preflight;
    const sender = await senderOf(request, authenticate);
    limits.countRequest(sender.user);
    const url = new URL(request.url);
    const asked = { ...settings, request, url, sender };
    const { pathname } = url;
    if (pathname === `${prefix}/conversations`) return routed(collection, asked);
    const [, id = "", name = ""] =
      conversationPath.exec(pathname.startsWith(prefix) ? pathname.slice(prefix.length) : "") ?? [];
    const methods = ofConversation.get(name);
    if (!methods) throw new Problem("not_found", "There is nothing at this address.");
    return routed(methods, { ...asked, key: { conversation: checkedName(id), user: sender.user } });
  }

  function refuse(error: unknown, request: Request): Response {
    const { status, code, message, headers } = problemOf(error);
    if (status >= 500) onError(error, request);
    return jsonResponse(status, { code, message }, headers);
  }

  return async (request) => {
    const response = await answer(request).catch((error: unknown) => refuse(error, request));
    for (const [name, value] of sites.sharing(request)) response.headers.set(name, value);
    return response;
  };
}

/** Where the host adds nothing, a question is what the log says of it. */
const noDetails: Questions = { describe: async () => ({ facts: [], rules: [] }), keep: async () => false };

const milliseconds = above(0, "milliseconds");
const limit = whole(1);

const table = {
  agent: required(having("the agent of createAgent", "send", "fork")),
  store: required(having("the store of the agent", "follow", "load")),
  authenticate: required(callback),
  origins: listOf(text, "an array of origins"),
  limits: group<LimitOptions>({ requests: limit, streams: limit, waiting: limit, conversations: limit }),
  questions: having("an object that describes questions and keeps rules", "describe", "keep"),
  running: callback,
  prefix: {
    ...text,
    wanted: 'a path that begins with a slash and ends without one, such as "/api"',
    isInRange: (prefix) => prefix === "" || /^\/.*[^/]$/.test(String(prefix)),
  },
  maxBodyBytes: above(0, "bytes"),
  bodyTimeout: milliseconds,
  streamTime: milliseconds,
  keepAlive: milliseconds,
  onError: callback,
} satisfies OptionTable<HandlerOptions>;

function telling(onError: (error: unknown, request: Request) => void): (error: unknown, request: Request) => void {
  return (error, request) => {
    try {
      onError(error, request);
    } catch {
      // The listener's own business.
    }
  };
}

function printError(error: unknown, { method }: Request): void {
  console.error(`${method}:`, error);
}

const needsAuthenticate =
  "createHandler needs `authenticate`, which says who sends a request: without it, every visitor could read everything. For a server of one person, give () => ({ id: anonymousUser }).";

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
  ["questions", new Map([["GET", describeQuestion]])],
  ["running", new Map([["GET", listRunning]])],
  ["fork", new Map([["POST", forkConversation]])],
]);

function routed<A extends Asked>(methods: Methods<A>, asked: A): Promise<Response> {
  const route: Route<A> | undefined = methods.get(asked.request.method);
  if (route) return route(asked);
  const allow = [...methods.keys()].join(", ");
  throw new Problem("method_not_allowed", `This address has only ${allow}.`, { headers: { allow } });
}
