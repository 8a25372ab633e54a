import { type Store, watchDue } from "@cogency/storage";
import type { Database } from "../database/database.ts";
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
  const findFirst = sqlite.prepare("SELECT min(due_at) AS at FROM keys WHERE scope = ? AND due_at IS NOT NULL");
  const findNext = sqlite.prepare("SELECT min(due_at) AS at FROM keys WHERE scope = ? AND due_at > ?");

  return {
    async nextWake({ scope } = {}) {
      refuseIfClosed();
      const row = await read(() => findFirst.get(scopeText(scope)));
      return timeOf(row);
    },

    watchWakes({ scope, signal } = {}) {
      const text = scopeText(scope);
      const look = async () => {
        refuseIfClosed();
        const now = clock();
        const [first, next] = await read(() => [timeOf(findFirst.get(text)), timeOf(findNext.get(text, now))]);
        return { isDue: first !== undefined && first <= now, next: next === undefined ? undefined : next - now };
      };
      return watchDue({ look, change: (stop) => scopes.change([text], stop) }, { signal });
    },
  };
}

function timeOf(row: Record<string, unknown> | undefined): number | undefined {
  return typeof row?.at === "number" ? row.at : undefined;
}
