import { readdirSync, readFileSync } from "node:fs";
import type { StoredEvent } from "@cogency/storage";
import type { RecordedConversation } from "./recorded-conversation.ts";

export type { RecordedConversation, RecordedItem } from "./recorded-conversation.ts";

const folder = new URL("../recorded/", import.meta.url);

/** All conversations of `recorded/`, by their names. */
export const recordedConversations: readonly RecordedConversation[] = readdirSync(folder)
  .flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -".json".length)] : []))
  .sort()
  .map((name) => ({ name, ...JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) }));

/** The stored events of a conversation: its whole log. */
export function logOf({ items }: RecordedConversation): StoredEvent[] {
  return items.flatMap((item) => (item.type === "event" ? [item.event] : []));
}
