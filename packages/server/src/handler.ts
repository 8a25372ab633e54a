import { group, having, type OptionTable, required } from "@cogency/protocol/options";
import { conversationNamed } from "./body/conversation-name.ts";
import { Looks } from "./changes/looks.ts";
import { createDoor, problemResponse } from "./door/door.ts";
import { doorTable } from "./door/door-options.ts";
import type { HandlerOptions } from "./handler-options.ts";
import { noticeTable } from "./notices/notice-options.ts";
import { openNotices } from "./notices/open-notices.ts";
import { Problem } from "./problem.ts";
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
 * - `POST /conversations/ID/notices`: what a program outside says, if `notices` lets it in
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
  const door = createDoor("createHandler", options, table);
  const { agent, store, notices, questions = noDetails } = options;
  const looks = new Looks(store);
  const settings = { ...door.settings, agent, store, questions, looks };
  const noticed = notices && openNotices(options, notices);
  return (request) =>
    noticed?.(request) ??
    door.open(
      request,
      async (visitor) => {
        const response = await answerOf({ ...settings, ...visitor });
        if (request.method !== "GET") looks.hint(visitor.sender.user);
        return response;
      },
      problemResponse,
    );
}

/** Where the host adds nothing, a question is what the log says of it. */
const noDetails: Questions = { describe: async () => ({ facts: [], rules: [] }), keep: async () => false };

const table = {
  ...doorTable,
  agent: required(having("the agent of createAgent", "send", "fork")),
  store: required(having("the store of the agent", "follow", "load")),
  notices: group(noticeTable),
  questions: having("an object that describes questions and keeps rules", "describe", "keep"),
} satisfies OptionTable<HandlerOptions>;

async function answerOf(asked: Asked): Promise<Response> {
  const { path, sender } = asked;
  const all = ofAll.get(path);
  if (all) return routed(all, asked);
  const [, id = "", rest = ""] = /^\/conversations\/([^/]+)(\/[a-z]+)?$/.exec(path) ?? [];
  const one = id === "" ? undefined : ofOne.get(rest);
  if (!one) throw new Problem("not_found", "There is nothing at this address.");
  return routed(one, { ...asked, key: { conversation: conversationNamed(id), user: sender.user } });
}

function routed<A extends Asked>(methods: Methods<A>, asked: A): Promise<Response> {
  const route: Route<A> | undefined = methods.get(asked.request.method);
  if (route) return route(asked);
  const allow = [...methods.keys()].join(", ");
  throw new Problem("method_not_allowed", `This address has only ${allow}.`, { headers: { allow } });
}
