import { type ForkNode, forkTree } from "@cogency/agent/history";
import { checkExists } from "../conversation/check-exists.ts";
import { newestConversations } from "../conversation/newest-conversations.ts";
import { jsonResponse } from "../json-response.ts";
import type { AskedOfOne } from "../route.ts";

/** A conversation of the tree, as the address answers it. */
interface Fork {
  conversation: string;
  /** Absent for one that was deleted. */
  title?: string;
  /** Unix time in seconds. */
  updatedAt?: number;
  /** Which conversation it was forked from; absent for the first one. */
  from?: string;
  /** With how many events of that it began. */
  at?: number;
}

/** The latest conversations that are looked at. */
const mostListed = 1000;

/** `GET /conversations/ID/forks`: the conversations of its user that come from the same one, each after the one it was forked from. */
export async function listForks(asked: AskedOfOne): Promise<Response> {
  const { store, key } = asked;
  await checkExists(asked);
  const summaries = await newestConversations(store, { user: key.user, limit: mostListed });
  return jsonResponse(200, { forks: flat(await forkTree(store, key, summaries), undefined) });
}

function flat({ conversation, summary, at, forks }: ForkNode, from: string | undefined): Fork[] {
  const own: Fork = {
    conversation,
    ...(summary && { title: summary.title, updatedAt: summary.updatedAt }),
    ...(from !== undefined && { from, ...(at !== undefined && { at }) }),
  };
  return [own, ...forks.flatMap((fork) => flat(fork, conversation))];
}
