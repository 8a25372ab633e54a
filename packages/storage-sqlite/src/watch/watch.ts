import type { Store } from "@cogency/storage";
import { watchConversation } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { keyTexts } from "../rows/names.ts";
import type { WatchedKeys } from "./watched-keys.ts";

export function prepareWatch({ refuseIfClosed, checkFile }: Database, watched: WatchedKeys): Store["watch"] {
  const refuse = () => {
    refuseIfClosed();
    checkFile();
  };
  return (key, { of = "all", signal } = {}) => {
    const texts = keyTexts(key);
    return watchConversation({ refuseIfClosed: refuse, change: (stop) => watched[of].change(texts, stop) }, { signal });
  };
}
