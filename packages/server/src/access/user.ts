import { Problem } from "../problem.ts";

/**
 * The `id` of the one anonymous user of a store. A server must name this user by this symbol: a look-up that found nobody, and so gives
 * `undefined` or `null`, never means the anonymous user.
 */
export const anonymousUser: unique symbol = Symbol.for("@cogency/server anonymous user");

/** Who sends a request. */
export interface User {
  /** Whose conversations the request reads and writes: the `user` of their keys. Not empty. */
  id: string | typeof anonymousUser;
  /** Who posts messages, as the model and the log will have it (`from`). Defaults to `id`; to none for the anonymous user. */
  name?: string | undefined;
}

/**
 * Says who sends a request, from a session or a token for instance; undefined if it does not say. The handler signs what the user
 * posts, and a run trusts that signature: so this function alone decides who may read, and whose "Yes" counts. What it throws refuses
 * the request: a `Problem` with its status, anything else with 500.
 */
export type Authenticate = (request: Request) => User | undefined | Promise<User | undefined>;

/** A user in the words of the store and of the agent. */
export interface Sender {
  user: string | undefined;
  from: string | undefined;
}

/**
 * @throws Problem `unauthorized` if nobody says who sends the request; TypeError if `authenticate` returns what is no user
 */
export async function senderOf(request: Request, authenticate: Authenticate): Promise<Sender> {
  const user = await authenticate(request);
  if (user === undefined || user === null) throw new Problem("unauthorized", "Sign in first.");
  const { id, name } = user;
  if (id === anonymousUser) return { user: undefined, from: name };
  if (typeof id === "string" && id !== "") return { user: id, from: name ?? id };
  throw new TypeError("authenticate returned a user whose `id` is no text: return undefined for a request of nobody.");
}
