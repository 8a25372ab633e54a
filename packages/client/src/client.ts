import type { ToolCall } from "@cogency/protocol";
import { callback, checkOptions, type OptionTable, oneOf, required, text } from "@cogency/protocol/options";
import type { ClientOptions } from "./client-options.ts";
import { LiveConversation } from "./conversation/live-conversation.ts";
import type { Conversation } from "./conversation.ts";
import type { Conversations } from "./conversations.ts";
import { Requests } from "./http/requests.ts";
import { LiveConversations } from "./list/live-conversations.ts";

/** The conversations of one user on one server. */
export interface Client<Call extends ToolCall = ToolCall> {
  /** The list of conversations, as it changes. */
  readonly conversations: Conversations;
  /** A conversation by its name, whether it exists or not: the first message begins it. Nothing is asked until somebody subscribes. */
  conversation(id: string): Conversation<Call>;
}

/**
 * Makes a client of a server that `@cogency/server` handles. `Call` is the union of the calls that the tools of its agent have (`CallOf`
 * of `@cogency/tools`): then the name of a call narrows its arguments.
 *
 * @throws TypeError for an unknown option, one of a wrong type, and without `url`
 */
export function createClient<Call extends ToolCall = ToolCall>(options: ClientOptions): Client<Call> {
  checkOptions("createClient", options, table);
  const requests = new Requests(options);
  const known = new Map<string, WeakRef<Conversation<Call>>>();
  const used = new Set<object>();

  function conversation(id: string): Conversation<Call> {
    const found = known.get(id)?.deref();
    if (found) return found;
    for (const [name, one] of known) if (!one.deref()) known.delete(name);
    const made = new LiveConversation<Call>({ requests, conversation, keep }, id);
    known.set(id, new WeakRef(made));
    return made;
  }

  function keep(one: object, isInUse: boolean): void {
    if (isInUse) used.add(one);
    else used.delete(one);
  }

  return { conversations: new LiveConversations(requests), conversation };
}

const table = {
  url: required(text),
  fetch: callback,
  headers: {
    wanted: "an object of headers, or a function that returns one",
    isOfType: (value) => typeof value === "function" || (typeof value === "object" && value !== null),
  },
  credentials: oneOf("omit", "same-origin", "include"),
} satisfies OptionTable<ClientOptions>;
