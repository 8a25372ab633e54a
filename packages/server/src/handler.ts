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
import { Looks } from "./changes/looks.ts";
import type { HandlerOptions } from "./handler-options.ts";
import { jsonResponse } from "./json-response.ts";
import type { LimitOptions } from "./limit-options.ts";
import { Limits } from "./limits/limits.ts";
import { Problem, problemOf } from "./problem.ts";
import type { Questions } from "./questions.ts";
import type { Asked, Methods, Route } from "./route.ts";
import { ofAll, ofOne } from "./routes/routes.ts";

/** Answers a request of the Web platform. Never rejects. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * Makes a handler for the conversations of a store:
 *
 * - `GET /conversations?limit=20&before=ID`: their summaries, the latest first
 * - `GET /changes`: the same list as server-sent events, and then what changes in it
 * - `GET /conversations/ID`: its title, and whether it runs, waits or is idle
 * - `PATCH /conversations/ID`: gives it a title
 * - `DELETE /conversations/ID`: removes it
 * - `GET /conversations/ID/events?view=parts`: what a person may see of every stored event, and then of those that come, as server-sent
 *   events, with the pieces of what is being written between them; `view=log` gives the events as they are stored
 * - `GET /conversations/ID/messages`: the messages that no run has read yet
 * - `POST /conversations/ID/messages`: posts a message, signed by the agent
 * - `GET /conversations/ID/questions`: the questions that are open; with `?id=QUESTION` what the host adds to one
 * - `POST /conversations/ID/fork`: begins another conversation with the first events of this one
 * - `GET /openapi.json`: all of this for programs
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
  const looks = new Looks(store);
  const onError = telling(options.onError ?? printError);
  const { questions = noDetails } = options;
  const settings = {
    agent,
    store,
    questions,
    limits,
    looks,
    prefix,
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
    const path = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : "";
    const response = await answerOf(path, asked);
    if (request.method !== "GET") looks.hint(sender.user);
    return response;
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

async function answerOf(path: string, asked: Asked): Promise<Response> {
  const all = ofAll.get(path);
  if (all) return routed(all, asked);
  const [, id = "", rest = ""] = /^\/conversations\/([^/]+)(\/[a-z]+)?$/.exec(path) ?? [];
  const one = id === "" ? undefined : ofOne.get(rest);
  if (!one) throw new Problem("not_found", "There is nothing at this address.");
  return routed(one, { ...asked, key: { conversation: checkedName(id), user: asked.sender.user } });
}

function routed<A extends Asked>(methods: Methods<A>, asked: A): Promise<Response> {
  const route: Route<A> | undefined = methods.get(asked.request.method);
  if (route) return route(asked);
  const allow = [...methods.keys()].join(", ");
  throw new Problem("method_not_allowed", `This address has only ${allow}.`, { headers: { allow } });
}
