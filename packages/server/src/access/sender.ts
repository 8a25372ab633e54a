import { Problem } from "../problem.ts";
import { type Authenticate, anonymousUser } from "../user.ts";

/** A user in the words of the store and of the agent. */
export interface Sender {
  user: string | undefined;
  from: string | undefined;
}

/**
 * @throws Problem `unauthorized` if `authenticate` does not say who sends the request; TypeError for a user without an id
 */
export async function senderOf(request: Request, authenticate: Authenticate): Promise<Sender> {
  const user = await authenticate(request);
  if (user === undefined || user === null) throw new Problem("unauthorized", "Sign in first.");
  const { id, name } = user;
  if (id === anonymousUser) return { user: undefined, from: name };
  if (typeof id === "string" && id !== "") return { user: id, from: name ?? id };
  throw new TypeError(
    "authenticate returned a user whose `id` is not a text: return undefined for a request without a user.",
  );
}
