import { Problem } from "../problem.ts";
import { type Authenticate, anonymousUser } from "../user.ts";

/** A user in the words of the store and of the agent. */
export interface Sender {
  user: string | undefined;
  from: string | undefined;
  scopes: ReadonlySet<string>;
}

/**
 * @throws Problem `unauthorized` if `authenticate` does not say who sends the request; TypeError for a user without an id, and for scopes
 * that are no list of names
 */
export async function senderOf(request: Request, authenticate: Authenticate): Promise<Sender> {
  const user = await authenticate(request);
  if (user === undefined || user === null) throw new Problem("unauthorized", "Sign in first.");
  const { id, name } = user;
  const scopes = scopesOf(user.scopes);
  if (id === anonymousUser) return { user: undefined, from: name, scopes };
  if (typeof id === "string" && id !== "") return { user: id, from: name ?? id, scopes };
  throw new TypeError(
    "authenticate returned a user whose `id` is not a text: return undefined for a request without a user.",
  );
}

/** A text is refused, not searched: "catalog" must not hold the scope "log". */
function scopesOf(given: unknown = []): ReadonlySet<string> {
  if (Array.isArray(given) && given.every((scope) => typeof scope === "string")) return new Set(given);
  throw new TypeError('authenticate returned a user whose `scopes` are no array of names, such as ["thinking"].');
}
