import type { AcpSessionEntry, AcpSessionList } from "@cogency/acp";
import { isChildName } from "@cogency/agent/child";
import type { Store } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { scopeOf } from "../../base/scope-of.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { hasConversation, scopeIn } from "../../place/store/find-conversation.ts";

/** Sessions of one answer, and conversations that are looked at for one. */
const pageSize = 50;

/**
 * A page of the conversations of a store that an editor may open, the latest first: those whose log says in which folder they were begun.
 *
 * @param cwd only those of this folder
 * @param cursor the last conversation that was looked at for the page before
 * @throws UsageError for a cursor that no page has given, or whose conversation was deleted since
 */
export async function sessionList(
  store: Store,
  { cwd, cursor }: { cwd?: string | undefined; cursor?: string | undefined },
): Promise<AcpSessionList> {
  if (cursor !== undefined && !(await hasConversation(cursor, store)))
    throw new UsageError("The list cannot go on after this cursor. Ask for it from the beginning.");
  const scope = cwd === undefined ? undefined : scopeOf(cwd);
  const sessions: AcpSessionEntry[] = [];
  let before = cursor;
  while (sessions.length < pageSize) {
    const page = await store.conversations({ before, limit: pageSize });
    for (const { conversation, title, updatedAt } of page) {
      before = conversation;
      const folder = isChildName(conversation) ? undefined : await scopeIn(conversation, store);
      if (folder !== undefined && (scope === undefined || folder === scope))
        sessions.push({
          session: conversation,
          cwd: folder,
          title: oneLine(title, 200) || undefined,
          updatedAt: updatedAt * 1000,
        });
      if (sessions.length === pageSize) return { sessions, next: before };
    }
    if (page.length < pageSize) return { sessions };
  }
  return { sessions, next: before };
}
