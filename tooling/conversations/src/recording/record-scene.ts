import type { AgentOptions } from "@cogency/agent";
import type { Key } from "@cogency/storage";
import type { RecordedConversation, RecordedItem } from "../recorded-conversation.ts";
import { followItems } from "./follow-items.ts";
import type { Scene } from "./scene.ts";
import { Stage } from "./stage.ts";

/**
 * Plays a scene, and returns what somebody got who followed its conversation from the beginning.
 *
 * @param defaults options of all agents of the scene, unless it gives others
 */
export async function recordScene(
  { name, about, play }: Scene,
  defaults: Partial<AgentOptions> = {},
): Promise<RecordedConversation> {
  const stage = new Stage(name, defaults);
  const leaving = new AbortController();
  const following = itemsUntil(stage, stage.key, leaving);
  const other = await play(stage);
  if (!other) return { name, about, items: await following.all() };
  leaving.abort();
  return { name, about, items: await itemsUntil(stage, other, new AbortController()).all() };
}

function itemsUntil(stage: Stage, key: Key, leaving: AbortController) {
  const items: RecordedItem[] = [];
  let seen = 0;
  let hasNews = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const item of followItems(stage.store, key, leaving.signal)) {
      items.push(item);
      if (item.type === "event") seen = item.event.seq;
      hasNews.resolve();
      hasNews = Promise.withResolvers();
    }
  })();
  return {
    /** All items up to the end of the log as it is now. */
    async all(): Promise<RecordedItem[]> {
      const last = (await stage.load(key)).at(-1)?.seq ?? 0;
      while (seen < last) await hasNews.promise;
      leaving.abort();
      await reading;
      return items;
    },
  };
}
