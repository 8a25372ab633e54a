import type { Store } from "@cogency/storage";
import { watchDue } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { timeOfDue } from "../rows/due-time.ts";
import { scopeText } from "../rows/names.ts";
import type { Watched } from "../watch/watched.ts";

/**
 * @param scopes the rows of `wake_scopes` that somebody watches
 * @param clock returns Unix time in milliseconds
 */
export function prepareWatchWakes(
  { sqlite, refuseIfClosed, read }: Database,
  scopes: Watched,
  clock: () => number,
): Pick<Store, "nextWake" | "watchWakes"> {
  const findFirst = sqlite.prepare("SELECT min(due_at) AS due FROM keys WHERE scope = ? AND due_at IS NOT NULL");
  const findNext = sqlite.prepare("SELECT min(due_at) AS due FROM keys WHERE scope = ? AND due_at > ?");

  return {
    async nextWake({ scope } = {}) {
      refuseIfClosed();
      const first = await read(() => dueOf(findFirst.get(scopeText(scope))));
      return first === undefined ? undefined : timeOfDue(first, clock());
    },

    watchWakes({ scope, signal } = {}) {
      const text = scopeText(scope);
      const look = async () => {
        refuseIfClosed();
        const now = clock();
        const [first, next] = await read(() => [dueOf(findFirst.get(text)), dueOf(findNext.get(text, now))]);
        return { isDue: first !== undefined && first <= now, next: next === undefined ? undefined : next - now };
      };
      return watchDue({ look, change: (stop) => scopes.change([text], stop) }, { signal });
    },
  };
}

function dueOf(row: Record<string, unknown> | undefined): number | undefined {
  return typeof row?.due === "number" ? row.due : undefined;
}
