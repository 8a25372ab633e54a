import { newestConversations } from "../conversation/newest-conversations.ts";
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
  return jsonResponse(200, await newestConversations(store, { user: sender.user, limit, before }));
}

const most = 1000;
