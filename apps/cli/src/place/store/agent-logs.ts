import type { LogEvent } from "@cogency/protocol";
import type { Store, StoredEvent } from "@cogency/storage";

/** Conversations of agents that are shown with one. */
const mostShown = 500;

/**
 * Reads the conversations of the agents that the calls of a log have started, and of those that these have started. One counts only if
 * its own log names its caller: a log that comes from elsewhere may name any conversation.
 *
 * @param most how many are read; a deeper or larger tree is cut
 * @returns the logs by the names of the conversations, callers first
 */
export async function agentLogs(
  store: Pick<Store, "load">,
  { conversation, user }: { conversation: string; user?: string | undefined },
  events: readonly LogEvent[],
  most = mostShown,
): Promise<Map<string, readonly StoredEvent[]>> {
  const logs = new Map<string, readonly StoredEvent[]>();
  const due = startedIn(events).map((child) => ({ ...child, caller: conversation }));
  for (const { child, call, caller } of due) {
    if (logs.size >= most) break;
    if (child === conversation || logs.has(child)) continue;
    const log = await store.load({ conversation: child, user });
    if (!log.some((event) => isCalledBy(event, caller, call))) continue;
    logs.set(child, log);
    due.push(...startedIn(log).map((next) => ({ ...next, caller: child })));
  }
  return logs;
}

function startedIn(events: readonly LogEvent[]): { child: string; call: string }[] {
  return events.flatMap((event) => {
    if (event.type !== "record" || event.kind !== "child") return [];
    const { conversation, call } = (event.data ?? {}) as { conversation?: unknown; call?: unknown };
    return typeof conversation === "string" && typeof call === "string" ? [{ child: conversation, call }] : [];
  });
}

function isCalledBy(event: LogEvent, caller: string, call: string): boolean {
  if (event.type !== "record" || event.kind !== "parent") return false;
  const data = (event.data ?? {}) as { conversation?: unknown; call?: unknown };
  return data.conversation === caller && data.call === call;
}
