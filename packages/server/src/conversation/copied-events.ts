import type { Key, Store } from "@cogency/storage";

/** How many events at the beginning of a log were copied from another one, with those that the fork has put before them. */
export async function copiedEvents(store: Pick<Store, "load">, key: Key): Promise<number> {
  const head = await store.load(key, { types: ["record"], limit: 2 });
  const fork = head.find((event) => event.type === "record" && event.kind === "fork");
  const at: unknown = fork?.type === "record" && fork.kind === "fork" ? fork.data?.at : undefined;
  return fork && typeof at === "number" ? fork.seq + foreign + at : 0;
}

/** Records that stand between the fork and what it copied, where the log came from elsewhere. */
const foreign = 2;
