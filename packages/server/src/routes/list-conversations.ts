import { isChildName } from "@cogency/agent/child";
import type { ConversationSummary } from "@cogency/storage";
import { jsonResponse } from "../json-response.ts";
import { Problem } from "../problem.ts";
import type { Asked } from "../route.ts";

/**
 * `GET /conversations`: their summaries, the most recently appended first. Those of agents that calls have started are left out: they
 * are seen where they were started.
 */
export async function listConversations({ store, url, sender }: Asked): Promise<Response> {
  const { searchParams } = url;
  const limit = Number(searchParams.get("limit") ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new Problem("invalid_request", `\`limit\` is a whole number from 1 to ${most}.`);
  const before = searchParams.get("before") ?? undefined;
  return jsonResponse(200, await listed(store, { user: sender.user, limit, before }));
}

async function listed(
  store: Asked["store"],
  { user, limit, before }: { user: string | undefined; limit: number; before: string | undefined },
): Promise<ConversationSummary[]> {
  const found: ConversationSummary[] = [];
  for (let after = before; found.length < limit; ) {
    const page = await store.conversations({ user, limit, before: after });
    found.push(...page.filter(({ conversation }) => !isChildName(conversation)));
    after = page.at(-1)?.conversation;
    if (page.length < limit) break;
  }
  return found.slice(0, limit);
}

const most = 1000;
