import type { LogEvent } from "@cogency/protocol";
import { sqliteStore } from "@cogency/storage-sqlite";

export const key = { conversation: "c", user: "ada" };
export const userEvent = (content: string): LogEvent => ({ type: "user", content, timestamp: 1 });

export async function filled(path: string, text: string): Promise<void> {
  const store = await sqliteStore({ path });
  await store.append(key, [userEvent(text)]);
  await store.close();
}

export async function textsOf(path: string): Promise<string[]> {
  try {
    const store = await sqliteStore({ path });
    const events = await store.load(key);
    await store.close();
    return events.flatMap((event) => ("content" in event ? [event.content] : []));
  } catch {
    return [];
  }
}
