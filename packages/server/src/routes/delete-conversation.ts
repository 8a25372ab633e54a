import { isChildName } from "@cogency/agent/child";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";

/**
 * `DELETE /conversations/ID`: removes the conversation, and those of the agents that its calls have started, which no list shows. A run
 * that is at work on one of them fails at the next thing that it would store, and stores nothing.
 */
export async function deleteConversation({ store, key }: AskedOfOne): Promise<Response> {
  // Callers last: if the server is killed in the middle, the next try finds the rest again.
  for (const child of (await childrenOf(store, key)).reverse()) await store.delete(child);
  if (!(await store.delete(key))) throw new Problem("not_found", "There is no such conversation.");
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}

/**
 * The conversations of the agents below one, callers first. One counts only if its own log names its caller: a log that comes from
 * elsewhere may name any conversation.
 */
async function childrenOf(store: Pick<Store, "load">, key: Key): Promise<Key[]> {
  const found = new Map<string, Key>();
  const due = [...startedBy(key.conversation, await store.load(key, { types: ["record"] }))];
  for (const { child, caller } of due) {
    if (child === key.conversation || found.has(child)) continue;
    const below = { ...key, conversation: child };
    const records = await store.load(below, { types: ["record"] });
    if (!records.some((event) => dataOf(event, "parent")?.conversation === caller)) continue;
    found.set(child, below);
    due.push(...startedBy(child, records));
  }
  return [...found.values()];
}

function startedBy(caller: string, records: readonly StoredEvent[]): { child: string; caller: string }[] {
  return records.flatMap((event) => {
    const child = dataOf(event, "child")?.conversation;
    return typeof child === "string" && isChildName(child) ? [{ child, caller }] : [];
  });
}

/** The data of a record of a kind, as a log from elsewhere may hold it. */
function dataOf(event: StoredEvent, kind: "child" | "parent"): { conversation?: unknown } | undefined {
  return event.type === "record" && event.kind === kind ? ((event.data ?? undefined) as object | undefined) : undefined;
}
