import type { Key, Store } from "@cogency/storage";

/** How many events at the beginning of a log were copied from another one, with those that the fork has put before them. */
export async function copiedEvents(store: Pick<Store, "load">, key: Key): Promise<number> {
  const head = await store.load(key, { types: ["record"], limit: 2 });
  const fork = head.find((event) => event.type === "record" && event.kind === "fork");
  const at: unknown = fork?.type === "record" && fork.kind === "fork" ? fork.data?.at : undefined;
  if (!fork || typeof at !== "number") return 0;
  const most = fork.seq + foreign + at;
  const [end] = await store.load(key, { last: 1 });
  if (end && end.seq > most) return most;
  // Not everything was copied, so what has come since may stand among the first ones.
  const records = await store.load(key, { types: ["record"], after: fork.seq });
  const own = records.find((event) => event.type === "record" && neverCopied.has(event.kind));
  return own ? own.seq - 1 : most;
}

/** Records that stand between the fork and what it copied, where the log came from elsewhere. */
const foreign = 2;

/** Records that begin what happens in the fork itself. */
const neverCopied: ReadonlySet<string> = new Set(["message", "trace", "question"]);
