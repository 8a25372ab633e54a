/**
 * The `id` of the one anonymous user of a store. A server must name this user by this symbol: an `undefined` or `null` of a look-up that
 * found no user never means the anonymous one.
 */
export const anonymousUser: unique symbol = Symbol.for("@cogency/server anonymous user");

/** Who sends a request. */
export interface User {
  /** Whose conversations the request reads and writes: the `user` of their keys. Not empty. */
  id: string | typeof anonymousUser;
  /** Who posts messages, as the model and the log will have it (`from`). Defaults to `id`; to none for the anonymous user. */
  name?: string | undefined;
  /**
   * What the user may read beyond what every user may. Other names are ignored. Defaults to none.
   *
   * - `thinking`: the reasoning of the model
   * - `log`: everything that the log holds, with system prompts, signatures and prices (`view=log`)
   */
  scopes?: readonly ("thinking" | "log" | (string & {}))[] | undefined;
}

/**
 * Says who sends a request, from a session or a token for instance; undefined if it does not say. The handler signs what the user
 * posts, and a run trusts that signature: so this function alone decides who may read, and whose "Yes" counts. What it throws refuses
 * the request: a `Problem` with its status, anything else with 500.
 */
export type Authenticate = (request: Request) => User | undefined | Promise<User | undefined>;
